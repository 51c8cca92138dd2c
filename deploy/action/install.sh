#!/usr/bin/env bash
# Adds convertd to the PATH of the following steps. It installs the release
# VERSION, or the release that the action is pinned to (REF). If REF is not a
# release, it builds convertd from the action's source. It verifies a release
# against its checksums and, if cosign is installed, the checksums against the
# release workflow's signature.
set -euo pipefail
bin=${RUNNER_TEMP:?}/convertd
mkdir -p "$bin"
version=${VERSION:-}
if [[ -z $version && ${REF:-} =~ ^v([0-9]+\.[0-9]+\.[0-9]+)$ ]]; then
	version=${BASH_REMATCH[1]}
fi
if [[ -z $version ]]; then
	(cd "$ACTION" && CGO_ENABLED=0 go build -trimpath -o "$bin/" ./cmd/convertd)
else
	[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+[-.0-9A-Za-z]*$ ]] || { echo "::error::version is a release such as 1.0.0"; exit 2; }
	case ${RUNNER_OS:?} in
	Windows) os=windows suffix=zip ;;
	macOS) os=darwin suffix=tar.gz ;;
	*) os=linux suffix=tar.gz ;;
	esac
	case ${RUNNER_ARCH:?} in ARM64) arch=arm64 ;; *) arch=amd64 ;; esac
	archive=convertd_${version}_${os}_${arch}.$suffix
	releases=${CONVERTD_RELEASES:-https://github.com/convertd/convertd/releases/download}
	cd "$bin"
	files=("$archive" checksums.txt)
	! command -v cosign >/dev/null || files+=(checksums.txt.sigstore.json)
	for file in "${files[@]}"; do
		curl --fail --silent --show-error --location --retry 3 --output "$file" "$releases/v$version/$file"
	done
	if command -v cosign >/dev/null; then
		cosign verify-blob --bundle checksums.txt.sigstore.json \
			--certificate-oidc-issuer https://token.actions.githubusercontent.com \
			--certificate-identity "https://github.com/convertd/convertd/.github/workflows/release.yml@refs/tags/v$version" checksums.txt
	else
		echo 'cosign is not installed: only the checksum is verified'
	fi
	# macOS lacks sha256sum; some Linux systems lack shasum.
	sum=$(command -v sha256sum || echo shasum -a 256)
	grep "  $archive\$" checksums.txt | $sum --check
	case $suffix in
	zip) unzip -q -o "$archive" convertd.exe ;;
	*) tar -xzf "$archive" convertd ;;
	esac
fi
echo "$bin" >>"${GITHUB_PATH:?}"
