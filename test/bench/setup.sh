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

go_tools github.com/mikefarah/yq/v4@v4.45.1
