#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Faults of files in a few runs: short and interrupted calls change nothing; after errors, kills and power cuts
what was saved is whole, and the restarted run ends as the undisturbed one.

LBM_FAULT_ROUNDS: disturbances of each kind (4); LBM_FAULT_SEED: the seed, which is printed;
LBM_FAULT_KEEP: a new directory for the files of a failure."""
import argparse
import os
import pathlib
import random
import shutil
import sys
import tempfile

from campaign import BEARABLE, PHYSICS, SCHEMES, Campaign
from launch import Launcher


def bearable(campaign):
    """Short transfers, interrupted and slow calls in a run and in its restart."""
    physics = campaign.random.choice(PHYSICS)
    campaign.reference(physics)
    out = campaign.launcher.work / "run"
    for scheme_keys in ({"run.steps": 130}, {}):
        done, step = campaign.start(physics, out, keys=scheme_keys,
                                    faults={"RATES": BEARABLE, "SEED": campaign.random.randrange(1 << 30)})
        assert done.code == 0, f"exit code {done.code}: {done.err}"
    assert step > 0, "nothing was restarted"
    campaign.check(physics, out, done, step)
    shutil.rmtree(out)


def unclosed(campaign):
    """Checkpoints that HDF5 cannot close, of two ranks: the run goes on without, and ends as if nothing had been."""
    out = campaign.launcher.work / "run"
    done, _ = campaign.start(PHYSICS[0], out, ranks=2, scheme=SCHEMES[0], faults={"AT": "eio:20-999999", "NAMES": "checkpoint_"},
                             keys={"checkpoint.on_error": "continue", "run.steps": 50})
    assert done.code == 0 and "no checkpoint at step" in done.err, f"exit code {done.code}: {done.err[-2000:]}"
    shutil.rmtree(out)


def disturbed(campaign, kind, rounds):
    """Makes so many disturbances, in as many runs as that takes; each run to its end."""
    made = 0
    while made < rounds:
        physics = campaign.random.choice(PHYSICS)
        made += campaign.until_the_end(physics, lambda out: kind(physics, out), rounds - made) or 1
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lbm", type=pathlib.Path, required=True)
    parser.add_argument("--library", type=pathlib.Path, required=True)
    parser.add_argument("--image", default="vtkhdf", help="format of one output")
    parser.add_argument("--ranks", action="store_true", help="the program knows MPI: also run two ranks")
    arguments = parser.parse_args()
    rounds = int(os.environ.get("LBM_FAULT_ROUNDS", "4"))
    seed = int(os.environ.get("LBM_FAULT_SEED", random.randrange(1 << 30)))
    print(f"LBM_FAULT_ROUNDS={rounds} LBM_FAULT_SEED={seed}", flush=True)
    work = pathlib.Path(tempfile.mkdtemp(prefix="lbm-faults-")).resolve()
    try:
        campaign = Campaign(Launcher(arguments.lbm, arguments.library, work), seed, image=arguments.image)
        bearable(campaign)
        if arguments.ranks:
            unclosed(campaign)
        for kind in (campaign.kill_at_call, campaign.cut_power, campaign.fail_at_call, campaign.stop):
            disturbed(campaign, kind, rounds)
        counts = ", ".join(f"{count} {kind}" for kind, count in sorted(campaign.counts.items()))
        print(f"disturbed: {counts}: nothing that was saved is lost, all ended as the undisturbed runs")
    except (AssertionError, ValueError) as error:  # ValueError: an index or report that is no JSON
        print(f"FAILED: {error}\nlast start: {campaign.last}")
        if "LBM_FAULT_KEEP" in os.environ:
            print(f"kept: {shutil.copytree(work, os.environ['LBM_FAULT_KEEP'])}")
        sys.exit(1)
    finally:
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()
