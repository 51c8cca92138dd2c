#!/bin/sh
# Generates a client, compiles it and sends one pipeline: run.sh NAME BASE_URL TOKEN.
# Generated code is written to ../out.
set -eu
cd "$(dirname "$0")"
here=$PWD
name=$1
export BASE_URL=$2 TOKEN=$3
document=$BASE_URL/v1/openapi.yaml
out=$here/../out/pipeline-$name
rm -rf "$out"
mkdir -p "$out"

# openapi_generator GENERATOR ARGUMENT... and swagger_codegen LANGUAGE ARGUMENT...
# write to the folder client.
openapi_generator() { quietly java -jar "$here"/lib/generator/openapi-generator-cli-*.jar generate -i "$document" -o client -g "$@"; }
swagger_codegen() { quietly java -jar "$here"/lib/generator/swagger-codegen-cli-*.jar generate -i "$document" -o client -l "$@"; }
quietly() { "$@" >generate.log 2>&1 || { cat generate.log; exit 1; }; }

typescript() { # PROGRAM
	cp "$here/$1.ts" pipeline.ts
	cp "$here/environment.ts" "$here/../typescript/package.json" .
	ln -s "$here/../typescript/node_modules" node_modules
	node_modules/.bin/tsc --target es2022 --module esnext --moduleResolution bundler --strict --types node --outDir build pipeline.ts environment.ts
	node --experimental-specifier-resolution=node build/pipeline.js
}

cd "$out"
case $name in
typescript-fetch)
	openapi_generator typescript-fetch --additional-properties=importFileExtension=.js
	typescript fetch
	;;
typescript-axios)
	openapi_generator typescript-axios --additional-properties=importFileExtension=.js
	typescript axios
	;;
swagger-typescript-api)
	quietly "$here/../typescript/node_modules/.bin/swagger-typescript-api" generate -p "$document" -o client
	typescript swagger
	;;
go)
	openapi_generator go --additional-properties=packageName=client,enumClassPrefix=true,withGoMod=false
	rm -rf client/test
	cp "$here/main.go" .
	printf 'module example.com/pipeline\n\ngo 1.24\n' >go.mod
	quietly env GOFLAGS= go get gopkg.in/validator.v2@v2.0.1
	go vet main.go
	go run main.go
	;;
python)
	openapi_generator python --package-name client
	cp "$here/pipeline.py" .
	PYTHONPATH=client ../../.venv/bin/python -W error::SyntaxWarning pipeline.py
	;;
php)
	openapi_generator php
	php -d error_reporting=-1 "$here/pipeline.php"
	;;
ruby)
	openapi_generator ruby
	ruby "$here/pipeline.rb"
	;;
swagger-codegen-java)
	swagger_codegen java --model-package convertd.model --api-package convertd.api --invoker-package convertd
	find client/src/main/java "$here/Pipeline.java" -name '*.java' >sources
	javac -proc:none -nowarn -encoding UTF-8 -cp "$here/lib/client/*" -d classes @sources
	java -cp "classes:$here/lib/client/*" Pipeline
	;;
*) echo "no such client: $name" >&2; exit 2 ;;
esac
