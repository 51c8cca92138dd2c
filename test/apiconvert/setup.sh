#!/bin/sh
# Installs independent libraries that read the outputs of api_convert.
set -eu
cd "$(dirname "$0")"
. ../setup.sh
npm_packages
