"""Prints lbm/_case_classes.py, made from the key table:

python -m lbm.generate_case_classes > python/lbm/_case_classes.py
"""

import dataclasses
import textwrap

from lbm import _lbm
from lbm._key_table import KeyRow, attribute_of, rows

WIDTH = 100

# Classes whose name is not that of the group, and what they are where the key table has no word
# for it. FACE and NAME as in KeyRow.
CLASSES = {
    "": ("CaseKeys", "The keys of a case; see `lbm.Case`."),
    "boundaries.FACE": (
        "Face",
        "What bounds the box at a face. A face may be assigned as the word of its type, too.",
    ),
    "boundaries.FACE.turbulence": ("Turbulence", "Synthetic disturbances on an inlet."),
    "boundaries.FACE.patches.NAME": ("Patch", "A part of a face with a rule of its own."),
    "boundaries.FACE.patches.NAME.turbulence": ("Turbulence", ""),
    "bodies.NAME": ("Body", "A solid body, or a part of one."),
    "run.until_steady": ("UntilSteady", "When a run ends early because nothing changes any more."),
    "outputs.NAME": ("FieldOutput", "Fields of a part of the box at some steps, as files."),
    "statistics.NAME": ("Statistics", "Mean, rms and Reynolds stresses over time."),
    "probes.NAME": ("Probe", "Pressure and velocity at places, step by step."),
    "expect.NAME": ("Expectation", "A result that the run shall come to."),
}

HEADER = '''\
"""The groups of a case, each a class with the keys of the key table as attributes.

Generated; to change it, change the table in cases/app/keys_*.cpp, then
python -m lbm.generate_case_classes > python/lbm/_case_classes.py
"""

import functools
import typing
from dataclasses import dataclass, field

from lbm._groups import Group, Named
'''


@dataclasses.dataclass
class Tree:
    """A group of rows: its keys and groups in the order of the table."""

    path: str
    keys: dict[str, KeyRow] = dataclasses.field(default_factory=dict)
    groups: dict[str, "Tree"] = dataclasses.field(default_factory=dict)

    @property
    def class_name(self) -> str:
        """What the class is called."""
        camel = "".join(word.capitalize() for word in self.path.rpartition(".")[2].split("_"))
        return CLASSES.get(self.path, (camel, ""))[0]

    def names(self) -> list[str]:
        """Keys and groups: what has a value first."""
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
    """The names for which FACE stands, in order."""
    paths = [row.path.split(".") for row in rows() if row.row == "boundaries.FACE"]
    return [path[1] for path in paths]


def wrapped(text: str, indent: str) -> str:
    """A docstring, in lines that are not too long."""
    lines = textwrap.wrap(f'"""{text}', WIDTH - len(indent) - 3, break_long_words=False)
    lines[-1] += '"""'
    return "\n".join(indent + line for line in lines)


def annotation(row: KeyRow) -> str:
    """The type of the attribute."""
    words = ", ".join(f'"{word}"' for word in row.allowed.split(", "))
    whole = 'int | typing.Literal["auto"]' if row.default == "auto" else "int"
    types = {
        "number": "float",
        "whole number": whole,
        "word": f"typing.Literal[{words}]",
        "switch": "bool",
        "text": "str",
        "memory": "int | str",
        "list of words": f"list[typing.Literal[{words}]]",
        "list of names": "list[str]",
        "list of points": "list[list[float]]",
        "list of rotations": "list[list[float]]",
    }
    by_list = "list[int]" if "whole" in row.type else "list[float]"
    return types.get(row.type, by_list) + ("" if row.default is not None else " | None")


def default_of(row: KeyRow) -> str:
    """The right-hand side."""
    if isinstance(row.default, list):
        factory = f"lambda: {row.default!r}" if row.default else "list"
        return f"field(default_factory={factory})"
    return f'"{row.default}"' if isinstance(row.default, str) else repr(row.default)


def statement(name: str, kind: str, value: str) -> str:
    """An attribute of a class."""
    line = f"    {attribute_of(name)}: {kind} = {value}"
    if len(line) <= WIDTH or "Literal[" not in line:
        return line
    before, words = line.split("Literal[", 1)
    words, after = words.split("]", 1)
    body = textwrap.fill(words, WIDTH - 8, initial_indent=" " * 8, subsequent_indent=" " * 8)
    return f"{before}Literal[\n{body}\n    ]{after}"


def attribute(row: KeyRow, name: str) -> str:
    """One key: its type, its default, what it is."""
    doc = wrapped(row.description().replace("\\", "\\\\"), "    ")
    return f"{statement(name, annotation(row), default_of(row))}\n{doc}\n"


def group_attributes(name: str, group: Tree) -> str:
    """A group inside a group; names of the user make a dict."""
    if name == "FACE":
        return "".join(
            f"    {face}: {group.class_name} = field(default_factory={group.class_name})\n"
            for face in faces()
        )
    item = group.groups.get("NAME")
    if item is None:
        return f"    {name}: {group.class_name} = field(default_factory={group.class_name})\n"
    factory = f"functools.partial(Named, {item.class_name})"
    return f"    {name}: dict[str, {item.class_name}] = field(default_factory={factory})\n"


def class_text(tree: Tree) -> str:
    """The class of one group."""
    doc = CLASSES.get(tree.path, ("", ""))[1] or _lbm.group_introduction(tree.path)
    text = "\n\n@dataclass(kw_only=True, repr=False)\n"
    text += f'class {tree.class_name}(Group, path="{tree.path}"):\n{wrapped(doc, "    ")}\n\n'
    for name in tree.names():
        if name in tree.groups:
            text += group_attributes(name, tree.groups[name])
        else:
            text += attribute(tree.keys[name], name)
    return text


def all_classes(tree: Tree, done: dict[str, str]) -> None:
    """Those that a class needs come before it."""
    for group in tree.groups.values():
        all_classes(group, done)
    if list(tree.groups) != ["NAME"]:
        done.setdefault(tree.class_name, class_text(tree))


def generated() -> str:
    """The text of lbm/_case_classes.py."""
    classes: dict[str, str] = {}
    all_classes(tree_of_rows(), classes)
    names = sorted(name for name in classes if name != "CaseKeys")
    listed = "".join(f'    "{name}",\n' for name in names)
    return f"{HEADER}\n__all__ = [\n{listed}]\n{''.join(classes.values())}"


if __name__ == "__main__":
    print(generated(), end="")
