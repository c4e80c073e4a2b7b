# SPDX-License-Identifier: Apache-2.0
"""Compares two results directories: every file byte for byte, report.json as data."""

import json
import os
import re

import hdf5_chunks

# Keys of report.json that the new program names differently: old path -> new path of the same depth, such as
# "last_look": "last_sample" or "bodies.force": "bodies.drag". Keys below a renamed map follow it.
RENAMED = {}
# Times and speeds: no two runs have the same.
TIMES = {
    "seconds", "setup_seconds", "setup_parts_seconds", "output_wait_seconds", "checkpoints.seconds", "mlups",
    "mlups_of_stored_cells", "predicted_mlups", "gb_per_s", "link_gb_per_s", "device_copy_gb_per_s", "share_of_device_copy",
    "stage_share_of_time",
}
# Keys that name the program, and keys that describe the machine: an emulator knows no NUMA nodes.
PROGRAM, MACHINE = {"commit"}, {"device", "host_nodes"}
# Text for people, which may be reworded: only how many there are counts.
PROSE = {"scheme_reason", "representation_reason", "warnings"}
# Keys of a report that describe its own process alone: they have other values after a restart.
RESTARTED = {"restarted_from_step", "checkpoints", "link_bytes_in", "link_bytes_out", "files", "warnings"}
LOCAL = {".lbm-lock", "run.log"}  # the log has dates and names of processes
TEXT = (".csv", ".yaml", ".series", ".pvd")
HDF5 = (".hdf", ".h5")


def plain(path):
    return re.sub(r"\[\d+\]", "", path)


def leaves(value, path=""):
    """(path, value) of everything below; lists of numbers and words are one value."""
    if isinstance(value, dict) and value:
        for key, one in value.items():
            yield from leaves(one, f"{path}.{key}" if path else key)
    elif isinstance(value, list) and any(isinstance(one, dict) for one in value):
        for i, one in enumerate(value):
            yield from leaves(one, f"{path}[{i}]")
    else:
        yield path, value


def new_path(path):
    parts = path.split(".")
    for old, new in RENAMED.items():
        before, after = old.split("."), new.split(".")
        if [plain(part) for part in parts[:len(before)]] == before:
            parts[:len(before)] = [part.replace(a, b, 1) for part, a, b in zip(parts, before, after)]
    return ".".join(parts)


def is_below(path, keys):
    steps = plain(path).split(".")
    return any(".".join(steps[:n]) in keys for n in range(1, len(steps) + 1))


def judged(report, ignored, rename):
    """The values of a report that two programs must agree on."""
    values = {}
    for path, value in leaves(report):
        if is_below(path, PROSE):
            value = len(value) if isinstance(value, list) else value is None
        if not is_below(path, ignored):
            values[new_path(path) if rename else path] = value
    return values


def report_differences(old, new, ignored=TIMES):
    """A line for each key whose value is another, or that one of the reports does not have."""
    before, after = judged(old, ignored, True), judged(new, {new_path(path) for path in ignored}, False)
    for path in sorted(before.keys() | after.keys()):
        if path not in after:
            yield f"report.json: missing: {path}, in the old report"
        elif path not in before:
            yield f"report.json: {path} is new"
        elif before[path] != after[path]:
            yield f"report.json: {path}: {before[path]!r} -> {after[path]!r}"


def text_difference(old, new):
    a, b = (data.decode(errors="replace").splitlines() for data in (old, new))
    for number, (one, other) in enumerate(zip(a, b), 1):
        if one != other:
            return f"line {number}: {one[:60]!r} -> {other[:60]!r}"
    return f"{len(a)} -> {len(b)} lines"


def binary_difference(old, new):
    """Sizes where these differ, else where and in how many bytes."""
    if len(old) != len(new):
        return f"{len(old)} -> {len(new)} bytes"
    places = [i for i in range(0, len(old), 4096) if old[i:i + 4096] != new[i:i + 4096]]
    first = next(i for i in range(places[0], len(old)) if old[i] != new[i])
    return f"{len(places)} of {-(-len(old) // 4096)} blocks of 4 KiB, first at byte {first}"


# Texts of a checkpoint that are JSON: the shortest digits of a number may be printed in two ways.
JSON_TEXTS = ("header", "state")


def hdf5_values(path):
    """Everything in an HDF5 file by its name, as bytes; JSON as what it says."""
    import h5py
    values = {}
    with h5py.File(path) as file:
        def add(name, item):
            values.update({f"{name}@{key}": str(one).encode() for key, one in item.attrs.items()})
            if isinstance(item, h5py.Dataset) and name in JSON_TEXTS:
                values[name] = repr(json.loads(item[()].tobytes() if item.shape else item[()])).encode()
            elif isinstance(item, h5py.Dataset):
                values[name] = f"{item.dtype}{item.shape}{item[()].tolist()}".encode()
        file.visititems(add)
    return values


def hdf5_difference(old, new):
    """", in" and the names of what differs, where h5py is there to tell; None where no value differs."""
    try:
        a, b = hdf5_values(old), hdf5_values(new)
    except (ImportError, OSError):  # no h5py, or no HDF5 file
        return ""
    names = sorted(name for name in a.keys() | b.keys() if a.get(name) != b.get(name))
    return f", in {', '.join(names)}" if names else None


def file_difference(old, new):
    """Why two files do not hold the same, or None."""
    with open(old, "rb") as one, open(new, "rb") as other:
        a, b = one.read(), other.read()
    if a == b or (old.endswith(".hdf") and hdf5_chunks.same_values(a, b)):
        return None
    if old.endswith(TEXT):
        return text_difference(a, b)
    where = hdf5_difference(old, new) if old.endswith(HDF5) else ""
    # A checkpoint is read by value. Fields are held to every byte.
    return None if where is None and old.endswith(".h5") else binary_difference(a, b) + (where or "")


def differences(old, new, restarted=False, other_machine=False):
    """A line for each difference between two results directories, and the number of files compared."""
    names = [set(os.listdir(directory)) - LOCAL for directory in (old, new)]
    lines = [f"{name}: missing: the {'new' if name in names[0] else 'old'} program did not write it"
             for name in sorted(names[0] ^ names[1])]
    for name in sorted(names[0] & names[1] - {"report.json"}):
        why = file_difference(os.path.join(old, name), os.path.join(new, name))
        if why:
            lines.append(f"{name}: {why}")
    if "report.json" in names[0] & names[1]:
        reports = []
        for directory in (old, new):
            with open(os.path.join(directory, "report.json"), encoding="utf-8") as file:
                reports.append(json.load(file))
        ignored = TIMES | PROGRAM | (RESTARTED if restarted else set()) | (MACHINE if other_machine else set())
        lines += report_differences(*reports, ignored)
    return lines, len(names[0] | names[1])
