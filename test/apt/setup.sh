#!/bin/sh
# Installs the programs that the README's examples and the unit tests run.
set -eu
cd "$(dirname "$0")"
. ../setup.sh
debian jq
[ "${1:-}" = first ] || debian man=man-db redis-server
