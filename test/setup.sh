# Functions for the setup.sh scripts, which source this file from their own
# folders. Each function prints one line if it installs something, and nothing
# otherwise. An installer's own output is printed only if it fails.

folder=test/${PWD##*/test/}
PATH=$PATH:/usr/sbin:/sbin

# quietly NAME COMMAND... prints the name and runs the command.
quietly() {
	echo "setup: $1"
	shift
	log=$(mktemp)
	if ! "$@" >"$log" 2>&1; then
		cat "$log" >&2
		rm "$log"
		echo "$folder/setup.sh: failed: $*" >&2
		exit 1
	fi
	rm "$log"
}

# require COMMAND HOW... fails if COMMAND is missing and prints HOW to install it.
require() {
	command -v "$1" >/dev/null && return
	command=$1
	shift
	echo "$folder needs $command, which is not installed: $*" >&2
	exit 1
}

# debian COMMAND[=PACKAGE]... installs the Debian packages whose commands are
# missing. Without root and sudo, it prints the installation command.
debian() {
	packages=
	for pair; do
		command -v "${pair%%=*}" >/dev/null || packages="$packages ${pair#*=}"
	done
	[ -n "$packages" ] || return 0
	install="apt-get install -y --no-install-recommends$packages"
	sudo=
	if ! command -v apt-get >/dev/null; then
		echo "$folder needs the programs of these Debian packages; install them with your package manager:$packages" >&2
		exit 1
	elif [ "$(id -u)" != 0 ]; then
		sudo='sudo -n'
		if ! $sudo true 2>/dev/null; then
			echo "$folder needs Debian packages that only root can install: sudo $install" >&2
			exit 1
		fi
	fi
	quietly "Debian packages:$packages" apt_install
}

# apt_install runs $install, one folder at a time, since apt-get fails while
# another one runs. It updates the package lists only if they lack the packages.
# Run level 1 prevents a package from starting its service.
apt_install() {
	run="$sudo env RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive"
	(
		flock 9
		$run $install || { $sudo apt-get update && $run $install; }
	) 9>"${TMPDIR:-/tmp}/convertd-apt-$(id -u).lock"
}

# npm_packages [FOLDER] installs the packages in package-lock.json without running
# their install scripts.
npm_packages() {
	(
		cd "${1:-.}"
		! cmp -s node_modules/.installed package-lock.json || exit 0
		require npm 'install Node.js 20 or later, https://nodejs.org/en/download'
		quietly "npm packages of $folder${1:+/$1}" npm ci --ignore-scripts --no-audit --no-fund
		cp package-lock.json node_modules/.installed
	)
}

# python_packages VENV REQUIREMENTS installs the packages in a requirements file
# into a virtual environment.
python_packages() {
	! cmp -s "$1/.installed" "$2" || return 0
	require python3 'install Python 3.11 or later, https://www.python.org/downloads/'
	[ -x "$1/bin/python" ] || quietly "Python environment of $folder" python3 -m venv "$1"
	quietly "Python packages of $folder" "$1/bin/python" -m pip install --disable-pip-version-check --only-binary :all: -r "$2"
	cp "$2" "$1/.installed"
}

# go_tools LIST builds the Go programs in a list, one path@version per line, into
# bin.
go_tools() {
	[ "$(cat bin/.installed 2>/dev/null)" != "$1" ] || return 0
	for tool in $1; do
		quietly "$tool" env GOFLAGS= GOBIN="$PWD/bin" go install "$tool"
	done
	echo "$1" >bin/.installed
}
