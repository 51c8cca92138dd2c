#!/bin/sh
# Installs the YAML parsers for JavaScript and Python.
set -eu
cd "$(dirname "$0")"
. ../setup.sh
npm_packages
python_packages ../.venv requirements.txt
