#!/bin/sh
# run.sh LANGUAGE README BASE_URL LIMITED_URL generates a client with the
# README's command. It compiles or strictly type-checks the client together with
# the README's code and the shared scenario, and runs all three. README is a
# folder that contains the command (generate.sh) and the code, once unchanged
# ("readme") and once with an invalid input ("refused"). LIMITED_URL is a service
# with a low rate limit. Generated code is written to out/.
set -eu
cd "$(dirname "$0")"
here=$PWD
language=$1
export BASE_URL=$3 LIMITED_URL=$4
out=$here/out/$language
rm -rf "$out"
mkdir -p "$out"
cp "$2"/* "$out/"

# readme runs the README's code. It must print the result that the README
# describes and, for the invalid input, the position of the error.
readme() { # COMMAND, and the prefix and suffix of "readme" and "refused"
	"$1" "$2readme$3" >readme.out
	[ "$(cat readme.out)" = 'a: "no"' ] || { echo "the README's code printed: $(cat readme.out)"; exit 1; }
	"$1" "$2refused$3" >refused.out 2>&1 || true
	grep -q '(line 1, column 8)' refused.out || { echo "the README's code printed for a rejected input: $(cat refused.out)"; exit 1; }
}

typescript() { # SCENARIO
	cp typescript/package.json typescript/tsconfig.json typescript/expect.ts "typescript/$1.ts" "$out/"
	ln -s "$here/typescript/node_modules" "$out/node_modules"
	cd "$out"
	npm_config_offline=true sh ./generate.sh
	node_modules/.bin/tsc -p .
	readme node build/ .js
	node "build/$1.js"
}

rust() { # reuses the build of setup.sh; warnings in our code are errors
	cp -R "$here/$language/Cargo.toml" "$here/$language/Cargo.lock" "$here/$language/src" .
	mv readme.rs refused.rs src/bin/
	export CARGO_TARGET_DIR=$here/$language/target
	cargo build --quiet --offline --locked --bins
	readme run_rust '' ''
	run_rust scenario
}

csharp() { # to compile
	mcs -langversion:7.2 -warnaserror -lib:/usr/lib/cli/Newtonsoft.Json-5.0 -r:Newtonsoft.Json.dll -r:System.Net.Http.dll -r:System.Web.dll \
		-r:System.ComponentModel.DataAnnotations.dll -r:System.Runtime.Serialization.dll "$@"
}

run_rust() { "$CARGO_TARGET_DIR/debug/$1"; }
run_kotlin() { java -cp "classes:$here/kotlin/lib/client/*" "$1"; }
run_java() { java -cp "classes:$here/java/lib/client/*" "$1"; }

case $language in
typescript-fetch) typescript fetch ;;
typescript-hey) typescript hey ;;
typescript-orval) typescript orval ;;
python)
	cd "$out"
	PATH=$here/.venv/bin:$PATH
	{ cat generate.sh; echo ' --fail-on-warning'; } | tr -d '\n' >strict.sh
	sh ./strict.sh
	cp "$here/python/scenario.py" .
	mypy --config-file "$here/python/mypy.ini" scenario.py readme.py client
	readme python '' .py
	python scenario.py
	;;
java)
	cd "$out"
	PATH=$here/java:$PATH
	sh ./generate.sh >generate.log 2>&1 || { cat generate.log; exit 1; }
	find client/src/main/java "$here/java/Scenario.java" ./*.java -name '*.java' >sources
	# serial: the generator's own Jackson helpers have no serialVersionUID.
	javac -Xlint:all,-processing,-serial -Werror -proc:none -encoding UTF-8 -cp "$here/java/lib/client/*" -d classes @sources
	readme run_java '' ''
	run_java Scenario
	;;
kotlin)
	cd "$out"
	PATH=$here/java:$PATH
	sh ./generate.sh >generate.log 2>&1 || { cat generate.log; exit 1; }
	# The generator's own ApiClient compares a value with null that is never null.
	java -cp "$here/kotlin/lib/compiler/*:$here/kotlin/lib/client/*" org.jetbrains.kotlin.cli.jvm.K2JVMCompiler \
		-Werror -Xwarning-level=SENSELESS_COMPARISON:disabled -jvm-target 17 -no-stdlib -no-reflect \
		-cp "$(echo "$here"/kotlin/lib/client/*.jar | tr ' ' ':')" -d classes \
		client/src/main/kotlin "$here/kotlin/Scenario.kt" readme.kt refused.kt
	readme run_kotlin '' .Main
	run_kotlin ScenarioKt
	;;
csharp)
	cd "$out"
	PATH=$here/java:$PATH
	sed '$ s/$/ --additional-properties=targetFramework=net48/' generate.sh >mono.sh
	sh ./mono.sh >generate.log 2>&1 || { cat generate.log; exit 1; }
	# The generator's ApiClient sets a variable that it doesn't use (219). A class
	# in StandIn.cs replaces a library's class (436).
	csharp -nowarn:219,436 -target:library -out:client.dll "$here/csharp/StandIn.cs" -recurse:'client/src/Convertd.Client/*.cs'
	for program in "$here/csharp/Scenario.cs" readme.cs refused.cs; do
		csharp -r:client.dll -out:"$(basename "$program" .cs).exe" "$program"
	done
	readme mono '' .exe
	mono Scenario.exe
	;;
rust)
	cd "$out"
	PATH=$here/java:$PATH
	sh ./generate.sh >generate.log 2>&1 || { cat generate.log; exit 1; }
	rust
	;;
progenitor)
	cd "$out"
	sh ./generate.sh
	rust
	;;
*) echo "no such language: $language" >&2; exit 2 ;;
esac
