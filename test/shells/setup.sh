#!/bin/sh
# Installs the shells whose completions are tested.
set -eu
cd "$(dirname "$0")"
. ../setup.sh
debian zsh fish
