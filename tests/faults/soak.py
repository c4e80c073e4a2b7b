#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Many kills, power cuts and failing calls over all schemes, storages and representations, with one rank and with
three. The last line counts them; exit code 1 where anything that was saved is lost or a result differs.

    soak.py --lbm PROGRAM --library LIBRARY [--kills 1000] [--seed N] [--minutes M]

Ends after so many kills (power cuts are kills), or after so many minutes and then says how many there were."""
import argparse
import collections
import itertools
import pathlib
import random
import shutil
import sys
import tempfile
import time

from campaign import PHYSICS, Campaign
from launch import Launcher


class Soak:
    """One campaign of one rank, and one in which one and three ranks take turns."""

    def __init__(self, launcher, seed):
        self.random = random.Random(seed)
        self.campaigns = [Campaign(launcher, self.random.randrange(1 << 30), ranks) for ranks in ((1,), (1, 3))]
        self.runs = 0

    def kills(self):
        return sum(campaign.kills() for campaign in self.campaigns)

    def counts(self):
        return sum((campaign.counts for campaign in self.campaigns), collections.Counter())

    def disturb(self, campaign, physics, out):
        kind = self.random.choices([campaign.kill_in_time, campaign.kill_at_call, campaign.cut_power,
                                    campaign.fail_at_call, campaign.stop], [6, 5, 3, 1, 1])[0]
        return kind(physics, out)

    def one_run(self, campaign, physics, most):
        most = min(most, 1 + self.random.randrange(12))
        campaign.until_the_end(physics, lambda out: self.disturb(campaign, physics, out), most)
        self.runs += 1

    def run(self, kills, seconds):
        until = time.monotonic() + seconds
        told = 0
        for campaign, physics in itertools.cycle(itertools.product(self.campaigns, PHYSICS)):
            if self.kills() >= kills or time.monotonic() > until:
                return
            self.one_run(campaign, physics, kills - self.kills())
            if self.kills() >= told + 100:
                told = self.kills()
                print(f"soak: {told} kills in {self.runs} runs", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lbm", type=pathlib.Path, required=True)
    parser.add_argument("--library", type=pathlib.Path, required=True)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--minutes", type=float, default=600)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--keep", type=pathlib.Path, help="a new directory for the files of a failure")
    arguments = parser.parse_args()
    print(f"soak: --kills {arguments.kills} --seed {arguments.seed}", flush=True)
    work = pathlib.Path(tempfile.mkdtemp(prefix="lbm-soak-")).resolve()
    soak = Soak(Launcher(arguments.lbm.resolve(), arguments.library.resolve(), work), arguments.seed)
    begin = time.monotonic()
    result = "0 differences, nothing that was saved is lost"
    try:
        soak.run(arguments.kills, 60 * arguments.minutes)
    except (AssertionError, ValueError) as error:  # ValueError: an index or report that is no JSON
        result = f"FAILED: {error} (" + " | ".join(campaign.last for campaign in soak.campaigns) + ")"
        if arguments.keep:
            shutil.copytree(work, arguments.keep)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    counts = soak.counts()
    used = set().union(*(campaign.used for campaign in soak.campaigns))
    print(f"soak: {soak.kills()} kills ({counts['cut']} of them power cuts), {counts['eio'] + counts['enospc']} failing "
          f"calls, {counts['stop']} stops in {soak.runs} runs of {len(used)} combinations of physics, scheme and ranks, "
          f"{(time.monotonic() - begin) / 60:.0f} minutes: {result}")
    return 1 if result.startswith("FAILED") else 0


if __name__ == "__main__":
    sys.exit(main())
