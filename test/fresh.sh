#!/bin/sh
# Fails when the committed generated code is not what the document generates.
set -eu
cd "$(dirname "$0")/.."
before=$(mktemp -d)
trap 'rm -rf "$before"' EXIT
cp -R gen "$before/gen"
make -s generate
diff -r "$before/gen" gen || { echo 'gen/ is stale: run make generate and commit the result' >&2; exit 1; }
