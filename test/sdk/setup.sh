#!/bin/sh
# Installs the client generators, and the compilers and libraries that their
# output needs. "setup.sh first" installs only those that make test needs, for
# TypeScript.
set -eu
cd "$(dirname "$0")"
. ../setup.sh
npm_packages typescript
[ "${1:-}" != first ] || exit 0

python_packages .venv python/requirements.txt
require java 'install a JDK 17 or later (Debian: default-jdk-headless)'
require mvn 'install Apache Maven (Debian: maven)'
require cargo 'install Rust 1.85 or later, https://rustup.rs'
if [ ! -d /usr/lib/cli/Newtonsoft.Json-5.0 ]; then
	debian mcs=mono-mcs mono=mono-runtime newtonsoft=libnewtonsoft-json5.0-cil http=libmono-system-net-http4.0-cil \
		web=libmono-system-web4.0-cil annotations=libmono-system-componentmodel-dataannotations4.0-cil \
		serialization=libmono-system-runtime-serialization4.0-cil
fi

debian php=php-cli ruby
[ -d /usr/share/php/GuzzleHttp ] || debian guzzle=php-guzzlehttp-guzzle mbstring=php-mbstring
[ -d /usr/share/doc/ruby-typhoeus ] || debian typhoeus=ruby-typhoeus

# maven LANGUAGE ARGUMENT... runs Maven in the language's folder.
maven() { mvn -q -B -f "$@"; }

if ! cmp -s java/lib/.installed java/pom.xml; then
	rm -rf java/lib
	quietly 'Java libraries' maven java/pom.xml dependency:copy-dependencies -DoutputDirectory=lib/client
	quietly 'OpenAPI Generator' maven java/pom.xml dependency:copy -Dartifact=org.openapitools:openapi-generator-cli:7.17.0 -DoutputDirectory=lib/generator
	cp java/pom.xml java/lib/.installed
fi
if ! cmp -s pipeline/lib/.installed pipeline/pom.xml; then
	rm -rf pipeline/lib
	quietly 'OpenAPI Generator 7.25' maven pipeline/pom.xml dependency:copy -Dartifact=org.openapitools:openapi-generator-cli:7.25.0 -DoutputDirectory=lib/generator
	quietly 'Java libraries of swagger-codegen' maven pipeline/pom.xml dependency:copy-dependencies -DoutputDirectory=lib/client
	quietly 'swagger-codegen' maven pipeline/pom.xml dependency:copy -Dartifact=io.swagger.codegen.v3:swagger-codegen-cli:3.0.61 -DoutputDirectory=lib/generator
	cp pipeline/pom.xml pipeline/lib/.installed
fi
if ! cmp -s kotlin/lib/.installed kotlin/pom.xml; then
	rm -rf kotlin/lib
	quietly 'Kotlin libraries' maven kotlin/pom.xml dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory=lib/client
	quietly 'Kotlin compiler' maven kotlin/pom.xml dependency:copy-dependencies -DincludeScope=provided -DoutputDirectory=lib/compiler
	cp kotlin/pom.xml kotlin/lib/.installed
fi
if ! cmp -s rust/target/.installed rust/Cargo.lock; then
	quietly 'Rust client of OpenAPI Generator' java/openapi-generator-cli generate -g rust -i ../../openapi/openapi.yaml -o rust/client \
		--package-name convertd_client --additional-properties=supportMiddleware=true
	quietly 'Rust crates of OpenAPI Generator' cargo build --manifest-path rust/Cargo.toml --locked --bins
	cp rust/Cargo.lock rust/target/.installed
fi
if [ "${CONVERTD_ALL:-}" ] && ! cmp -s progenitor/target/.installed progenitor/Cargo.lock; then
	cp ../../gen/document/openapi.json progenitor/
	quietly 'Rust crates of progenitor' cargo build --manifest-path progenitor/Cargo.toml --locked --bins
	cp progenitor/Cargo.lock progenitor/target/.installed
fi
