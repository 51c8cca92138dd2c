#!/bin/sh
# Installs what the browser tests need: Debian's Chromium and Firefox, unless
# they are there,
# and the packages that drive it and judge its pages.
set -eu
cd "$(dirname "$0")"
for package in chromium firefox-esr; do
	command -v $package >/dev/null && continue
	apt-get update -qq
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $package >/dev/null
done
[ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --no-audit --no-fund --silent
