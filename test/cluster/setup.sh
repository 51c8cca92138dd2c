#!/bin/sh
# Installs Redis and the proxies that run in front of the replicas. The tests
# start their own processes.
set -eu
cd "$(dirname "$0")"
. ../setup.sh
debian redis-server haproxy nginx=nginx-light
