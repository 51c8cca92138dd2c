#!/bin/sh
# Runs a Windows program under Wine, without a display: go test -exec test/windows/wine/exec.sh.
# CONVERTD_WINE lets tests skip what Wine lacks.
prefix=$(cd "$(dirname "$0")/../../.." && pwd)/bin/wine
# Wine's own processes, which the first program starts, inherit its output and outlive it. With a
# pipe, go test would wait for them.
output=$(mktemp)
code=0
env -u DISPLAY WINEPREFIX="$prefix" WINEDEBUG=-all CONVERTD_WINE=1 wine "$@" </dev/null >"$output" 2>&1 || code=$?
cat "$output"
rm "$output"
exit $code
