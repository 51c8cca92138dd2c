#!/bin/sh
# Runs after removal. dpkg passes "remove", or "purge" if it also removes the
# settings. rpm passes the number of versions that remain installed.
set -e
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
fi
case "$1" in
purge | 0)
	if getent passwd convertd >/dev/null; then
		userdel convertd
	fi
	if getent group convertd >/dev/null; then
		groupdel convertd
	fi
	;;
esac
