#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Tries a wheel as a new user would, in bare systems with Python and nothing else:
#
#   tests/release/wheel_test.sh WHEEL [SYSTEM...]    SYSTEM: debian12, ubuntu2404, debian11, ubuntu1804
#
# In each: pip installs the wheel with what it needs for pictures, `lbm` runs a cavity, Python draws it. Prints the
# seconds that took. debian11 has glibc 2.31 and only Python 3.9: the program is taken out of the wheel and run alone.
# ubuntu1804 has glibc 2.27: pip must refuse the wheel. Roots are made once by mmdebstrap in
# LBM_ROOTS (/var/tmp/lbm-roots); apt brings the C++ library, which NumPy wants. Needs root, mmdebstrap, and a network with mirrors of Debian, Ubuntu and PyPI.
# Exit code 1 where something fails or takes more than LBM_WHEEL_SECONDS (60).
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2; }
wheel=$(realpath "$1")
shift
roots=${LBM_ROOTS:-/var/tmp/lbm-roots} most=${LBM_WHEEL_SECONDS:-60} failed=0
systems=("$@")
[ ${#systems[@]} -gt 0 ] || systems=(debian12 ubuntu2404 debian11 ubuntu1804)
mkdir -p "$roots"

# The keys of Ubuntu's mirror are a package of Debian 13 and later.
ubuntu_keys() {
  local to=$roots/keys
  if [ ! -e "$to/ubuntu.gpg" ]; then
    mkdir -p "$to/lists/partial" "$to/archives/partial"
    echo "deb http://deb.debian.org/debian trixie main" >"$to/sources.list"
    local apt=(apt-get -qq -o "Dir::Etc::sourcelist=$to/sources.list" -o Dir::Etc::sourceparts=/dev/null -o "Dir::State::lists=$to/lists"
      -o "Dir::Cache::archives=$to/archives" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=root)
    "${apt[@]}" update
    (cd "$to" && "${apt[@]}" download ubuntu-keyring && dpkg-deb -x ubuntu-keyring_*.deb .)
    cp "$to/usr/share/keyrings/ubuntu-archive-keyring.gpg" "$to/ubuntu.gpg"
  fi
  echo "$to/ubuntu.gpg"
}

make_root() {
  local system=$1 suite mirror=http://archive.ubuntu.com/ubuntu options=()
  [ ! -e "$roots/$system/.whole" ] || return 0
  case $system in
    debian12) suite=bookworm mirror=http://deb.debian.org/debian ;;
    debian11) suite=bullseye mirror=http://deb.debian.org/debian ;;
    ubuntu2404) suite=noble ;;
    ubuntu1804) suite=bionic ;;
    *) echo "unknown system $system" >&2; return 1 ;;
  esac
  case $system in ubuntu*) options=(--components=main,universe "--keyring=$(ubuntu_keys)") ;; esac
  rm -rf --one-file-system "${roots:?}/$system"
  mmdebstrap --quiet --variant=minbase --include=apt,python3,python3-venv,ca-certificates "${options[@]}" "$suite" "$roots/$system" "$mirror"
  touch "$roots/$system/.whole"
}

# in_root SYSTEM COMMANDS: as root of that system, with the network of this one.
in_root() {
  local root=$roots/$1
  cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
  cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
  rm -rf --one-file-system "${root:?}/try" && mkdir "$root/try" && cp "$wheel" "$root/try/"
  local settings=()
  for name in http_proxy https_proxy HTTP_PROXY HTTPS_PROXY PIP_INDEX_URL PIP_EXTRA_INDEX_URL; do
    [ -z "${!name:-}" ] || settings+=("$name=${!name}")
  done
  unshare --mount --pid --fork --propagation private bash -euc '
    mount --rbind /dev "$1/dev"
    mount -t proc proc "$1/proc"
    exec chroot "$1" /usr/bin/env -i HOME=/root LC_ALL=C.UTF-8 PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin \
      PIP_CERT=/etc/ssl/certs/ca-certificates.crt "${@:3}" bash -euo pipefail -c "cd /try && $2"' wheel_test "$root" "$2" "${settings[@]}" </dev/null
}

file=$(basename "$wheel")
for system in "${systems[@]}"; do
  make_root "$system"
  log=$roots/$system.log
  if [ "$system" = ubuntu1804 ]; then
    if in_root "$system" "python3 -m venv v && v/bin/pip install --no-deps ./$file" >"$log" 2>&1; then
      echo "$system: FAILED: glibc 2.27 was not refused"
      failed=1
    else
      echo "$system: refused: $(grep -m1 -i 'not a supported wheel' "$log" || tail -1 "$log")"
    fi
    continue
  fi
  began=$SECONDS
  if [ "$system" = debian11 ]; then
    if in_root "$system" "python3 -m zipfile -e $file w && chmod +x w/lbm/bin/lbm && cd w/lbm/bin &&
        ./lbm cases lid_driven_cavity && ./lbm run lid_driven_cavity.yaml --expect --quiet && ./lbm info" >"$log" 2>&1; then
      echo "$system: the program runs"
    else
      echo "$system: FAILED: $(tail -1 "$log") ($log)"
      failed=1
    fi
    continue
  fi
  if in_root "$system" "python3 -m venv v && v/bin/pip install --quiet --disable-pip-version-check './$file[plot]'
      v/bin/lbm cases lid_driven_cavity && v/bin/lbm run lid_driven_cavity.yaml --quiet --out cavity
      v/bin/python -c 'import lbm; lbm.plot.slice(lbm.open(\"cavity\").fields[-1], \"velocity\", \"y\", 0.5, save=\"cavity.png\")'
      test -s cavity.png && v/bin/lbm info" >"$log" 2>&1 && [ $((SECONDS - began)) -le "$most" ]; then
    echo "$system: installed, run and drawn in $((SECONDS - began)) s"
  else
    echo "$system: FAILED after $((SECONDS - began)) s: $(tail -1 "$log") ($log)"
    failed=1
  fi
done
exit $failed
