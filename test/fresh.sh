#!/bin/sh
# Fails if the committed generated code or a code sample in the OpenAPI document
# differs from what the document generates.
set -eu
cd "$(dirname "$0")/.."
before=$(mktemp -d)
trap 'rm -rf "$before"' EXIT
cp -R gen convertd.gen.go internal/rest/rest.gen.go internal/tools/apiconvert/warning/warning.gen.go openapi/openapi.yaml "$before"
make -s generate
diff -r "$before/gen" gen && diff "$before/convertd.gen.go" convertd.gen.go && diff "$before/rest.gen.go" internal/rest/rest.gen.go && diff "$before/warning.gen.go" internal/tools/apiconvert/warning/warning.gen.go && diff "$before/openapi.yaml" openapi/openapi.yaml || { echo 'gen/, convertd.gen.go, internal/rest/rest.gen.go, warning.gen.go or a sample of code is stale: run make generate and commit the result' >&2; exit 1; }
