# SPDX-License-Identifier: Apache-2.0
"""The modules of the package import each other in one direction, so each can be read alone.

Imports under TYPE_CHECKING and inside functions count: a circle of types is a circle for a reader.
"""

import ast
import collections.abc
import pathlib

import pytest

PACKAGE = pathlib.Path(__file__).resolve().parents[2] / "python" / "lbm"

# Modules of lbm/results by layer: a module imports only modules of the layers before its own.
RESULT_LAYERS = (
    ("errors", "lazy"),
    ("header", "pictures"),
    ("vtkhdf", "vtkxml"),
    ("xarrays", "meshes"),
    ("image", "surface", "table"),
    ("index",),
    ("series",),
    ("results",),
    ("__init__",),
    ("xarray_engine",),
)

Graph = dict[str, set[str]]


def modules_of(package: pathlib.Path) -> dict[str, pathlib.Path]:
    """The file of each module, under its dotted name; `__init__.py` is the package itself."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        parts = (package.name, *path.relative_to(package).with_suffix("").parts)
        found[".".join(part for part in parts if part != "__init__")] = path
    return found


def imported(tree: ast.AST, known: collections.abc.Container[str]) -> set[str]:
    """The modules among `known` that a file imports, wherever the import statement stands."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0 and node.module, "imports name the module from the root"
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                found.add(whole if whole in known else node.module)
    return {name for name in found if name in known}


def graph_of(package: pathlib.Path) -> Graph:
    """The modules that each module imports."""
    paths = modules_of(package)
    trees = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in paths.items()}
    known = {*paths, f"{package.name}._lbm"}  # the compiled half imports no Python
    return {name: imported(tree, known) & set(paths) - {name} for name, tree in trees.items()}


def circle_in(graph: Graph) -> list[str]:
    """Modules that import each other around a circle; empty where there is none."""
    done: set[str] = set()

    def visit(name: str, way: list[str]) -> list[str]:
        if name in way:
            return [*way[way.index(name) :], name]
        if name not in done:
            for other in sorted(graph[name]):
                if circle := visit(other, [*way, name]):
                    return circle
            done.add(name)
        return []

    return next((circle for name in graph if (circle := visit(name, []))), [])


def test_no_circle_among_the_modules() -> None:
    graph = graph_of(PACKAGE)
    assert len(graph) > 40 and graph["lbm.results.image"], "the graph is not empty"
    assert not (circle := circle_in(graph)), " -> ".join(circle)


def test_results_are_layered() -> None:
    graph = graph_of(PACKAGE)
    layer = {
        ".".join(("lbm.results", name)).removesuffix(".__init__"): i
        for i, names in enumerate(RESULT_LAYERS)
        for name in names
    }
    found = {name for name in graph if name.startswith("lbm.results")}
    assert found == set(layer), "each module has its layer"
    for name in layer:
        wrong = {other for other in graph[name] if layer.get(other, -1) >= layer[name]}
        assert not wrong, f"{name} imports {', '.join(wrong)}"


@pytest.mark.parametrize(
    "text",
    [
        "from pack.b import name",
        "from pack import b",
        "import pack.b",
        "def f():\n    from pack.b import name",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import pack.b",
    ],
)
def test_a_circle_is_found(tmp_path: pathlib.Path, text: str) -> None:
    package = tmp_path / "pack"
    package.mkdir()
    (package / "__init__.py").write_text("from pack import a, b\n")
    (package / "a.py").write_text(text)
    (package / "b.py").write_text("from pack.c import name\n")
    (package / "c.py").write_text("")
    assert circle_in(graph_of(package)) == []
    (package / "c.py").write_text("def f():\n    from pack.a import f\n")
    assert set(circle_in(graph_of(package))) == {"pack.a", "pack.b", "pack.c"}
