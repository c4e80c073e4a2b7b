"""Text and HTML of results, tables and reports: for terminals and notebooks."""

import os
import pathlib
import subprocess
import sys

import lbm
from lbm.results import Table


def test_a_table_prints_columns_and_rows(sample: pathlib.Path, tmp_path: pathlib.Path) -> None:
    lines = repr(lbm.open(sample).profiles["z"]).splitlines()
    assert lines[0].endswith("profile_z.csv: 20 rows, 5 columns: z, ux, uy, uz, density>")
    assert lines[1].split() == ["z", "ux", "uy", "uz", "density"]
    assert len(lines) == 9 and lines[5].split() == ["..."] * 5
    assert float(lines[-1].split()[0]) == 1.21875
    wide = repr(lbm.open(sample).forces["ball"]).splitlines()
    assert "14 columns: step, time, fx" in wide[0] and "ctz>" in wide[0]
    assert wide[1].split() == ["step", "time", "fx", "fy", "fz", "tx", "ty", "tz", "..."]
    assert all(len(line) <= 120 for line in wide[1:])
    (tmp_path / "short.csv").write_text("# of a test\na,b\n1,2.5\n")
    assert repr(Table(tmp_path / "short.csv")).splitlines()[1:] == ["a    b", "1  2.5"]
    (tmp_path / "empty.csv").write_text("a,b\n")
    assert "0 rows, 2 columns: a, b" in repr(Table(tmp_path / "empty.csv"))


def test_a_table_that_cannot_be_read_prints_why(tmp_path: pathlib.Path) -> None:
    assert "none.csv: there is no such file" in repr(Table(tmp_path / "none.csv"))
    (tmp_path / "bad.csv").write_text("a,b\n1\n")
    assert "damaged" in repr(Table(tmp_path / "bad.csv"))


def test_a_report_prints_one_value_a_line(sample: pathlib.Path) -> None:
    report = lbm.open(sample).report
    lines = str(report).splitlines()
    assert "steps: 40" in lines and "flow:" in lines and "    reynolds: 20" in lines
    assert "cells: [16, 12, 20]" in lines and "restarted_from_step: none" in lines
    at = lines.index("files:")
    assert lines[at + 1].strip() == report.files[0] and lines[at + 1].startswith("    ")
    at = lines.index("    rows:")
    assert lines[at + 1].split() == ["name", "unit", "value", "lattice", "factor"]
    assert lines[at + 2].split() == ["cell", "cells", "1", "1", "1"]
    assert eval(repr(report), {"Record": lambda **keys: lbm.Record(keys)}) == report
    assert max(map(len, repr(report.flow).splitlines())) < 100
    assert str(lbm.Record({"a": 1}, "as the program")) == "as the program"


def test_notebooks_show_tables(sample: pathlib.Path) -> None:
    results = lbm.open(sample)
    assert "<td>mid</td><td>4</td>" in results._repr_html_()
    assert "<td>30</td><td>0.1875</td><td>mid_000000030.vtkhdf</td>" in results["mid"]._repr_html_()
    shown = results.fields[-1]._repr_html_()
    assert "<td>velocity</td><td>(20, 12, 16, 3)</td><td>float32</td><td>U</td>" in shown
    assert "<th>ux</th>" in results.profiles["x"]._repr_html_()
    assert lbm.Record({"a": "<b>"})._repr_html_() == "<pre>a: &lt;b&gt;</pre>"


def test_help_says_what_is_returned() -> None:
    for name in ("field", "velocity", "density", "pressure", "planes", "to_xarray", "probe"):
        text = getattr(lbm.Simulation, name).__doc__
        assert ("Returns:" in text or "Yields:" in text) and "Raises:" in text, name
    assert "(nz, ny, nx, 3)" in (lbm.Simulation.velocity.__doc__ or "")


OLD_NAMES = {
    "lbm.record": ("lbm.report", "Record"),
    "lbm.results.cut": ("lbm.results.slices", "Cut"),
    "lbm.results.trouble": ("lbm.results.errors", "MissingNameError"),
    "lbm.studies.family": ("lbm.studies.parameter_study", "Member"),
}


def test_old_names_of_modules_work_and_warn() -> None:
    for old, (new, name) in OLD_NAMES.items():
        code = (
            "import importlib, warnings\n"
            "with warnings.catch_warnings(record=True) as caught:\n"
            "    warnings.simplefilter('always')\n"
            f"    from {old} import {name} as before\n"
            f"from {new} import {name} as now\n"
            "assert before is now\n"
            "(warning,) = [w for w in caught if w.category is DeprecationWarning]\n"
            "print(warning.message, warning.filename)\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, env=os.environ
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout == f"{old} is now {new}; the old name goes in the next version <string>\n"


def test_the_package_itself_uses_no_old_name() -> None:
    code = (
        "import sys, lbm, lbm.plot, lbm.studies, lbm.results.xarray_engine\n"
        f"print(sorted(set(sys.modules) & {set(OLD_NAMES)!r}))"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error::DeprecationWarning:lbm", "-c", code],
        capture_output=True,
        text=True,
    )
    assert done.stdout.strip() == "[]", done.stderr
