#!/bin/sh
# Builds oasdiff, pinned in tools/go.mod, beside this script.
set -eu
cd "$(dirname "$0")"
[ bin/oasdiff -nt tools/go.sum ] && exit 0
(cd tools && go build -o ../bin/ github.com/oasdiff/oasdiff)
touch bin/oasdiff
