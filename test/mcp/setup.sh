#!/bin/sh
# Installs MCP's conformance suite, the Inspector, the TypeScript clients of
# both generations, and the Node.js that they need (22 or later).
set -eu
cd "$(dirname "$0")"
. ../setup.sh
npm_packages
