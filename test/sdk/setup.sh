#!/bin/sh
# Installs the generators of client SDKs and what their output needs: Node's
# into typescript/node_modules, Python's into .venv, Java's into java/lib,
# Kotlin's with its compiler into kotlin/lib, Rust's compiled into rust/target
# and progenitor/target; and Debian's Mono, which is C#'s compiler here.
# It needs node, npm, python3 (3.11 or later), java and mvn (17 or later) and
# cargo (1.85 or later). Done already, it does nothing.
set -eu
cd "$(dirname "$0")"

if ! command -v mcs >/dev/null || [ ! -d /usr/lib/cli/Newtonsoft.Json-5.0 ]; then
	[ "$(id -u)" = 0 ] && sudo= || sudo=sudo
	$sudo apt-get update -qq
	$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends mono-mcs mono-runtime \
		libnewtonsoft-json5.0-cil libmono-system-net-http4.0-cil libmono-system-web4.0-cil \
		libmono-system-componentmodel-dataannotations4.0-cil libmono-system-runtime-serialization4.0-cil
fi

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
if ! done_with kotlin/lib/.installed kotlin/pom.xml; then
	rm -rf kotlin/lib
	mvn -q -B -f kotlin/pom.xml dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory=lib/client
	mvn -q -B -f kotlin/pom.xml dependency:copy-dependencies -DincludeScope=provided -DoutputDirectory=lib/compiler
	cp kotlin/pom.xml kotlin/lib/.installed
fi
if ! done_with rust/target/.installed rust/Cargo.lock; then
	java/openapi-generator-cli generate -g rust -i ../../openapi/openapi.yaml -o rust/client \
		--package-name convertd_client --additional-properties=supportMiddleware=true >/dev/null
	(cd rust && cargo build --quiet --locked --bins)
	cp rust/Cargo.lock rust/target/.installed
fi
if ! done_with progenitor/target/.installed progenitor/Cargo.lock; then
	cp ../../gen/document/openapi.json progenitor/
	(cd progenitor && cargo build --quiet --locked --bins)
	cp progenitor/Cargo.lock progenitor/target/.installed
fi
