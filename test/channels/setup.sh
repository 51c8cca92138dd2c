#!/bin/sh
# Installs the programs that the distribution channels use: the MCP bundle packer,
# the Debian package builder, a GitHub Actions runner and pre-commit.
# "setup.sh mcpb" installs only the packer.
set -eu
cd "$(dirname "$0")"
. ../setup.sh
npm_packages
[ "${1:-}" != mcpb ] || exit 0
debian rpm man=man-db
go_tools 'github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.4
github.com/nektos/act@v0.2.89'
python_packages .venv requirements.txt
