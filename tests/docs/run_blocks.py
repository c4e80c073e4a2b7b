#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands and the Python of the pages as a reader would.

    run_blocks.py ROOT BUILD [--slow] [--only FOLDER] [--without FOLDER] [--write] [--keep] [PAGE...]      by default README.md, docs/ and python/README.md

The blocks of a page run in order, in one scratch directory that has what a checkout has. All Python of a page is one
session. A block fails where a command ends with another exit code than 0, or prints other words than the page shows.
Prints one line a block and, for a failed one, what it printed; exit status 1 where one failed. README.md explains the marks.
"""

import argparse
import glob
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import blocks
import compare

HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT = 1800  # seconds of a block


def pages_of(root):
    found = glob.glob("docs/**/*.md", root_dir=root, recursive=True) + glob.glob("docs/**/*.ipynb", root_dir=root, recursive=True)
    # Parts of docs/lab/verification.md, which has their text, too.
    parts = {path for path in found if path.startswith("docs/lab/verification/") and not path.endswith("README.md")}
    return ["README.md", *sorted(set(found) - parts)]


def make_scratch(folder, root, build):
    """A checkout to write into: cases and pages are copied, other folders are links."""
    for name in os.listdir(root):
        if name in ("cases", "docs", "out", "shared") or name.startswith("build") or name == ".git":
            continue
        os.symlink(os.path.join(root, name), os.path.join(folder, name))
    for name in ("cases", "docs"):
        shutil.copytree(os.path.join(root, name), os.path.join(folder, name))
    os.mkdir(os.path.join(folder, "build"))
    for name in os.listdir(build):
        os.symlink(os.path.join(build, name), os.path.join(folder, "build", name))


def environment_of(build):
    names = dict(os.environ)
    venv = os.path.join(build, "venv", "bin")
    names["PATH"] = os.pathsep.join([build, venv, names["PATH"]])
    names.update(PYTHONPATH=os.path.join(build, "python"), PYTHONDONTWRITEBYTECODE="1", MPLBACKEND="Agg",
                 LBM_CACHE_DIR=os.path.join(build, "tests", "cache"), OMP_WAIT_POLICY="passive", OMP_NUM_THREADS="1", CUDA_VISIBLE_DEVICES="",
                 OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                 OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_hwloc_base_binding_policy="none", COLUMNS="120")
    for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
        names.pop(name, None)
    return names


class Session:
    """The scratch directory of a page and its Python."""

    def __init__(self, root, build, folder):
        self.folder, self.environment, self.process = folder, environment_of(build), None
        self.read = 0  # of the log of Python
        make_scratch(folder, root, build)

    def shell(self, command, commands_only=False):
        """(exit code, what was printed)"""
        start = f". '{HERE}/commands_only.sh'" if commands_only else f"PATH='{HERE}/guard':$PATH"
        prelude = f"set -e -o pipefail\n{start}\n"
        with subprocess.Popen(["bash", "-c", prelude + command], cwd=self.folder, env=self.environment, text=True,
                              errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              start_new_session=True) as process:
            try:
                printed, _ = process.communicate(timeout=LIMIT)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                printed, _ = process.communicate()
                return 124, f"{printed}\nended after {LIMIT} s"
        return process.returncode, printed

    def python(self, text):
        """Run the text as Python. Return the error, or nothing."""
        if self.process is None:
            self.answers, end = os.pipe()
            program = os.path.join(HERE, "python_session.py")
            self.log = open(os.path.join(self.folder, ".python_log"), "wb")  # noqa: SIM115
            self.process = subprocess.Popen([sys.executable, "-u", program, str(end)], cwd=self.folder, env=self.environment,
                                            text=True, stdin=subprocess.PIPE, stdout=self.log, stderr=subprocess.STDOUT, pass_fds=[end])
            os.close(end)
            self.lines = os.fdopen(self.answers)
        self.process.stdin.write(json.dumps(text) + "\n")
        self.process.stdin.flush()
        if not select.select([self.lines], [], [], LIMIT)[0]:
            self.process.kill()
            return f"ended after {LIMIT} s"
        answer = self.lines.readline()
        return json.loads(answer) if answer else "Python ended"

    def printed(self):
        """The output of Python since the last call."""
        with open(os.path.join(self.folder, ".python_log"), "rb") as file:
            file.seek(self.read)
            text = file.read()
        self.read += len(text)
        return text.decode(errors="replace")

    def close(self):
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait()
            self.lines.close()
            self.log.close()


def run_block(session, block, outputs=None):
    """Run a block. Return the error, or nothing. outputs: a list that takes (command, output); nothing is compared."""
    for command in block.first:
        code, printed = session.shell(command)
        if code:
            return f"{command}: exit code {code}\n{printed}"
    for text in (*block.first_python, *([block.text] if block.language == "python" else [])):
        wrong = session.python(text)
        if wrong:
            return wrong
    if block.language == "python":
        printed = session.printed()
        if outputs is not None:
            outputs.append(compare.shown(printed))
        wrong = block.output and outputs is None and compare.difference(block.output, printed)
        return f"{wrong}\nprinted:\n{printed[-4000:]}" if wrong else ""
    for command, expected in blocks.commands_of(block):
        code, printed = session.shell(command, block.commands_only)
        if code:
            return f"{command}\nexit code {code}\n{printed[-4000:]}"
        if outputs is not None:
            outputs.append((command, expected if expected and not compare.difference(expected, printed) else compare.shown(printed)))
        elif expected and block.compared and not block.commands_only:
            wrong = compare.difference(expected, printed)
            if wrong:
                return f"{command}\n{wrong}\nprinted:\n{printed[-4000:]}"
    return ""


def write_outputs(root, block, outputs):
    """Replaces the text of a block by commands and their outputs."""
    if block.language == "python":
        old, new = f"```text\n{block.output}\n```", f"```text\n{outputs[0]}\n```"
    else:
        text = "\n".join(line for command, output in outputs for line in (f"$ {command}", *([output] if output else [])))
        old, new = f"```console\n{block.text}\n```", f"```console\n{text}\n```"
    path = os.path.join(root, block.page)
    with open(path, encoding="utf-8") as file:
        page = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(page.replace(old, new, 1))


def run_page(root, build, page, options):
    """(blocks that ran, that did not, that failed)"""
    found = blocks.blocks_of(root, page)
    wanted = [block for block in found if not block.not_run and (options.slow or not block.slow)]
    failed = 0
    for block in found:
        if block in wanted:
            continue
        print(f"  not run  {block.place}: {block.not_run or 'slow'}")
    if not wanted:
        return 0, len(found), 0
    folder = tempfile.mkdtemp(prefix="lbm_page_")
    session = Session(root, build, folder)
    for block in wanted:
        if block.quickly and not options.slow:
            block.text = block.text.replace(*block.quickly)
        began = time.monotonic()
        outputs = [] if options.write and (block.output or block.language == "console" and block.compared) else None
        wrong = run_block(session, block, outputs)
        if outputs is not None and not wrong:
            write_outputs(root, block, outputs)
        failed += bool(wrong)
        print(f"  {'FAILED' if wrong else 'passed'}   {block.place} {block.language} {time.monotonic() - began:.1f} s", flush=True)
        if wrong:
            print("    " + wrong.rstrip().replace("\n", "\n    "))
    session.close()
    if options.keep:
        print(f"  kept {folder}")
    else:
        shutil.rmtree(folder)
    return len(wanted), len(found) - len(wanted), failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("root")
    parser.add_argument("build")
    parser.add_argument("pages", nargs="*")
    parser.add_argument("--slow", action="store_true", help="also the blocks that are marked slow")
    parser.add_argument("--only", default="", metavar="FOLDER", help="pages that begin so")
    parser.add_argument("--without", default="", metavar="FOLDER", help="no pages that begin so")
    parser.add_argument("--write", action="store_true", help="put what commands print into their ```console blocks")
    parser.add_argument("--keep", action="store_true", help="leave the scratch directories")
    options = parser.parse_intermixed_args()
    wanted = [page for page in options.pages or pages_of(options.root)
              if page.startswith(options.only) and not (options.without and page.startswith(options.without))]
    root, build = os.path.abspath(options.root), os.path.abspath(options.build)
    total = [0, 0, 0]
    for page in wanted:
        try:
            counts = run_page(root, build, page, options)
        except blocks.PageError as error:
            print(f"  FAILED   {error}")
            counts = (0, 0, 1)
        total = [a + b for a, b in zip(total, counts)]
    print(f"{total[0]} blocks run, {total[1]} not run, {total[2]} failed")
    return 1 if total[2] or not total[0] else 0


if __name__ == "__main__":
    sys.exit(main())
