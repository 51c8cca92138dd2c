#!/bin/sh
# Installs the shells whose completion is tested.
set -eu
cd "$(dirname "$0")"
. ../setup.sh
debian zsh fish
