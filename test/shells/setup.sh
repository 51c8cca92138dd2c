#!/bin/sh
# Installs the shells whose completions are tested, and a parser for PowerShell.
set -eu
cd "$(dirname "$0")"
. ../setup.sh
debian zsh fish
python_packages .venv requirements.txt
