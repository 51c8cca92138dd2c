#!/bin/sh
# Runs a Windows program under Wine, without a display: go test -exec test/windows/wine/exec.sh.
# CONVERTD_WINE lets tests skip what Wine lacks.
prefix=$(cd "$(dirname "$0")/../../.." && pwd)/bin/wine
exec env -u DISPLAY WINEPREFIX="$prefix" WINEDEBUG=-all CONVERTD_WINE=1 wine "$@"
