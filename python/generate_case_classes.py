# SPDX-License-Identifier: Apache-2.0
"""Writes PACKAGE/_case_classes.py, the classes of a case, from the key table. The build calls it:

python generate_case_classes.py PACKAGE      # the folder lbm/ that has _lbm
"""

import dataclasses
import pathlib
import sys
import types
import typing

PACKAGE = pathlib.Path(sys.argv[1])
lbm = types.ModuleType("lbm")  # lbm/__init__.py needs the file that is to be written
lbm.__path__ = [str(pathlib.Path(__file__).parent / "lbm"), str(PACKAGE)]  # no older copies
sys.modules["lbm"] = lbm

from lbm._key_table import KeyRow, attribute_of, group_introduction, rows  # noqa: E402

# Classes that are not named after their group, and their docstrings where the key table has none.
# FACE and NAME as in KeyRow.
CLASSES = {
    "": ("CaseKeys", "The keys of a case; see `lbm.Case`."),
    "boundaries.FACE": (
        "Face",
        "The boundary condition at a face of the grid. The word of its type may stand for it.",
    ),
    "boundaries.FACE.turbulence": ("Turbulence", "Synthetic disturbances on an inlet."),
    "boundaries.FACE.patches.NAME": (
        "Patch",
        "A part of a face with a boundary condition of its own.",
    ),
    "boundaries.FACE.patches.NAME.turbulence": ("Turbulence", ""),
    "sponge": (
        "Sponge",
        "Layers before faces in which the flow relaxes to that of the far field.",
    ),
    "scalars.NAME": ("Scalar", "A temperature or concentration that the flow carries."),
    "scalars.NAME.boundaries": ("ScalarBoundaries", "The conditions of a scalar at the faces."),
    "scalars.NAME.boundaries.FACE": (
        "ScalarFace",
        "The condition of a scalar at a face of the grid. The word of its type may stand for it.",
    ),
    "bodies.NAME": ("Body", "A solid body, or a part of one."),
    "run.until_steady": ("UntilSteady", "When a run ends early because the flow is steady."),
    "outputs.NAME": ("FieldOutput", "Files with fields of a part of the grid at some steps."),
    "pictures.NAME": ("Picture", "Pictures of a slice, projection or surface (PNG) at some steps."),
    "statistics.NAME": ("Statistics", "Mean, rms and Reynolds stresses over time."),
    "probes.NAME": ("Probe", "Pressure and velocity at points, step by step."),
    "quantities.NAME": ("Quantity", "A number of the flow over time, with its statistics."),
    "expect.NAME": ("Expectation", "A result that the run is expected to have."),
}

START = '''\
# SPDX-License-Identifier: Apache-2.0
"""The groups of a case, their attributes the keys of the key table (cases/case/schema/keys_*.cpp).

Written by python/generate_case_classes.py when the package is built.
"""

import typing
from collections.abc import Sequence
from dataclasses import dataclass

from lbm._groups import *
'''


@dataclasses.dataclass
class Tree:
    """A group of rows: its keys and groups in the order of the table."""

    path: str
    keys: dict[str, KeyRow] = dataclasses.field(default_factory=dict)
    groups: dict[str, "Tree"] = dataclasses.field(default_factory=dict)

    @property
    def class_name(self) -> str:
        """The name of the class."""
        camel = "".join(word.capitalize() for word in self.path.rpartition(".")[2].split("_"))
        return CLASSES.get(self.path, (camel, ""))[0]

    def names(self) -> list[str]:
        """Keys, then groups."""
        return [*(name for name in self.keys if name not in self.groups), *self.groups]


def tree_of_rows() -> Tree:
    """The whole table; the six faces are one group, FACE."""
    root = Tree("")
    for row in rows():
        group = root
        *parents, name = row.row.split(".")
        for depth, parent in enumerate(parents):
            path = ".".join(parents[: depth + 1])
            group = group.groups.setdefault(parent, Tree(path))
        group.keys[name] = row
    return root


def faces() -> list[str]:
    """The names that FACE stands for, in order."""
    paths = [row.path.split(".") for row in rows() if row.row == "boundaries.FACE"]
    return [path[1] for path in paths]


