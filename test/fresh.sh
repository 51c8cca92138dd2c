#!/bin/sh
# Fails if the committed generated code or a code sample in the OpenAPI document
# differs from what the document generates.
set -eu
cd "$(dirname "$0")/.."
generated="gen convertd.gen.go internal/convert/warning.gen.go internal/rest/rest.gen.go internal/tools/apiconvert/warning/warning.gen.go test/places/functions.gen.go openapi/openapi.yaml"
before=$(mktemp -d)
trap 'rm -rf "$before"' EXIT
tar -cf - $generated | tar -xf - -C "$before"
make -s generate
for path in $generated; do
	diff -r "$before/$path" "$path" || { echo "$path is stale: run make generate and commit the result" >&2; exit 1; }
done
