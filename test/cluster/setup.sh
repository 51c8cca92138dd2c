#!/bin/sh
# Installs the Debian packages of the tests with replicas, where they are
# missing. The tests start their own processes; the packages' services are not
# wanted, so none is started.
set -eu
missing=
command -v redis-server >/dev/null || missing="$missing redis-server"
PATH=$PATH:/usr/sbin:/sbin
command -v haproxy >/dev/null || missing="$missing haproxy"
command -v nginx >/dev/null || missing="$missing nginx-light"
[ -z "$missing" ] && exit 0
[ "$(id -u)" = 0 ] && sudo= || sudo=sudo
$sudo apt-get update -qq
$sudo env RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
