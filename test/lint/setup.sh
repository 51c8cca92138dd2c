#!/bin/sh
# Installs the linters for the OpenAPI document.
set -eu
cd "$(dirname "$0")"
. ../setup.sh
npm_packages
