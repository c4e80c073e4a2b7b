#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of a build with sanitizers, and says which gave reports.

    run_tests.py BUILD KIND [--jobs N] [ARGUMENTS OF CTEST...]     KIND: address or thread

ctest picks the tests; this script runs them, since ctest cannot tell a report from a test that passes all the same: a
program that a test kills, or expects to fail, may have written one. Each process of a test writes its reports into a
folder of that test; a file there is a failure.

Results are kept in BUILD/sanitize/results.jsonl. A test that passed is not run again while its program, `lbm` and
its command stay the same; so a run that was stopped goes on where it was.
"""

import argparse
import collections
import concurrent.futures
import fnmatch
import functools
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
LLVM = pathlib.Path("/usr/lib/llvm-14/lib")
REPORT = re.compile(r"^SUMMARY: |runtime error: |(ERROR|FATAL): (Address|Leak|Thread)Sanitizer", re.MULTILINE)
# ctest's times are for programs without sanitizers.
SLOWER = {"address": 4, "thread": 10}
RUNNING = set()  # groups of processes


def left_out(kind):
    """Patterns of names of tests that this kind leaves out, with the reasons."""
    lines = [line.split(None, 2) for line in (HERE / "left_out.txt").read_text().splitlines() if not line.startswith("#")]
    return {name: why for kinds, name, why in (line for line in lines if line) if kinds in (kind, "both")}


@functools.lru_cache(maxsize=None)
def openmp(build):
    """g++'s OpenMP is not built for the thread sanitizer, which would report each of its barriers. clang's takes its place:
    its part Archer tells the sanitizer of them. Archer wants ignore_noninstrumented_modules and says so on standard error,
    where tests look; it reads numbers only, so `no` is for the sanitizer, which needs the calls of libstdc++."""
    if not (LLVM / "libarcher.so").exists():
        sys.exit("sanitize thread: no libarcher.so: apt-get install libomp-14-dev")
    folder = build / "sanitize/openmp"
    folder.mkdir(parents=True, exist_ok=True)
    link = folder / "libgomp.so.1"
    if not link.is_symlink():
        link.symlink_to(LLVM / "libomp.so.5")
    return {"LD_LIBRARY_PATH": f"{folder}:" + os.environ.get("LD_LIBRARY_PATH", ""), "OMP_TOOL_LIBRARIES": f"{LLVM}/libarcher.so",
            "OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS", "2")}


@functools.lru_cache(maxsize=None)
def kept_modules(build):
    """A library whose dlclose does nothing. Open MPI unloads its parts before LeakSanitizer looks; a leak in a part that is
    no longer there has no name that leaks.txt could list."""
    library = build / "sanitize/kept_modules.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", library], input=b"int dlclose(void* handle) { return handle == 0; }",
                   check=True)
    return str(library)


def options(kind, build, reports):
    """The environment of the sanitizers; what the caller has set there comes last and wins."""
    own = os.environ.get
    log = f"log_path={reports}/report:log_exe_name=1"
    if kind == "thread":
        # history_size: how far back it knows stacks; a shorter one cannot tell that MPI stored what another thread waited for.
        return openmp(build) | {"TSAN_OPTIONS": "ignore_noninstrumented_modules=1:ignore_noninstrumented_modules=no:halt_on_error=1:"
                f"history_size=7:print_suppressions=0:suppressions={HERE}/threads.txt:{log}:" + own("TSAN_OPTIONS", "")}
    return {"LD_PRELOAD": kept_modules(build), "ASAN_OPTIONS": f"verify_asan_link_order=0:{log}:" + own("ASAN_OPTIONS", ""),
            "LSAN_OPTIONS": f"suppressions={HERE}/leaks.txt:print_suppressions=0:" + own("LSAN_OPTIONS", ""),
            "UBSAN_OPTIONS": f"halt_on_error=1:print_stacktrace=1:{log}:" + own("UBSAN_OPTIONS", "")}


@functools.lru_cache(maxsize=None)
def content(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


class Test:
    def __init__(self, entry, build):
        self.name = entry["name"]
        self.command = entry.get("command")
        self.properties = {p["name"]: p["value"] for p in entry.get("properties", [])}
        self.build = build
        self.reports = build / "sanitize/reports" / re.sub(r"[^\w.]+", "_", self.name)
        files = [p for p in map(pathlib.Path, self.command or []) if p.is_file()]
        if self.properties.get("LABELS") != ["unit"]:
            files.append(build / "lbm")
        text = json.dumps([self.command, [content(str(f)) for f in files if f.is_file()]])
        self.key = hashlib.sha256(text.encode()).hexdigest()

    def environment(self, kind):
        env = {**os.environ, **options(kind, self.build, self.reports)}
        env.update(entry.split("=", 1) for entry in self.properties.get("ENVIRONMENT", []))
        for change in self.properties.get("ENVIRONMENT_MODIFICATION", []):
            name, value = change.split("=", 1)
            env[name] = value.removeprefix("set:")
        return env

    def run(self, kind):
        """Returns the result and what the test wrote."""
        if not self.command:
            return "not built", ""
        shutil.rmtree(self.reports, ignore_errors=True)
        self.reports.mkdir(parents=True)
        limit = SLOWER[kind] * self.properties.get("TIMEOUT", 300)
        child = subprocess.Popen(self.command, cwd=self.properties.get("WORKING_DIRECTORY"), env=self.environment(kind),
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        RUNNING.add(child.pid)
        late = threading.Timer(limit, os.killpg, (child.pid, signal.SIGKILL))
        late.start()
        output = child.communicate()[0].decode(errors="replace")
        RUNNING.discard(child.pid)
        timed_out = not late.is_alive()
        late.cancel()
        texts = [file.read_text(errors="replace") for file in sorted(self.reports.iterdir())]
        if any(map(REPORT.search, [output, *texts])):
            return "report", "".join(texts) or output
        shutil.rmtree(self.reports)
        if timed_out:
            return "timeout", output
        skip = self.properties.get("SKIP_REGULAR_EXPRESSION", [])
        if child.returncode == self.properties.get("SKIP_RETURN_CODE", "none") or any(re.search(s, output) for s in skip):
            return "skipped", output
        return ("passed" if child.returncode == 0 else "failed"), output


def stop(number, _frame):
    for group in RUNNING.copy():
        os.killpg(group, signal.SIGKILL)
    os._exit(128 + number)


def tests_of(build, arguments):
    listing = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1", *arguments], capture_output=True, check=True)
    return [Test(entry, build) for entry in json.loads(listing.stdout)["tests"]]


def program(test):
    return pathlib.Path(test.command[0]).name if test.command else "?"


def finished(pool, function, items):
    """Results in the order in which they come, so that a stop loses those of running tests only."""
    for future in concurrent.futures.as_completed([pool.submit(function, item) for item in items]):
        yield future.result()


def main():
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    # Tests send these signals to programs, which would inherit that they are ignored here (nohup), but not a handler.
    for number in (signal.SIGHUP, signal.SIGQUIT):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, lambda *_: None)
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("kind", choices=sorted(SLOWER))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args, chosen = parser.parse_known_args()
    build = args.build.resolve()
    tests = tests_of(build, chosen or ["-LE", "release|gpu"])
    (build / "sanitize").mkdir(exist_ok=True)
    if args.kind == "address":
        kept_modules(build)
    kept = build / "sanitize/results.jsonl"
    known = {}
    if kept.exists():
        known = {r["key"]: r for r in map(json.loads, kept.read_text().splitlines()) if r["result"] in ("passed", "skipped")}
    commit = subprocess.run(["git", "-C", SOURCE, "describe", "--always", "--dirty"], capture_output=True, text=True).stdout.strip()
    patterns = left_out(args.kind)
    out = [t for t in tests if any(fnmatch.fnmatchcase(t.name, p) for p in patterns)]
    results = {t: known[t.key]["result"] for t in tests if t.key in known and t not in out}
    before, todo = len(results), [t for t in tests if t not in results and t not in out]
    print(f"sanitize {args.kind}: {len(todo)} tests to run, {before} have passed before, {len(out)} are left out", flush=True)

    def one(test):
        began = time.monotonic()
        return test, *test.run(args.kind), time.monotonic() - began

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool, kept.open("a") as file:
        for n, (test, result, output, seconds) in enumerate(finished(pool, one, todo), 1):
            results[test] = result
            row = dict(name=test.name, program=program(test), result=result, seconds=round(seconds, 1), commit=commit, key=test.key)
            print(json.dumps(row), file=file, flush=True)
            print(f"{n}/{len(todo)} {result} {test.name} {seconds:.1f} s", flush=True)
            if result not in ("passed", "skipped"):
                lines = output.splitlines()
                print(*(f"    {line[:200]}" for line in (lines[:100] if result == "report" else lines[-100:])), sep="\n", flush=True)

    for name, group in sorted(collections.Counter((program(t), r) for t, r in results.items()).items()):
        print(f"  {name[0]}: {group} {name[1]}")
    for test in out:
        print(f"left out: {test.name}: {next(why for p, why in patterns.items() if fnmatch.fnmatchcase(test.name, p))}")
    for test, result in results.items():
        if result != "passed":
            print(f"{result}: {test.name}")
    count = collections.Counter(results.values())
    bad = len(results) - count["passed"] - count["skipped"]
    print(f"sanitize {args.kind}: {count['report']} tests with reports, {len(out)} left out, {before} run in earlier calls")
    print(f"tests: {count['passed']} passed, {bad} failed, {count['skipped']} skipped", flush=True)
    return 1 if bad or not results else 0


if __name__ == "__main__":
    sys.exit(main())
