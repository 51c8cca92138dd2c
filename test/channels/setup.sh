#!/bin/sh
# Installs what the channels' hosts run: the packer of MCP bundles, the builder
# of Debian packages, a runner of GitHub Actions, and pre-commit.
# "setup.sh mcpb" installs the packer only.
set -eu
cd "$(dirname "$0")"
. ../setup.sh
npm_packages
[ "${1:-}" != mcpb ] || exit 0
debian rpm man=man-db
go_tools 'github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.4
github.com/nektos/act@v0.2.89'
python_packages .venv requirements.txt
