#!/bin/sh
# pack.sh BINARY OS ARCH VERSION writes bin/convertd_VERSION_OS_ARCH.mcpb, a
# bundle that desktop clients install with one click. The packer first validates
# the manifest against its schema. Requires npm and the packer that test/channels
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
sed -e "s/\"version\": \"1.0.0\"/\"version\": \"$version\"/" \
	-e "s/\"entry_point\": \"[^\"]*\"/\"entry_point\": \"server\\/$name\"/" \
	-e "s/\"platforms\": \\[[^]]*\\]/\"platforms\": [\"$platform\"]/" \
	"$root/deploy/mcpb/manifest.json" >"$folder/manifest.json"
"$root/test/channels/node_modules/.bin/mcpb" pack "$folder" "$root/bin/convertd_${version}_${os}_${arch}.mcpb"
