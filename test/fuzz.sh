#!/bin/sh
# Runs each fuzz target for FUZZTIME (default 10m). A failing input is saved in
# the package's testdata/fuzz, so it also fails every later test run. By default,
# Go spends up to a minute on making one new input smaller, and tries no other.
set -eu
cd "$(dirname "$0")/.."
grep -rl --include='*_test.go' '^func Fuzz' internal test cmd | while read -r file; do
	sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\).*/\1/p' "$file" | while read -r target; do
		echo "$(dirname "$file") $target"
		go test -run '^$' -fuzz "^$target\$" -fuzztime "${FUZZTIME:-10m}" -fuzzminimizetime 10x "./$(dirname "$file")"
	done
done
