#!/bin/sh
# Installs the independent readers of what api_convert writes.
set -eu
cd "$(dirname "$0")"
. ../setup.sh
npm_packages
