#!/bin/sh
# Installs Wine and the compiler for the library that Wine lacks, and makes bin/wine, the
# Wine prefix of these tests.
set -eu
cd "$(dirname "$0")"
. ../setup.sh
debian wine x86_64-w64-mingw32-gcc=gcc-mingw-w64-x86-64

prefix=$(cd ../.. && pwd)/bin/wine
library=$prefix/drive_c/windows/system32/bcryptprimitives.dll
if ! [ "$library" -nt wine/bcryptprimitives.c ]; then
	# make_prefix waits until Wine has written its registry.
	make_prefix() {
		export WINEPREFIX="$prefix" WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml='
		mkdir -p "$prefix"
		env -u DISPLAY wineboot --init
		wineserver --wait
	}
	quietly 'Wine prefix' make_prefix
	quietly 'bcryptprimitives.dll' x86_64-w64-mingw32-gcc -shared -O2 -o "$library" wine/bcryptprimitives.c -ladvapi32
fi

# Wine 8 reports that it does not implement the deletion that os.RemoveAll tries first. In tests,
# Go's fallback for older versions of Windows applies to that status, too.
require go 'install Go, https://go.dev/doc/install'
source=$(go env GOROOT)/src/internal/syscall/windows/at_windows.go
sed 's/^\tcase STATUS_INVALID_INFO_CLASS,/\tcase NTStatus(0xC0000002), STATUS_INVALID_INFO_CLASS,/' "$source" >"$prefix/at_windows.overlay"
echo "{\"Replace\":{\"$source\":\"$prefix/at_windows.overlay\"}}" >"$prefix/overlay.json"
