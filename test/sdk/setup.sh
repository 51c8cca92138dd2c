#!/bin/sh
# Installs the generators of client SDKs and what their output needs: Node's
# into typescript/node_modules, Python's into .venv, Java's into java/lib. It
# needs node, npm, python3 (3.11 or later), java and mvn (17 or later). Done
# already, it does nothing.
set -eu
cd "$(dirname "$0")"

# An installation is done when the list it was made from is still the same.
done_with() { [ -e "$1" ] && cmp -s "$1" "$2"; }

if ! done_with typescript/node_modules/.installed typescript/package-lock.json; then
	(cd typescript && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error)
	cp typescript/package-lock.json typescript/node_modules/.installed
fi
if ! done_with .venv/.installed python/requirements.txt; then
	[ -x .venv/bin/python ] || python3 -m venv .venv
	.venv/bin/python -m pip install --quiet --disable-pip-version-check --only-binary :all: -r python/requirements.txt
	cp python/requirements.txt .venv/.installed
fi
if ! done_with java/lib/.installed java/pom.xml; then
	rm -rf java/lib
	mvn -q -B -f java/pom.xml dependency:copy-dependencies -DoutputDirectory=lib/client
	mvn -q -B -f java/pom.xml dependency:copy -Dartifact=org.openapitools:openapi-generator-cli:7.17.0 -DoutputDirectory=lib/generator
	cp java/pom.xml java/lib/.installed
fi
