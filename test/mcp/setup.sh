#!/bin/sh
# Installs what agents are built on into node_modules: the protocol's
# conformance suite, its Inspector, the TypeScript clients of both generations,
# and the Node that they need (22 or later). It needs node and npm, any age.
# Done already, it does nothing.
set -eu
cd "$(dirname "$0")"
[ -e node_modules/.installed ] && cmp -s node_modules/.installed package-lock.json && exit
npm ci --no-audit --no-fund --loglevel=error
cp package-lock.json node_modules/.installed
