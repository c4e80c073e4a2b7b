# SPDX-License-Identifier: Apache-2.0
"""Compares the files that a run has saved with the results of an undisturbed run."""
import json
import pathlib
import xml.etree.ElementTree

FIELDS = (".hdf",)
# Written when the directory is chosen and when the run ends; names of files and times differ.
OWN = ("report.json", "effective_case.yaml", "run.log")


def step_of(path):
    return int(path.stem.rpartition("_")[2])


def newest_checkpoint(out):
    """The step; -1 where there is none."""
    return max(map(step_of, out.glob("checkpoint_*.h5")), default=-1)


def expectations(text):
    return [line for line in text.splitlines() if line.startswith("expect ")]


class Reference:
    """Results of the undisturbed run, and what it said about its expectations."""

    def __init__(self, directory, text):
        self.files = {path.name: path.read_bytes() for path in results(directory)}
        self.verdict = expectations(text)

    def check_end(self, out, text):
        """Check a run that reports that it is complete: its results are those of the undisturbed run."""
        found = {path.name: path.read_bytes() for path in results(out)}
        different = [name for name in sorted(set(found) | set(self.files)) if found.get(name) != self.files.get(name)]
        assert not different, f"not as in the undisturbed run: {different}"
        assert expectations(text) == self.verdict, f"{expectations(text)}, undisturbed: {self.verdict}"
        partial = [path.name for path in out.glob("*.partial")]
        assert not partial, f"left behind: {partial}"

    def check_saved(self, out):
        """Check a run that was ended at any moment: each file with its final name is whole."""
        saved = newest_checkpoint(out)
        for path in results(out):
            if path.suffix in FIELDS:
                assert path.read_bytes() == self.files[path.name], f"{path.name} is not whole"
            elif path.suffix == ".csv":
                self.check_rows(path, saved)
            elif path.suffix in (".series", ".pvd"):
                missing = [name for name in entries(path) if not (out / name).exists()]
                assert not missing, f"{path.name} lists files that are not there: {missing}"

    def check_report(self, out):
        """Check the report of a run that ended by itself. Until then, the report is that of an earlier process."""
        listed = json.loads((out / "report.json").read_text())["files"]
        missing = [name for name in listed if not (out / name).exists()]
        assert not missing, f"report.json lists files that are not there: {missing}"

    def check_rows(self, path, saved):
        """Rows of steps up to a checkpoint are on the disk before the checkpoint."""
        wanted = rows_until(self.files[path.name], saved)
        if not wanted:  # profiles: replaced as a whole
            assert path.read_bytes() == self.files[path.name] or saved < 0, f"{path.name} is not whole"
        elif saved >= 0:
            assert path.read_bytes()[:len(wanted)] == wanted, f"{path.name}: rows up to step {saved} are not there"


def results(out):
    return [path for path in sorted(out.iterdir()) if path.is_file() and path.suffix != ".partial"
            and path.name not in OWN and not path.name.startswith((".", "checkpoint_"))]


def entries(path):
    """Names of the files that an index lists; fails on an index that is not whole."""
    if path.suffix == ".pvd":
        return [item.get("file") for item in xml.etree.ElementTree.parse(path).iter("DataSet")]
    return [item["name"] for item in json.loads(path.read_text())["files"]]


def rows_until(text, step):
    """The beginning of a log whose first column is the step; empty for another table."""
    kept = []
    names = None
    for line in text.splitlines(keepends=True):
        if not line.startswith(b"#") and names is None:
            names = line
            if not names.startswith(b"step,"):
                return b""
        elif names is not None and int(line.split(b",")[0]) > step:
            break
        kept.append(line)
    return b"".join(kept)
