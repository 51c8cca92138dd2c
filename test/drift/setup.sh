#!/bin/sh
# Builds oasdiff and apidiff, pinned in tools/go.mod, beside this script.
set -eu
cd "$(dirname "$0")"
[ bin/apidiff -nt tools/go.sum ] && exit 0
(cd tools && go build -o ../bin/ github.com/oasdiff/oasdiff golang.org/x/exp/cmd/apidiff)
touch bin/oasdiff bin/apidiff
