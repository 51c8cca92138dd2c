#!/bin/sh
# Builds oasdiff and apidiff, which tools/go.mod pins.
set -eu
cd "$(dirname "$0")"
. ../setup.sh
[ bin/apidiff -nt tools/go.sum ] && exit 0
mkdir -p bin
quietly 'oasdiff and apidiff' go build -C tools -o ../bin/ github.com/oasdiff/oasdiff golang.org/x/exp/cmd/apidiff
touch bin/oasdiff bin/apidiff
