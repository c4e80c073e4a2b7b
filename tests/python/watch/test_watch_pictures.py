# SPDX-License-Identifier: Apache-2.0
"""Pictures that runs have made, on the live page: which there are, and that no other file gets out."""

import base64
import os
import pathlib
import typing

import pytest
from served import Served, serve

pytest.importorskip("matplotlib")
pytest.importorskip("jinja2")

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def run(tmp_path: pathlib.Path) -> pathlib.Path:
    """A run with three pictures of two names, and files that only look like pictures."""
    (tmp_path / "run.log").write_text("")
    for name in ("mid_000000050", "mid_000000100", "top_view_000000007"):
        (tmp_path / f"{name}.png").write_bytes(PNG + name.encode())
    (tmp_path / "photo.png").write_bytes(PNG)
    (tmp_path / "text_000000050.png").write_text("secret")
    secret = tmp_path.parent / "secret.png"
    secret.write_bytes(PNG + b"secret")
    (tmp_path / "link_000000050.png").symlink_to(secret)
    os.mkfifo(tmp_path / "pipe_000000050.png")
    return tmp_path


@pytest.fixture
def served(run: pathlib.Path) -> typing.Iterator[Served]:
    with serve(run) as one:
        yield one


def test_names_and_steps(served: Served) -> None:
    assert served.api("pictures")["pictures"] == [
        {"name": "mid", "steps": [50, 100]},
        {"name": "text", "steps": [50]},
        {"name": "top_view", "steps": [7]},
    ]


def test_the_newest_picture_and_an_older_one(served: Served, run: pathlib.Path) -> None:
    newest = served.api("picture", picture="mid")
    assert newest["step"] == 100
    assert base64.b64decode(newest["png"]) == (run / "mid_000000100.png").read_bytes()
    assert base64.b64decode(served.api("picture", picture="mid", step=50)["png"]).endswith(b"050")
    (run / "mid_000000150.png").write_bytes(PNG + b"later")
    assert served.api("picture", picture="mid")["step"] == 150


@pytest.mark.parametrize(
    "query",
    [
        "picture=text",
        "picture=link",
        "picture=link&step=50",
        "picture=pipe",
        "picture=photo",
        "picture=..%2Fsecret",
        "picture=mid&step=51",
        "picture=mid&step=..",
        "picture=mid&step=050",
        "",
    ],
)
def test_other_files_are_refused(served: Served, query: str) -> None:
    answer = served.get(f"/api/picture?run=.&{query}")
    assert answer.status == 422, answer.text
    assert "no picture" in answer.data["error"] and "secret" not in answer.text
