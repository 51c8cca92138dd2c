#!/bin/sh
# Installs the dependencies of make bench: wrk, jq and the yardsticks in Node.js,
# Go and, if cargo is installed, Rust.
set -eu
cd "$(dirname "$0")"
. ../setup.sh
debian jq wrk
npm_packages yardsticks

if command -v cargo >/dev/null; then
	[ axum/target/.installed -nt axum/Cargo.lock ] || quietly 'axum' cargo build --manifest-path axum/Cargo.toml --release --locked
	touch axum/target/.installed
else
	echo 'setup: cargo is not installed: make bench leaves axum out'
fi

tools='github.com/itchyny/gojq/cmd/gojq@v0.12.17
github.com/mikefarah/yq/v4@v4.45.1
golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da'
go_tools "$tools"
