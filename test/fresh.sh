#!/bin/sh
# Fails when the committed generated code, or a sample of code in the document,
# is not what the document generates.
set -eu
cd "$(dirname "$0")/.."
before=$(mktemp -d)
trap 'rm -rf "$before"' EXIT
cp -R gen tools.gen.go openapi/openapi.yaml "$before"
make -s generate
diff -r "$before/gen" gen && diff "$before/tools.gen.go" tools.gen.go && diff "$before/openapi.yaml" openapi/openapi.yaml || { echo 'gen/, tools.gen.go or a sample of code is stale: run make generate and commit the result' >&2; exit 1; }
