#!/bin/sh
# Installs Debian's Chromium and Firefox, and the npm packages that drive them
# and check the pages. "setup.sh first" installs only what make test needs.
set -eu
cd "$(dirname "$0")"
. ../setup.sh
npm_packages
debian chromium
[ "${1:-}" = first ] || debian firefox-esr haproxy nginx=nginx-light
