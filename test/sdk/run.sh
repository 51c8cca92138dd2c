#!/bin/sh
# Generates one client from the description at BASE_URL, compiles or
# type-checks it strictly, and runs the shared scenario: run.sh LANGUAGE
# BASE_URL LIMITED_URL, where LIMITED_URL is a service with a low rate limit.
# All that is generated goes below out/.
set -eu
cd "$(dirname "$0")"
here=$PWD
language=$1
export BASE_URL=$2 LIMITED_URL=$3
out=$here/out/$language
rm -rf "$out"
mkdir -p "$out"
curl -fsS "$BASE_URL/v1/openapi.yaml" -o "$out/openapi.yaml"

typescript() { # the scenario's name
	cp typescript/package.json typescript/tsconfig.json typescript/expect.ts "typescript/$1.ts" "$out/"
	ln -s "$here/typescript/node_modules" "$out/node_modules"
	cd "$out"
	case $1 in
	fetch) node_modules/.bin/openapi-typescript openapi.yaml -o generated/fetch/schema.ts ;;
	hey) node_modules/.bin/openapi-ts -f "$here/typescript/openapi-ts.config.ts" ;;
	esac
	node_modules/.bin/tsc -p .
	node "build/$1.js"
}

case $language in
typescript-fetch) typescript fetch ;;
typescript-hey) typescript hey ;;
python)
	cd "$out"
	PATH=$here/.venv/bin:$PATH
	openapi-python-client generate --path openapi.yaml --output-path client --meta none --fail-on-warning
	cp "$here/python/scenario.py" .
	mypy --config-file "$here/python/mypy.ini" scenario.py client
	python scenario.py
	;;
java)
	java -jar java/lib/generator/openapi-generator-cli-*.jar generate -g java -i "$out/openapi.yaml" -o "$out/client" \
		--global-property=apiTests=false,modelTests=false,apiDocs=false,modelDocs=false \
		--additional-properties=library=native,useJakartaEe=true,openApiNullable=false,hideGenerationTimestamp=true,invokerPackage=convertd.client,apiPackage=convertd.client.api,modelPackage=convertd.client.model \
		>"$out/generate.log" 2>&1 || { cat "$out/generate.log"; exit 1; }
	find "$out/client/src/main/java" java/Scenario.java -name '*.java' >"$out/sources"
	# serial: the generator's own Jackson helpers have no serialVersionUID.
	javac -Xlint:all,-processing,-serial -Werror -proc:none -encoding UTF-8 -cp "java/lib/client/*" -d "$out/classes" "@$out/sources"
	java -cp "$out/classes:java/lib/client/*" Scenario
	;;
*) echo "no such language: $language" >&2; exit 2 ;;
esac
