#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs the two commands of the README in a machine that has nothing installed: a minimal root made
# by debootstrap, entered by chroot in mount and process namespaces of its own.
# Needs root, a network with a Debian mirror, and about 4 GB of disk. Not part of ctest.
#
#   tests/ci/fresh_machine.sh                    make run of a small case, from a clean root
#   tests/ci/fresh_machine.sh --test             then what CI runs
#   tests/ci/fresh_machine.sh --command 'id'     any other command, in the clone
#   options: --root DIR      where the root is laid (default /tmp/fresh_<suite>); left there
#            --suite NAME    default bookworm (noble is Ubuntu 24.04: give --mirror and --keyring)
#            --mirror URL    default: the one in this machine's apt sources
#            --keyring FILE  the keys that sign the mirror, where they are not Debian's
#            --reuse         go on in the root as an earlier run left it: packages, no new clone
# Tests the last commit (HEAD), as a user who clones gets it, not the work tree.
# With no commit yet, the work tree is taken instead, and a line says so.
set -euo pipefail

suite=bookworm root="" mirror="" keyring="" reuse=no
small_case="make run ARGS='--set run.steps=100 --set grid.cells=[32,32,32]'"
commands=()

fail() { echo "fresh_machine.sh: $*" >&2; exit 1; }
step() { echo "==== $(date +%H:%M:%S) $*"; }

while [ $# -gt 0 ]; do
  case "$1" in
    --test) commands=("$small_case" "bash .ci/run") ;;
    --command) commands+=("${2:?--command needs a command line}"); shift ;;
    --root) root="${2:?--root needs a folder}"; shift ;;
    --suite) suite="${2:?--suite needs a name}"; shift ;;
    --mirror) mirror="${2:?--mirror needs a URL}"; shift ;;
    --keyring) keyring="${2:?--keyring needs a file}"; shift ;;
    --reuse) reuse=yes ;;
    -h|--help) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0"; exit 0 ;;
    *) fail "unknown option '$1'; --help lists them" ;;
  esac
  shift
done
[ ${#commands[@]} -gt 0 ] || commands=("$small_case")
[ "$suite" = bookworm ] && name=debian12 || name="$suite"
root="${root:-/tmp/fresh_$name}"
case "$root" in /|/tmp|/home|/usr|/var|"$HOME"|[!/]*) fail "--root $root: name a new folder, by its full path" ;; esac
base="${root%/}.base.tar"
source_dir="$(cd "$(dirname "$0")/../.." && pwd)"

[ "$(id -u)" = 0 ] || fail "needs root (chroot); run it with sudo"
command -v debootstrap >/dev/null || fail "debootstrap is missing: apt-get install debootstrap"

# The first mirror that this machine's own apt uses, in either of apt's two file formats.
apt_mirror() {
  { sed -n 's/^URIs:[[:space:]]*\([^[:space:]]*\).*/\1/p' /etc/apt/sources.list.d/*.sources
    sed -n 's/^deb[[:space:]]\+\(\[[^]]*\][[:space:]]\+\)\?\([^[:space:]]\+\).*/\2/p' \
      /etc/apt/sources.list /etc/apt/sources.list.d/*.list
  } 2>/dev/null | sed 1q || true
}

# Inside, apt must reach the network the way it does here: DNS, proxy, certificates.
copy_network_config() {
  cp -L /etc/resolv.conf "$root/etc/resolv.conf"
  cp -L /etc/hosts "$root/etc/hosts"
  grep -lE '^[[:space:]]*Acquire::(http|https|Check)' /etc/apt/apt.conf.d/* 2>/dev/null |
    xargs -r cp -t "$root/etc/apt/apt.conf.d/" || true
  if [ -f /etc/ssl/certs/ca-certificates.crt ]; then
    mkdir -p "$root/etc/ssl/certs"
    cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
  fi
}

write_apt_sources() {
  local components=main
  [ "$suite" = bookworm ] || components="main universe"
  echo "deb $mirror $suite $components" >"$root/etc/apt/sources.list"
}

# The bare root is made once and kept as a tar; every run starts from that tar.
make_base() {
  step "debootstrap $suite"
  mirror="${mirror:-$(apt_mirror)}"
  [ -n "$mirror" ] || fail "no mirror in this machine's apt sources: give --mirror URL"
  rm -rf --one-file-system "$root"
  debootstrap --variant=minbase --include=make,git ${keyring:+--keyring="$keyring"} \
    "$suite" "$root" "$mirror" >"$root.debootstrap.log" 2>&1 ||
    { tail -n 5 "$root.debootstrap.log" >&2; fail "debootstrap failed, see $root.debootstrap.log"; }
  write_apt_sources
  copy_network_config
  tar -C "$root" --one-file-system -cf "$base.part" . && mv "$base.part" "$base"
}

lay_clone() {
  rm -rf --one-file-system "$root/home/user/lbm"
  mkdir -p "$root/home/user"
  if git -C "$source_dir" rev-parse -q --verify HEAD >/dev/null 2>&1; then
    git -c safe.directory='*' clone -q --no-hardlinks "$source_dir" "$root/home/user/lbm"
    step "clone of $(git -C "$source_dir" log -1 --format='%h %s')"
  else
    step "no commit yet: taking the work tree"
    mkdir -p "$root/home/user/lbm"
    tar -C "$source_dir" --exclude=.git --exclude='./build*' --exclude='./out' -cf - . |
      tar -C "$root/home/user/lbm" -xf -
  fi
}

# Mounts are made in a private namespace: they end with it, so nothing is left to unmount, and
# removing the root can never reach this machine's /dev.
in_root() {
  unshare --mount --pid --fork --propagation private bash -euc '
    mount --rbind /dev "$1/dev"
    mount -t proc proc "$1/proc"
    exec chroot "$1" /usr/bin/env -i HOME=/root TERM=dumb LC_ALL=C.UTF-8 \
      PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
      bash -euo pipefail -c "cd /home/user/lbm && $2"' fresh_machine "$root" "$1" </dev/null
}

if [ "$reuse" = no ] || [ ! -d "$root/home/user/lbm" ]; then
  if [ -f "$base" ]; then
    step "unpack $base"
    rm -rf --one-file-system "$root"
    mkdir -p "$root"
    tar -C "$root" -xf "$base"
  else
    make_base
  fi
  lay_clone
fi

for command in "${commands[@]}"; do
  step "in $root: $command"
  began=$SECONDS
  in_root "$command" || fail "failed after $((SECONDS - began)) s: $command"
  step "ok in $((SECONDS - began)) s: $command"
done
