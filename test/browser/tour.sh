#!/bin/sh
# Records six tasks in the editor and writes docs/tour.png, the README's picture.
set -eu
cd "$(dirname "$0")"
folder=$(mktemp -d)
(cd ../.. && go build -o "$folder/convertd" ./cmd/convertd)
"$folder/convertd" serve --listen 127.0.0.1:18580 --rate-limit 0 2>"$folder/log" &
service=$!
trap 'kill $service 2>/dev/null || true; rm -r "$folder"' EXIT
for _ in 1 2 3 4 5 6 7 8 9 10; do
	curl -fsS -o /dev/null http://127.0.0.1:18580/readyz 2>/dev/null && break
	sleep 0.3
done
node tour.mjs http://127.0.0.1:18580 ../../docs/tour.png $service
