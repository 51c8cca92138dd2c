#!/bin/sh
# Runs after an installation or upgrade. Creates the user and restarts the
# service if it is running. Doesn't start the service otherwise, because most
# users install convertd for the command.
set -e
if command -v systemd-sysusers >/dev/null; then
	systemd-sysusers /usr/lib/sysusers.d/convertd.conf
elif ! getent passwd convertd >/dev/null; then
	useradd --system --user-group --no-create-home --shell /usr/sbin/nologin convertd
fi
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
	systemctl try-restart convertd.service
fi
