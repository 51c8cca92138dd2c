#!/bin/sh
# pack.sh BINARY OS ARCH VERSION writes bin/convertd_VERSION_OS_ARCH.mcpb, a
# bundle that desktop clients install with one click. The manifest's tools come from
# the OpenAPI document. The packer first validates the manifest against its schema. Requires npm and the packer that test/channels
# pins.
set -eu
binary=$1 os=$2 arch=$3 version=$4
root=$(cd "$(dirname "$0")/../.." && pwd)
"$root/test/channels/setup.sh" mcpb >&2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/server" "$root/bin" 2>/dev/null || mkdir -p "$folder/server"
case $os in
windows) platform=win32 name=convertd.exe ;;
*) platform=$os name=convertd ;;
esac
cp "$binary" "$folder/server/$name"
cp "$root/LICENSE" "$folder"
node - "$version" "server/$name" "$platform" "$root" >"$folder/manifest.json" <<'END'
const [version, entry, platform, root] = process.argv.slice(2);
const manifest = require(`${root}/deploy/mcpb/manifest.json`);
const { paths } = require(`${root}/gen/document/openapi.json`);
manifest.version = version;
manifest.server.entry_point = entry;
manifest.compatibility.platforms = [platform];
manifest.tools = Object.values(paths).flatMap(({ post }) => post ? [{ name: post.operationId, description: post.summary }] : []);
console.log(JSON.stringify(manifest, null, 2));
END
"$root/test/channels/node_modules/.bin/mcpb" pack "$folder" "$root/bin/convertd_${version}_${os}_${arch}.mcpb"
