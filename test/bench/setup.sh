#!/bin/sh
# Installs what make bench measures beside: wrk, jq and the yardsticks in Node,
# Go and, where cargo is there, Rust. make test does not need it. Done already, it does nothing.
set -eu
cd "$(dirname "$0")"

missing=
for command in jq wrk; do
	command -v "$command" >/dev/null || missing="$missing $command"
done
if [ -n "$missing" ]; then
	[ "$(id -u)" = 0 ] && sudo= || sudo=sudo
	$sudo apt-get update -qq
	$sudo apt-get install -y -qq $missing
fi

[ yardsticks/node_modules/.package-lock.json -nt yardsticks/package-lock.json ] ||
	(cd yardsticks && npm ci --ignore-scripts --no-audit --no-fund --silent)

if command -v cargo >/dev/null; then
	(cd axum && cargo build --release --locked --quiet)
else
	echo "cargo is not there: make bench leaves axum out" >&2
fi

bin=$(pwd)/bin
[ -x "$bin/gojq" ] || GOBIN="$bin" go install github.com/itchyny/gojq/cmd/gojq@v0.12.17
[ -x "$bin/yq" ] || GOBIN="$bin" go install github.com/mikefarah/yq/v4@v4.45.1
[ -x "$bin/benchstat" ] || GOBIN="$bin" go install golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da
