#!/bin/sh
# Before removing, not before upgrading (dpkg says so in words, rpm by how many stay).
set -e
case "$1" in
upgrade | 1) exit 0 ;;
esac
if [ -d /run/systemd/system ]; then
	systemctl disable --now convertd.service
fi
