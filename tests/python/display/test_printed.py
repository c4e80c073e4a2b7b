# SPDX-License-Identifier: Apache-2.0
"""Text of results, tables and reports, for terminals and notebooks."""

import pathlib

from conftest import SMALL_CASE

import lbm
from lbm.results import Table
from lbm.studies import StudyTable


def test_a_table_prints_columns_and_rows(sample: pathlib.Path, tmp_path: pathlib.Path) -> None:
    lines = repr(lbm.open(sample).profiles["z"]).splitlines()
    assert lines[0].endswith("profile_z.csv: 20 rows, 5 columns: z, ux, uy, uz, density>")
    assert lines[1].split() == ["z", "ux", "uy", "uz", "density"]
    assert len(lines) < 20 and float(lines[-1].split()[0]) == 1.21875
    wide = repr(lbm.open(sample).forces["ball"])
    assert "14 columns: step, time, fx" in wide and max(map(len, wide.splitlines())) <= 200
    (tmp_path / "empty.csv").write_text("a,b\n")
    assert "0 rows, 2 columns: a, b" in repr(Table(tmp_path / "empty.csv"))


def test_a_table_that_cannot_be_read_prints_why(tmp_path: pathlib.Path) -> None:
    assert "none.csv: there is no such file" in repr(Table(tmp_path / "none.csv"))
    (tmp_path / "bad.csv").write_text("a,b\n1\n")
    assert "damaged" in repr(Table(tmp_path / "bad.csv"))


def test_a_report_prints_one_value_a_line(sample: pathlib.Path) -> None:
    report = lbm.open(sample).report
    lines = str(report).splitlines()
    assert "steps: 40" in lines and "flow:" in lines and "    reynolds: 20.0" in lines
    assert "cells: [16, 12, 20]" in lines
    at = lines.index("files:")
    assert lines[at + 1].strip() == repr(report.files[0]) and lines[at + 1].startswith("    ")
    assert str(lbm.Record({"a": 1}, "as the program")) == "as the program"


def test_a_long_report_is_one_screen(sample: pathlib.Path) -> None:
    lines = repr(lbm.open(sample).report).splitlines()
    assert len(lines) <= 30 and all(len(line) <= 100 for line in lines)
    assert "steps" in "\n".join(lines)


def test_results_print_what_there_is(sample: pathlib.Path, tmp_path: pathlib.Path) -> None:
    lines = repr(lbm.open(sample)).splitlines()
    assert lines[0] == f"<lbm results {sample}: completed, 40 steps>"
    rows = {line.split()[0]: line.split(maxsplit=1)[1] for line in lines[1:]}
    assert rows["forces"] == "ball" and rows["probes"] == "along, behind"
    assert rows["profiles"] == "x, y, z" and rows["monitor"] == "monitor"
    assert rows["series"].startswith("across, coarse_twin, fields, floor")
    (tmp_path / "profile_x.csv").write_text("x,ux\n1,2\n")
    assert "the run has not ended>\n  profiles " in repr(lbm.open(tmp_path))


def test_a_long_study_is_one_screen() -> None:
    rows = [{"tau": 0.5 + i, "error": "x" * 300, "directory": f"study/{i}"} for i in range(200)]
    lines = repr(StudyTable(rows)).splitlines()
    assert len(lines) < 26 and lines[2].split()[0] == "0.5" and lines[-1].split()[0] == "199.5"
    assert max(map(len, lines)) < 100 and "0 runs" in repr(StudyTable([]))


def test_a_simulation_says_where_it_is() -> None:
    simulation = lbm.Simulation(lbm.Case.from_text(SMALL_CASE))
    assert repr(simulation) == "<lbm.Simulation of 16 x 12 x 20 cells, step 0 of 40>"
    simulation.close()
    assert "closed" in repr(simulation)


def test_help_says_what_is_returned() -> None:
    for name in ("field", "velocity", "density", "pressure", "planes", "to_xarray", "probe"):
        text = getattr(lbm.Simulation, name).__doc__
        assert ("Returns:" in text or "Yields:" in text) and "Raises:" in text, name
    assert "(nz, ny, nx, 3)" in (lbm.Simulation.velocity.__doc__ or "")
