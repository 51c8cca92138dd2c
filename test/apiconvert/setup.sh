#!/bin/sh
# Installs the readers that this folder's test asks. Done already, it does
# nothing.
set -eu
cd "$(dirname "$0")"
cmp -s node_modules/.installed package-lock.json && exit 0
npm ci --no-audit --no-fund --loglevel=error
cp package-lock.json node_modules/.installed
