#!/bin/sh
# Installs what the browser tests need: Debian's Chromium, unless there is one,
# and the packages that drive it and judge its pages.
set -eu
cd "$(dirname "$0")"
if ! command -v chromium >/dev/null; then
	apt-get update -qq
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null
fi
[ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --no-audit --no-fund --silent
