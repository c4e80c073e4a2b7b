# SPDX-License-Identifier: Apache-2.0
"""Command lines of the runs that compare_builds.py makes: every case of cases/, shortened, with all kinds of files."""

import json
import os
import subprocess

STEPS, CHECKPOINT = 60, 30
# Every run writes files whose names begin so.
KINDS = ("report", "effective_case", "fields_", "cut_", "coarse_", "packed_", "mean_", "lean_", "probe_point",
         "probe_line", "profile_z", "monitor", "checkpoint_")
# Keys that make a case small enough for seconds. Cases that are not named here keep their grid.
SMALLER = {
    "beyond_memory": ["grid.cells=[32, 32, 64]", "device.memory=4 MB"],
    "channel_les": ["grid.cells=[24, 24, 64]", "fluid.length=12", "expect.energy.average_from=0.1"],
    "cubic_cavity": ["grid.cells=[40, 40, 40]"],
    "flow_past_sphere": ["grid.cells=[48, 48, 80]", "fluid.length=8", "bodies.sphere.center=[24, 24, 28]",
                         "bodies.sphere.radius=4"],
    "stl_body_in_wind_tunnel": ["grid.spacing=0.0015"],
    "taylor_green_transition": ["grid.cells=[40, 40, 64]", "fluid.length=6.3662"],
}
STORAGE = ["fp32", "fp16", "fp64"]
# Schemes take turns: (scheme, steps a visit, planes a visit). Haloed tiles of k steps need slabs of 2 k + 1 planes.
AUTO, STREAMED = ("auto", None, None), ("wavefront", 5, 2)
WAYS = [AUTO, ("in_core", 1, 4), ("wavefront", 7, 3), ("halo", 2, 1), ("in_core", 3, 2), ("wavefront", 40, 8)]


def shape_of(program, case, sets):
    """Cells of the grid, and the length of a cell in the units of the case."""
    alone = ["device.backend=cpu", "outputs=null", "pictures=null", "statistics=null", "probes=null"]
    line = [program, "check", case, "--json", *flags(sets + alone)]
    report = json.loads(subprocess.run(line, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE).stdout)
    rows = report["units"]["rows"]
    return report["cells"], next(row["value"] for row in rows if row["name"] == "cell")


def has_vtk(program, cases):
    """True if the program was built with VTK, which writes isosurfaces."""
    line = [program, "check", os.path.join(cases, "lid_driven_cavity.yaml"), "--set", "outputs.image={isosurface: velocity, value: 0.1}"]
    return run(line, os.devnull)[0] == 0


def flags(sets):
    return [word for one in sets for word in ("--set", one)]


def place(cells, cell, x, y, z):
    """A place in the box, from shares of its edges, as YAML."""
    return "[" + ", ".join(repr(round(n * share * cell, 9)) for n, share in zip(cells, (x, y, z))) + "]"


def result_sets(cells, cell, vtk):
    """All kinds of results: fields, named outputs, statistics, probes, logs, checkpoints."""
    outputs = {
        "cut": f"{{slice: y, at: {cells[1] * cell / 2}, every_steps: 12, fields: [velocity, vorticity, solid]}}",
        "coarse": "{average: 2, every_steps: 20, fields: [pressure, q_criterion]}",
        "packed": "{stride: 2, every_steps: 30, precision: float16, compression: 3,"
                  " fields: [density, strain_rate, wall_shear_stress]}",
    }
    if vtk:
        outputs["surface"] = ("{isosurface: velocity, value: 0.05, every_steps: 30, fields: [pressure],"
                              " units: reference}")
    lists = ", ".join(f"{name}: {value}" for name, value in outputs.items())
    line = f"line_from: {place(cells, cell, 0.1, 0.2, 0.05)}, line_to: {place(cells, cell, 0.9, 0.7, 0.95)}"
    return [
        f"run={{steps: {STEPS}}}",
        "output={every_steps: 20, at_end: true, profiles: true, forces: 3, monitor: 9}",
        f"outputs={{{lists}}}",
        "statistics={mean: {every_steps: 4, write_every_steps: 20},"
        " lean: {every_steps: 5, stresses: false, sums: float64}}",
        f"probes={{point: {{points: [{place(cells, cell, 0.5, 0.5, 0.87)}]}}, "
        f"line: {{{line}, line_points: 9, every_steps: 2}}}}",
        f"checkpoint={{every_steps: {CHECKPOINT}, at_end: true, keep: 9}}",
    ]


def way_of(turn, ranks, planes, backend, small_device):
    """The scheme of a run. A choice by measured speeds (several ranks, a GPU out of core) may vary, so it is set."""
    if small_device and ranks == 1:
        return AUTO if backend == "cpu" else STREAMED
    way = WAYS[turn % len(WAYS)]
    too_thin = way[0] == "halo" and planes // ranks < 2 * way[1] + 1
    return STREAMED if too_thin or (way == AUTO and ranks > 1) else way


def way_sets(turn, ranks, planes, backend, small_device, storage=None):
    """Storage, scheme and backend of the turn-th run: they take turns over cases and numbers of processes."""
    scheme, steps, visit = way_of(turn, ranks, planes, backend, small_device)
    sets = [f"lattice.storage={storage or STORAGE[(turn // 2) % len(STORAGE)]}", f"device.backend={backend}",
            f"tiling.scheme={scheme}"]
    if steps:
        sets += [f"tiling.steps_per_visit={steps}", f"tiling.planes_per_visit={visit}"]
    if backend == "cpu":
        sets.append(f"device.threads={2 if ranks == 1 else 1}")
    if ranks > 1 or backend == "cuda":  # a GPU needs more than 4 MB for outputs alone
        sets.append("device.memory=auto")
    if ranks > 1 and backend == "cuda":
        sets.append("device.share=true")
    return sets


def command(program, case, sets, out, ranks, restart=None):
    line = [program, "run", case, "--quiet", *flags(sets)]
    line += ["--restart", restart] if restart else ["--out", out]
    if ranks > 1:
        line = ["mpirun", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "-n", str(ranks), *line]
    return line


def run(line, cache):
    """Exit status and the last line on stderr."""
    environment = dict(os.environ, LBM_CACHE_DIR=cache, OMP_WAIT_POLICY="passive")
    done = subprocess.run(line, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, errors="replace", timeout=600)
    said = [text for text in done.stderr.splitlines() if text.startswith("lbm:")] or done.stderr.splitlines()
    return done.returncode, said[-1] if said else ""
