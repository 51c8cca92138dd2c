#!/bin/sh
# Installs the readers that the tests of this folder use: Node's into
# node_modules, Python's into test/.venv. It needs node, npm and python3
# (3.10 or later). Done already, it does nothing.
set -eu
cd "$(dirname "$0")"

# An installation is done when the list it was made from is still the same.
done_with() { [ -e "$1" ] && cmp -s "$1" "$2"; }

if ! done_with node_modules/.installed package-lock.json; then
	npm ci --no-audit --no-fund --ignore-scripts --loglevel=error
	cp package-lock.json node_modules/.installed
fi

venv=../.venv
if ! done_with "$venv/.yamlreaders" requirements.txt; then
	[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
	"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: -r requirements.txt
	cp requirements.txt "$venv/.yamlreaders"
fi
