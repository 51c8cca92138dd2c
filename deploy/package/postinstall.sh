#!/bin/sh
# After installing or upgrading: the user is there, and a service that runs is
# the new one. It is not started on its own: most who install a converter want
# the command.
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
