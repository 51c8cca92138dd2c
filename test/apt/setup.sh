#!/bin/sh
# Installs the Debian packages that the tests call, where they are missing.
set -eu
missing=
command -v jq >/dev/null || missing="$missing jq"
[ -z "$missing" ] && exit 0
[ "$(id -u)" = 0 ] && sudo= || sudo=sudo
$sudo apt-get update -qq
$sudo apt-get install -y -qq $missing
