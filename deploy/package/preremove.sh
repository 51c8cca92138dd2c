#!/bin/sh
# Acts before a removal but not before an upgrade. dpkg passes a word, rpm the
# number of versions that remain installed.
set -e
case "$1" in
upgrade | 1) exit 0 ;;
esac
if [ -d /run/systemd/system ]; then
	systemctl disable --now convertd.service
fi
