#!/bin/sh
# Installs the MCP conformance suite, the Inspector, both generations of the
# TypeScript client, and the Node.js version that they require (22 or later).
set -eu
cd "$(dirname "$0")"
. ../setup.sh
npm_packages
