# SPDX-License-Identifier: Apache-2.0
"""Runs that are disturbed and restarted until they end, and then compared."""
import collections
import os
import random
import shutil
import signal
import time

from check_saved import Reference, newest_checkpoint
from faulted_case import CASE, COMPRESSED, PHYSICS, SCHEMES, name_of, options
from launch import alive, children_of, end

# Faults that a program must handle without a message: short transfers, EINTR, slow calls.
BEARABLE = "short:0.2,eintr:0.1,slow:0.002"
# Kinds of files, so that the few calls on logs fail as often as the many on fields.
FILES = ["", ".csv", "checkpoint_", ".series", "report.json"]


class Campaign:
    """launcher: launch.Launcher; ranks: numbers of ranks that take turns; image: format of one output."""

    def __init__(self, launcher, seed, ranks=(1,), image="vtkhdf"):
        self.launcher, self.random = launcher, random.Random(seed)
        self.ranks = ranks
        self.case = launcher.work / "case.yaml"
        self.case.write_text(CASE.replace("FORMAT", image))
        self.references = {}  # by physics
        self.call_counts = {}  # by names of files
        self.counts = collections.Counter()  # of disturbances by kind
        self.last = ""  # start, in words
        self.used = set()  # physics, scheme and ranks that were disturbed

    def arguments(self, physics, *more):
        keys = dict(physics) | (COMPRESSED if self.ranks == (1,) else {})
        for other in more:
            keys |= other
        return [str(self.case), "--quiet", *options(keys)]

    def reference(self, physics):
        """Results of the undisturbed run, and its seconds; made once."""
        name = name_of(physics)
        if name not in self.references:
            out = self.launcher.work / "right"
            begin = time.monotonic()
            done = self.launcher.run(self.arguments(physics, SCHEMES[0]), out)
            assert done.code == 0, f"the undisturbed run: {done.err}"
            seconds = time.monotonic() - begin
            self.references[name] = Reference(out, done.out), seconds
            shutil.rmtree(out)
        return self.references[name]

    def calls(self, names):
        """Calls on files with these letters in their paths, in a whole run; counted once."""
        if names not in self.call_counts:
            out = self.launcher.work / "counted"
            done = self.launcher.run(self.arguments(PHYSICS[0], SCHEMES[1]), out, faults={"NAMES": names})
            assert done.code == 0, f"the undisturbed run: {done.err}"
            self.call_counts[names] = self.launcher.calls()
            shutil.rmtree(out)
        return self.call_counts[names]

    def start(self, physics, out, **how):
        """Starts or restarts the run once. Returns its outcome, and the step that it began from."""
        step = newest_checkpoint(out) if out.exists() else -1
        restart = ["--restart", str(out)] if step >= 0 else ["--overwrite"]
        ranks = how.pop("ranks", None) or self.random.choice(self.ranks)
        scheme = how.pop("scheme", None) or self.random.choice(SCHEMES)
        keys = how.pop("keys", {})
        self.last = f"{name_of(physics)}, {name_of(scheme)}, {ranks} ranks, from step {step}, {how.get('faults')}, {keys}"
        self.used.add((name_of(physics), scheme["tiling.scheme"], ranks))
        done = self.launcher.run([*self.arguments(physics, scheme, keys), *restart], out, ranks=ranks, **how)
        return done, step

    def check(self, physics, out, done, step):
        """After a start: nothing that was saved before is lost or damaged."""
        reference, _ = self.reference(physics)
        words = [line for line in done.err.splitlines() if "is damaged" in line or "cannot be read" in line]
        assert not words, f"a checkpoint is damaged: {words[0]}"
        assert newest_checkpoint(out) >= step, f"began from step {step}, now the newest checkpoint is {newest_checkpoint(out)}"
        if not out.exists():
            return
        reference.check_saved(out)
        stopped = "lbm: stopped by" in done.err and "during set-up" not in done.err  # which leaves the report alone
        if done.code == 0 or stopped:
            reference.check_report(out)
        if done.code == 0:
            reference.check_end(out, done.out)

    def until_the_end(self, physics, disturb, most):
        """Calls disturb(out) until the run is complete, at most so many times; then lets it run to its end."""
        out = self.launcher.work / "run"
        for path in (out, self.launcher.work / "run.saved"):
            shutil.rmtree(path, ignore_errors=True)
        for count in range(most):
            if disturb(out) == 0:
                return count
        done, step = self.start(physics, out)
        assert done.code == 0, f"exit code {done.code}: {done.err[-2000:]}"
        self.check(physics, out, done, step)
        return most

    # --- disturbances: each starts the run, ends it, checks what is left and returns the exit code ---

    def kill_in_time(self, physics, out):
        """SIGKILL at any moment of the run: of all its processes, or of one of them."""
        _, seconds = self.reference(physics)
        ranks = self.random.choice(self.ranks)
        pause = seconds * (1 if ranks == 1 else 3) * self.random.random() ** 2

        def blow(process):
            time.sleep(pause)
            family = [process.pid, *children_of(process.pid)]
            victim = self.random.choice([None, *family])
            if victim is None:
                end(process)
            elif alive(victim):
                os.kill(victim, signal.SIGKILL)
            return family

        return self.ended(physics, out, "kill", ranks=ranks, blow=blow)

    def kill_at_call(self, physics, out, fault="kill"):
        """SIGKILL before, in the middle of or after any call that touches a file; or a power cut there."""
        self.reference(physics)
        calls = self.calls("")
        ranks = 1 if fault == "cut" else self.random.choice(self.ranks)
        faults = {"AT": f"{fault}:{1 + int(calls * self.random.random() ** 2)}", "SEED": self.random.randrange(1 << 30)}
        if ranks > 1:
            faults["RANK"] = self.random.randrange(ranks)
        if self.random.random() < 0.5:
            faults["RATES"] = BEARABLE
        return self.ended(physics, out, fault, ranks=ranks, faults=faults)

    def cut_power(self, physics, out):
        return self.kill_at_call(physics, out, "cut")

    def fail_at_call(self, physics, out):
        """A call fails, or some, or all from there on: the run ends with 4, or does without what it could not write."""
        self.reference(physics)
        names = self.random.choice(FILES)
        calls = self.calls(names)
        fault = self.random.choice(["eio", "enospc"])
        first = 1 + self.random.randrange(calls)
        last = self.random.choice(["", f"-{first + self.random.randrange(100)}", "-999999"])
        faults = {"AT": f"{fault}:{first}{last}", "NAMES": names}
        keys = {"checkpoint.on_error": self.random.choice(["stop", "continue"])}
        done, step = self.start(physics, out, faults=faults, keys=keys)
        assert done.code in (0, 4), f"{faults}: exit code {done.code}: {done.err[-2000:]}"
        errors = [line for line in done.err.splitlines() if line.startswith("lbm: ")]
        assert done.code == 0 or len(errors) == 1, f"{faults}: not one line: {done.err}"
        self.counts[fault] += 1
        self.check(physics, out, done, step)
        return done.code

    def stop(self, physics, out):
        """SIGTERM: what the program says it has saved is the newest checkpoint."""
        _, seconds = self.reference(physics)
        pause = seconds * self.random.random()

        def blow(process):
            time.sleep(pause)
            process.send_signal(signal.SIGTERM)
            return [process.pid]

        done, step = self.start(physics, out, ranks=1, blow=blow)
        if done.code == -signal.SIGTERM:  # before the program has its handlers
            done.code = 143
        assert done.code in (0, 143), f"exit code {done.code}: {done.err[-2000:]}"
        if "go on with --restart " in done.err:
            name = done.err.partition("go on with --restart ")[2].split("\n")[0]
            assert name == str(out / f"checkpoint_{newest_checkpoint(out):09d}.h5"), f"says that it saved {name}"
        self.counts["stop"] += 1
        self.check(physics, out, done, step)
        return done.code

    def ended(self, physics, out, kind, **how):
        done, step = self.start(physics, out, **how)
        if done.code != 0:
            assert done.killed, f"{how.get('faults')}: exit code {done.code}: {done.err[-2000:]}"
            self.counts[kind] += 1
        self.check(physics, out, done, step)
        return done.code

    def kills(self):
        return self.counts["kill"] + self.counts["cut"]