def held_type(row: KeyRow) -> str:
    """The type of a value that a case holds, where it holds one."""
    words = ", ".join(f'"{word}"' for word in row.allowed.split(", "))
    word = "str" if row.takes_scalars else f"typing.Literal[{words}]"
    or_auto = ' | typing.Literal["auto"]' if row.default == "auto" else ""
    types = {
        "number": f"float{or_auto}",
        "whole number": f"int{or_auto}",
        "word": word,
        "switch": "bool",
        "text": "str",
        "memory": "int | str",
        "list of words": f"list[{word}]",
        "list of axes": 'list[typing.Literal["x", "y", "z"]]',
        "list of names": "list[str]",
        "list of points": "list[list[float]]",
        "list of rotations": "list[list[float]]",
        "list of three numbers or formulas": "list[float] | list[float | str]",
        "number or list of three numbers": "float | list[float]",
        "axis or list of three numbers": 'typing.Literal["x", "y", "z"] | list[float]',
        "formula": "str | float",
    }
    by_list = "list[int]" if "whole" in row.type else "list[float]"
    return types.get(row.type, by_list)


def given_type(row: KeyRow) -> str:
    """The type of what may be assigned, where it is more than what a case holds."""
    held = held_type(row)
    if row.type == "list of three numbers or formulas":
        return "Formulas"
    either = {
        "number or list of three numbers": "NumberOrNumbers",
        "axis or list of three numbers": "AxisOrNumbers",
    }
    if row.type in either:
        return either[row.type]
    if held.startswith(("list[float", "list[int")):
        return "Numbers" if "float" in held else "Wholes"
    if held.startswith("list[list["):
        return "Rows"
    if held.startswith("list["):
        return f"Sequence{held.removeprefix('list')}"
    wider = {
        "number": held.replace("float", "Number"),
        "whole number": held.replace("int", "Whole"),
        "text": "PathLike",
    }
    return wider.get(row.type, "")


def annotation(row: KeyRow) -> str:
    """The type of the attribute: of what it holds, and of what it takes."""
    held = held_type(row) + ("" if row.default is not None else " | None")
    if given := given_type(row):
        return f"Takes[{held}, {given}]"
    return held if row.default is None else f"Takes[{held}, None]"


def default_of(row: KeyRow) -> str:
    """The right-hand side."""
    default = f'"{row.default}"' if isinstance(row.default, str) else repr(row.default)
    plain = annotation(row) == held_type(row) + " | None"
    return default if plain else f"unless_given({default})"


def attribute(row: KeyRow, name: str) -> str:
    """One key: its type, its default, its docstring."""
    doc = row.description().replace("\\", "\\\\")
    return f'    {attribute_of(name)}: {annotation(row)} = {default_of(row)}\n    """{doc}"""\n'


def group_attribute(name: str, kind: str, class_name: str) -> str:
    """A group under a fixed name."""
    return f"    {name}: {kind} = group({class_name})\n"


def face_type(group: str) -> str:
    """The type of the words that stand for a face of a group of rows."""
    allowed = next(row.allowed for row in rows() if row.row == f"{group}.type")
    words = ", ".join(f'"{word}"' for word in allowed.split(", "))
    return f"\n\n{CLASSES[group][0]}Type = typing.Literal[{words}]\n"


def group_attributes(name: str, group: Tree) -> str:
    """A group inside a group; names of the user make a dict."""
    if name == "FACE":
        kind = f"Takes[{group.class_name}, {group.class_name}Type | Keys]"
        return "".join(group_attribute(face, kind, group.class_name) for face in faces())
    item = group.groups.get("NAME")
    if item is None:
        return group_attribute(name, f"Takes[{group.class_name}, Keys]", group.class_name)
    held, given = f"Named[{item.class_name}]", f"Mapping[str, {item.class_name} | Keys]"
    return f"    {name}: Takes[{held}, {given}] = named({item.class_name})\n"


def class_text(tree: Tree) -> str:
    """The class of one group."""
    doc = CLASSES.get(tree.path, ("", ""))[1] or group_introduction(tree.path)
    text = "\n\n@dataclass(kw_only=True, repr=False)\n"
    text += f'class {tree.class_name}(Group, path="{tree.path}"):\n    """{doc}"""\n\n'
    for name in tree.names():
        if name in tree.groups:
            text += group_attributes(name, tree.groups[name])
        else:
            text += attribute(tree.keys[name], name)
    return text


def add_classes(tree: Tree, done: dict[str, str]) -> None:
    """Adds the classes of the groups inside before the class of the group."""
    for group in tree.groups.values():
        add_classes(group, done)
    if list(tree.groups) != ["NAME"]:
        done.setdefault(tree.class_name, class_text(tree))


def main() -> None:
    """Writes the file."""
    tree = tree_of_rows()
    classes: dict[str, str] = {}
    add_classes(tree, classes)
    names = sorted(name for name in classes if name != tree.class_name)
    types = "".join(face_type(group) for group in CLASSES if group.endswith(".FACE"))
    text = f"{START}{types}{''.join(classes.values())}\n\n__all__ = {names}\n"
    (PACKAGE / "_case_classes.py").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
