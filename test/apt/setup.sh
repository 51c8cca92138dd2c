#!/bin/sh
# Installs the Debian packages that the tests call, where they are missing.
set -eu
missing=
for program in jq zsh fish; do # each is the name of its package too
	command -v $program >/dev/null || missing="$missing $program"
done
[ -z "$missing" ] && exit 0
[ "$(id -u)" = 0 ] && sudo= || sudo=sudo
$sudo apt-get update -qq
$sudo apt-get install -y -qq $missing
