#!/bin/sh
# Installs readers of documents and pipelines, and builds the oracle for containers.
set -eu
cd "$(dirname "$0")"
. ../setup.sh
debian rsync
npm_packages
python_packages .venv requirements.txt
if ! bin/oracle </dev/null compose >/dev/null 2>&1 || [ oracle/main.go -nt bin/oracle ]; then
	quietly "oracle" env GOFLAGS=-buildvcs=false GOWORK=off sh -c 'cd oracle && go build -o ../bin/oracle .'
fi
