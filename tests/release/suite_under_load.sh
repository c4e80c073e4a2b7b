#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs the whole suite several times side by side, so that each copy runs beside the load of the others; prints how
# each ended, and the tests that failed. Exit code 1: some failed.
#
#   tests/release/suite_under_load.sh [ROUNDS [COPIES]]     # default: 2 rounds of 5 copies
#
# Each copy runs one test at a time, most with two threads: each of five has a load of 8 beside it. A copy has the
# checkout, /tmp and /dev/shm for itself (overlay file system, namespaces), so it needs root. build/ must be configured
# and built with tests. The checkout is copied first, so it may be edited meanwhile.
#
# python.install compiles the whole package. It runs once before the copies do, so that ccache (CCACHE_DIR as for the
# build) knows the objects: five at a time that compile all of them take most of its limit of time.
set -euo pipefail
cd "$(dirname "$0")/../.."
rounds=${1:-2} copies=${2:-5}
[ "$(id -u)" = 0 ] || { echo "suite_under_load: needs root, for file systems of its own" >&2; exit 2; }
[ -f build/CTestTestfile.cmake ] || { echo "suite_under_load: no tests in build/: run make test" >&2; exit 2; }
layers=$(mktemp -d /var/tmp/lbm-load-XXXXXX)
trap 'rm -rf "$layers"' EXIT

tree="$layers/tree"
mkdir "$tree"
tar --exclude=./build/asan --exclude=./build/tsan --exclude=./build/fuzz -cf - . | tar -C "$tree" -xf -

# copy NAME: one run of the suite; its log is $layers/NAME/log.
copy() {
  local own="$layers/$1"
  mkdir -p "$own/upper" "$own/work" "$own/tmp"
  # shellcheck disable=SC2016 # expanded by the inner shell
  unshare --mount --pid --fork --mount-proc bash -euc '
    mount -t overlay overlay -o "lowerdir=$3,upperdir=$2/upper,workdir=$2/work" "$1"
    mount -t tmpfs tmpfs /dev/shm
    exec >"$2/log" 2>&1
    mount --bind "$2/tmp" /tmp
    cd "$1"
    # No exec: the shell, process 1, takes over and reaps orphans, as tests of killed ranks expect.
    status=0; ctest --test-dir build -LE gpu --output-on-failure || status=$?
    exit "$status"' copy "$PWD" "$own" "$tree"
}

ctest --test-dir build -R '^python.install$' --output-on-failure

failed=0
for round in $(seq "$rounds"); do
  for n in $(seq "$copies"); do copy "$round.$n" & done
  for job in $(jobs -p); do wait "$job" || failed=1; done
  for n in $(seq "$copies"); do
    log="$layers/$round.$n/log"
    echo "run $round.$n: $(grep 'tests passed' "$log" || tail -1 "$log"), $(grep 'Total Test time' "$log" | grep -o '[0-9.]* sec' || true)"
    sed -n '/^The following tests FAILED/,$p' "$log" | grep -E '^\s+[0-9]+ - ' || true
    cp "$log" "build/tests/under_load.$round.$n.log"
    rm -rf "$layers/$round.$n"
  done
done
exit $failed
