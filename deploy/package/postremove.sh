#!/bin/sh
# After removing: dpkg calls it with remove, and with purge when the settings
# go, too; rpm with how many stay.
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
