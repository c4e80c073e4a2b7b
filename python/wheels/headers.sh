#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Headers of the Python versions that a wheel serves: 3.10, 3.11, and 3.13 for the stable interface of 3.12 and later.
#
#   python/wheels/headers.sh DIR [aarch64]     DIR/3.10, DIR/3.11, DIR/3.13
#
# From the development packages of Ubuntu 22.04, Debian 12 and Debian 13, which are unpacked, not installed.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2; }
mkdir -p "$1"
to=$(cd "$1" && pwd) machine=${2:-x86_64}
case $machine in
  x86_64) architecture=amd64 ;;
  aarch64) architecture=arm64 ;;
esac

# fetch SUITE MIRROR KEYRING PACKAGE: unpacked in $to/work/PACKAGE
fetch() {
  local work=$to/work/$4
  rm -rf "$work" && mkdir -p "$work/lists/partial" "$work/archives/partial"
  echo "deb [arch=$architecture signed-by=$3] $2 $1 main" >"$work/sources.list"
  local apt=(apt-get -qq -o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=/dev/null -o "APT::Architecture=$architecture"
    -o "APT::Architectures=$architecture" -o "Dir::State::lists=$work/lists" -o "Dir::Cache::archives=$work/archives" -o Dir::Cache::pkgcache=
    -o Dir::Cache::srcpkgcache= -o Dir::State::status=/dev/null -o Acquire::Languages=none -o APT::Sandbox::User=root)
  "${apt[@]}" update
  (cd "$work" && "${apt[@]}" download "$4" && dpkg-deb -x "$4"_*.deb .)
}

# headers VERSION SUITE MIRROR KEYRING
headers() {
  local version=$1 work=$to/work/libpython$1-dev
  [ ! -e "$to/$version/Python.h" ] || return 0
  fetch "$2" "$3" "$4" "libpython$version-dev"
  mkdir -p "$to/$version"
  cp -r "$work/usr/include/python$version/." "$to/$version/"
  # pyconfig.h of the machine lies apart.
  cp "$work/usr/include/$machine-linux-gnu/python$version/pyconfig.h" "$to/$version/"
}

debian=/usr/share/keyrings/debian-archive-keyring.gpg mirror=http://deb.debian.org/debian
headers 3.11 bookworm "$mirror" "$debian"
headers 3.13 trixie "$mirror" "$debian"
if [ ! -e "$to/3.10/Python.h" ]; then
  fetch trixie "$mirror" "$debian" ubuntu-keyring  # Debian 12 has no package of these keys
  # Those of x86-64 in all cases: what headers read of pyconfig.h is the same on both (64-bit Linux, little-endian).
  architecture=amd64 machine=x86_64
  headers 3.10 jammy http://archive.ubuntu.com/ubuntu "$to/work/ubuntu-keyring/usr/share/keyrings/ubuntu-archive-keyring.gpg"
fi
rm -rf "$to/work"
