#!/bin/sh
# Installs the YAML readers in JavaScript and in Python.
set -eu
cd "$(dirname "$0")"
. ../setup.sh
npm_packages
python_packages ../.venv requirements.txt
