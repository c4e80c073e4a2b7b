# SPDX-License-Identifier: Apache-2.0
"""Simulations come and go: interruption, threads, memory."""

import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import lbm
import numpy
import pytest

from conftest import SMALL_CASE, come_and_go


def large_case(steps: int = 100000, cells: tuple[int, int, int] = (64, 64, 64)) -> lbm.Case:
    return lbm.Case.from_text(SMALL_CASE).replace({"grid.cells": list(cells), "run.steps": steps})


def resident_bytes() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_ctrl_c_ends_the_sweeps_and_the_run_can_go_on():
    with lbm.Simulation(large_case()) as simulation:
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            simulation.advance()
        stopped = simulation.step
        assert 0 < stopped < 100000
        flow = simulation.velocity()
    with lbm.Simulation(large_case()) as other:
        other.advance(stopped)
        assert numpy.array_equal(other.velocity(), flow)
        other.advance(3)
        assert other.step == stopped + 3


def test_ctrl_c_ends_a_coarser_grid(tmp_path):
    cascade = large_case().replace({"run.cascade": 2})
    threading.Timer(1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        lbm.Simulation(cascade, out=tmp_path / "out")
    assert (tmp_path / "out" / "coarser_2").is_dir()


def test_ctrl_c_at_a_script_ends_it(tmp_path):
    script = textwrap.dedent(
        f"""
        import lbm
        case = lbm.Case.from_text({SMALL_CASE!r})
        case.grid.cells, case.run.steps = [64, 64, 64], 10**7
        simulation = lbm.Simulation(case, out={str(tmp_path / "out")!r})
        print("begun", flush=True)
        simulation.advance()
        """
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGINT
    assert "KeyboardInterrupt" in errors
    assert lbm.open(tmp_path / "out").report.exit_reason.startswith("closed after step")


def test_other_threads_run_while_it_computes():
    count = 0
    stop = threading.Event()

    def work() -> None:
        nonlocal count
        while not stop.is_set():
            count += 1
            time.sleep(0.001)

    with lbm.Simulation(large_case(300)) as simulation:
        thread = threading.Thread(target=work)
        thread.start()
        begin = time.monotonic()
        simulation.advance()
        seconds = time.monotonic() - begin
        stop.set()
        thread.join()
    assert seconds > 0.2, "too short to tell"
    assert count > 20


def test_simulations_in_threads_do_not_know_each_other():
    def flow(reynolds: float) -> numpy.ndarray:
        case = large_case(40, (24, 24, 24)).replace({"fluid.reynolds": reynolds})
        with lbm.Simulation(case) as simulation:
            simulation.advance()
            return simulation.velocity()

    alone = {reynolds: flow(reynolds) for reynolds in (10, 20, 40)}
    together: dict[float, numpy.ndarray] = {}
    threads = [
        threading.Thread(target=lambda r=r: together.__setitem__(r, flow(r))) for r in alone
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for reynolds, want in alone.items():
        assert numpy.array_equal(together[reynolds], want)
    assert not numpy.array_equal(alone[10], alone[20])


def test_two_threads_do_not_share_one():
    with lbm.Simulation(large_case(3000)) as simulation:
        errors: list[lbm.Error] = []
        begun = threading.Event()

        def compute() -> None:
            begun.set()
            try:
                simulation.advance(500)
            except lbm.Error as error:
                errors.append(error)

        thread = threading.Thread(target=compute)
        thread.start()
        begun.wait()
        time.sleep(0.1)
        with pytest.raises(lbm.UsageError, match="at work in another thread"):
            simulation.velocity()
        thread.join()
        assert errors == []
        assert simulation.step == 500


def test_simulations_side_by_side_take_turns():
    with lbm.Simulation(large_case(30, (16, 16, 16))) as a:
        with lbm.Simulation(large_case(30, (16, 16, 16))) as b:
            for _ in range(10):
                a.advance(3)
                b.advance(3)
            assert numpy.array_equal(a.velocity(), b.velocity())


def test_a_hundred_simulations_leave_no_memory():
    """Each takes 20 MB for its lattice: a leak of one in ten would show."""
    case = large_case(8, (64, 64, 64))

    come_and_go(case, 10)
    before, threads = resident_bytes(), threading.active_count()
    files = len(os.listdir("/proc/self/fd"))
    come_and_go(case, 100)
    assert resident_bytes() - before < 40e6
    assert len(os.listdir("/proc/self/fd")) == files
    assert threading.active_count() == threads


def test_reading_plane_by_plane_takes_no_memory():
    """200 planes of 160 kB; the whole velocity would be 390 MB."""
    case = large_case(1, (256, 640, 200))
    case.lattice.storage = "fp16"
    with lbm.Simulation(case) as simulation:
        simulation.advance(1)
        before = resident_bytes()
        most, total = 0, 0.0
        for plane in simulation.planes("velocity"):
            total += float(plane[..., 0].sum())
            most = max(most, resident_bytes() - before)
        assert most < 30e6
        assert total > 0


def test_an_array_outlives_its_simulation():
    simulation = lbm.Simulation(large_case(2, (16, 16, 16)))
    simulation.advance(2)
    velocity = simulation.velocity()
    copy = velocity.copy()
    simulation.close()
    del simulation
    gc.collect()
    assert numpy.array_equal(velocity, copy)
    assert velocity.flags.writeable
