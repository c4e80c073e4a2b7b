#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`lbm check` of hostile files of up to 1 MiB: one line or a report, within 2 s and 200 MB.

    check_limits.py --lbm PROGRAM [--quiet-machine] [NAME...]

The limit of time is for --quiet-machine, whose wall clock counts. Without it the time of the processor counts, and may be
three times as long: other tests run beside this one."""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import hostile_files

SECONDS, MEGABYTES = 2, 200


def checked(program, path, cache):
    """Exit code, text, seconds of the clock and of the processor, and the largest resident size in MB."""
    began = time.monotonic()
    process = subprocess.Popen([program, "check", path.name], cwd=path.parent, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               env=dict(os.environ, LBM_CACHE_DIR=str(cache), OMP_WAIT_POLICY="passive"))
    text = process.stdout.read().decode(errors="replace")
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return (process.returncode, text, time.monotonic() - began, usage.ru_utime + usage.ru_stime,
            usage.ru_maxrss * 1024 / 1e6)


def complaints(code, text, clock, processor, megabytes, quiet):
    if code not in (0, 2, 4):
        yield f"exit code {code}"
    if code != 0 and text.count("\n") != 1:
        yield f"{text.count(chr(10))} lines instead of one"
    if code != 0 and len(text) > 600:
        yield f"a line of {len(text)} bytes"
    if clock > SECONDS if quiet else processor > 3 * SECONDS:
        yield f"{clock:.1f} s, {processor:.1f} s of the processor"
    if megabytes > MEGABYTES:
        yield f"{megabytes:.0f} MB"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lbm", required=True, type=pathlib.Path)
    parser.add_argument("--quiet-machine", action="store_true")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    program = args.lbm.resolve()
    failed = count = 0
    worst_time, worst_size = (0, ""), (0, "")
    with tempfile.TemporaryDirectory() as folder:
        cache = pathlib.Path(folder) / "cache"  # no measured speeds: as on a new machine
        for path in hostile_files.write(pathlib.Path(folder)):
            if args.names and path.stem not in args.names:
                continue
            count += 1
            code, text, clock, processor, megabytes = checked(program, path, cache)
            worst_time = max(worst_time, (clock, path.name))
            worst_size = max(worst_size, (megabytes, path.name))
            for line in complaints(code, text, clock, processor, megabytes, args.quiet_machine):
                failed += 1
                print(f"FAILED: {path.name}: {line}: {text[:200]!r}")
        if cache.exists():
            failed += 1
            print("FAILED: check measured the device")
    print(f"{count} files, {failed} complaints; longest {worst_time[0]:.2f} s ({worst_time[1]}), "
          f"largest {worst_size[0]:.0f} MB ({worst_size[1]})")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
