#!/bin/sh
# Installs what the channels' hosts run: the packer of MCP bundles, the builder
# of Debian packages, a runner of GitHub Actions, and pre-commit. It needs npm,
# Go and Python. "setup.sh mcpb" installs the packer only. Done already, it
# does nothing.
set -eu
cd "$(dirname "$0")"
if ! { [ -e node_modules/.installed ] && cmp -s node_modules/.installed package-lock.json; }; then
	npm ci --no-audit --no-fund --loglevel=error
	cp package-lock.json node_modules/.installed
fi
[ "${1:-}" = mcpb ] && exit
tools='github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.4 github.com/nektos/act@v0.2.89'
if [ "$(cat bin/.installed 2>/dev/null)" != "$tools" ]; then
	for tool in $tools; do
		GOFLAGS='' GOBIN="$PWD/bin" go install "$tool"
	done
	echo "$tools" >bin/.installed
fi
pins=pre-commit==4.5.0
if [ "$(cat .venv/.installed 2>/dev/null)" != "$pins" ]; then
	python3 -m venv .venv
	.venv/bin/pip install --quiet --disable-pip-version-check "$pins"
	echo "$pins" >.venv/.installed
fi
