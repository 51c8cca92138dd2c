#!/bin/sh
# Installs the Debian packages that the tests call, where they are missing.
set -eu
missing=
for program in jq zsh fish rpm; do # each is the name of its package too
	command -v $program >/dev/null || missing="$missing $program"
done
command -v man >/dev/null || missing="$missing man-db"
[ -z "$missing" ] && exit 0
[ "$(id -u)" = 0 ] && sudo= || sudo=sudo
$sudo apt-get update -qq
$sudo apt-get install -y -qq $missing
