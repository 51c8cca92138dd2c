#!/bin/sh
# Writes internal/web/swaggerui from the npm package that package-lock.json pins.
set -eu
cd "$(dirname "$0")"
from=node_modules/swagger-ui-dist
to=../../internal/web/swaggerui
[ -d "$from" ] || { echo 'not set up: run make setup' >&2; exit 1; }
mkdir -p "$to"
for name in swagger-ui-bundle.js swagger-ui.css; do
	# The last line names a source map, which is not served.
	sed '/^\/[\/*]# sourceMappingURL=/d' "$from/$name" | gzip -9n >"$to/$name.gz"
done
cp "$from/LICENSE" "$from/NOTICE" "$from/swagger-ui-bundle.js.LICENSE.txt" "$to/"
# Write the hash that the files' URLs contain, so that the program doesn't have to
# compute it on startup.
cd "$to"
rm -f sum
LC_ALL=C sh -c "cat -- *" | sha256sum | cut -c 1-12 >../sum
mv ../sum sum
