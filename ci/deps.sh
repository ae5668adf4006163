#!/bin/sh
# Installs what is missing: Debian packages by name and the Python environment build/venv from requirements.lock.
# usage: ci/deps.sh sweep|check|check-domains      (check needs more than sweep; check-domains, also a new list of packages)
# Says what it does; without the rights to install, says the exact line to run and exits 1.
set -eu
cd "$(dirname "$0")/.."

sweep='gcc libc6-dev binutils make pkg-config libhwloc-dev libtracefs-dev libtraceevent-dev gnuplot-nox python3 python3-venv'
check='clang cppcheck shellcheck libcmocka-dev git'
# For the other instruction set and for machines with no operating system.
check="$check gcc-sparc64-linux-gnu libc6-dev-sparc64-cross qemu-user qemu-system-sparc qemu-system-x86"
check="$check grub-common grub-pc-bin xorriso mtools"
# For the OS kernels of guests, built from Linux's source (domains/cmtnoise_domain/os_source.py names those that are missing).
check="$check bc bison flex libelf-dev xz-utils"
# For what a user's own OS kernel may be compressed with (domains/cmtnoise_domain/os_image.py).
check="$check lz4 lzop zstd"
# Elsewhere it is no package of the distribution: the page's tests then want a browser installed by hand, or are skipped.
if grep -qs '^ID=debian$' /etc/os-release; then
	check="$check chromium"
fi

case "${1:-}" in
sweep) wanted=$sweep ;;
check | check-domains) wanted="$sweep $check" ;;
*)
	echo 'usage: ci/deps.sh sweep|check|check-domains' >&2
	exit 2
	;;
esac

have() {
	dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null | grep -q '^installed$'
}

may_install() {
	sudo=
	[ "$(id -u)" = 0 ] && return
	sudo=sudo
	command -v sudo >/dev/null && sudo -n true 2>/dev/null
}

install_packages() {
	if ! command -v apt-get >/dev/null; then
		echo "deps: this is no Debian or Ubuntu; install the equivalents of: $*" >&2
		exit 1
	fi
	line="apt-get install -y --no-install-recommends $*"
	if ! may_install; then
		echo "deps: packages are missing and this user may not install them. Run:" >&2
		echo "  sudo apt-get update && sudo $line" >&2
		exit 1
	fi
	echo "deps: installing Debian packages: $*"
	$sudo apt-get update -q
	# shellcheck disable=SC2086 # the words of the line are meant
	$sudo env DEBIAN_FRONTEND=noninteractive $line
}

missing=
for package in $wanted; do
	have "$package" || missing="$missing $package"
done
# shellcheck disable=SC2086
[ -z "$missing" ] || install_packages $missing

# The launcher fetches the guests' OS kernels and tells which cannot be fetched, so nothing ends here. An old list of packages names
# versions that Debian has dropped.
renew_list() {
	absent=
	packages=$(awk -F'"' '/^(package|source) = / { print $2 }' domains/profiles/*.toml | sort -u)
	for package in $packages; do
		[ -e "build/domains/os/$package/version" ] || absent="$absent $package"
	done
	if [ -n "$absent" ] && may_install; then
		echo "deps: renewing the list of packages, for$absent"
		$sudo apt-get update -q || echo 'deps: the list of packages could not be renewed: is the network there?' >&2
	fi
}

[ "$1" != check-domains ] || renew_list

stamp=build/venv/requirements.lock
if ! cmp -s requirements.lock "$stamp"; then
	echo "deps: making the Python environment build/venv from requirements.lock"
	rm -rf build/venv
	mkdir -p build
	python3 -m venv build/venv
	build/venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	cp requirements.lock "$stamp"
fi
echo "deps: everything for 'make $1' is there"
