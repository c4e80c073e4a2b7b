# SPDX-License-Identifier: Apache-2.0
#
# Read by bash before blocks with the mark "commands only": commands are looked up and their arguments are read, but
# nothing is built or computed. make prints, programs of GoogleTest run none of their tests, `lbm run` checks its case, `lbm bench`
# and `lbm scale` print their help, ctest lists, and cmake looks for the preset.
export MAKEFLAGS=n GTEST_TOTAL_SHARDS=1000000 GTEST_SHARD_INDEX=999999

lbm_without_run() {
  local arguments=() skip=no word
  case "$1" in
    run) ;;
    bench | scale) command lbm "$1" --help; return ;;
    *) command lbm "$@"; return ;;
  esac
  shift
  for word in "$@"; do
    case "$skip $word" in
      yes*) skip=no ;;
      *" --out" | *" --restart") skip=yes ;;
      *" --overwrite" | *" --quiet" | *" --expect" | *" --change" | *" --json") ;;
      *) arguments+=("$word") ;;
    esac
  done
  command lbm check "${arguments[@]}"
}
lbm() { lbm_without_run "$@"; }
function build/lbm { lbm_without_run "$@"; }
ctest() {
  [ "$1" != --preset ] || { command cmake --list-presets=test | grep -qF "\"$2\""; return; }
  command ctest -N "$@"
}
cmake() {
  case "$1" in
    --preset) command cmake --list-presets=configure | grep -qF "\"$2\"" ;;
    *) echo "cmake $*" ;;
  esac
}
