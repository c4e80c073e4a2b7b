# SPDX-License-Identifier: Apache-2.0
"""Makes the text of docs/lab/verification.md from templates and records."""

import os
import re

import evidence

PLACEHOLDER = re.compile(r"\{\{\s*([^{}]*?)\s*\}\}")


def number(value, form="{:#.3g}"):
    """Three digits, as short as they can be read."""
    if value is None:
        return "not a number"
    if value == 0:
        return "0"
    if 1e-3 <= abs(value) < 1e5:
        return form.format(value).rstrip(".") if abs(value) < 1000 else f"{value:.0f}"
    mantissa, exponent = f"{value:.1e}".split("e")
    return f"{mantissa.removesuffix('.0')}e{int(exponent)}"


def with_unit(text, unit):
    return f"{text} {unit}" if unit else text


def measured(check):
    if check["relation"] == "holds":
        return "yes" if check["measured"] else "no"
    sign = "+" if check["relation"] == "within" and (check["measured"] or 0) > 0 else ""
    text = with_unit(sign + number(check["measured"]), check["unit"])
    if "value" in check:
        text = f"{check['value']:.5g} for {check['reference']:.5g} ({text})"
    return text if check["passed"] else f"**{text}, FAILED**"


def bound(check):
    if check["relation"] == "holds":
        return "yes"
    if check["relation"] == "between":
        return with_unit("{:g} to {:g}".format(*check["bound"]), check["unit"])
    relation = "±" if check["relation"] == "within" else check["relation"]
    return f"{relation} {with_unit(number(check['bound'], '{:.3g}'), check['unit'])}"


def table_lines(head, rows):
    def line(cells):
        return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"

    return [line(head), "|" + "---|" * len(head), *map(line, rows)]


def entry(value, form):
    """Numbers in the format of their column, 1e-05 as 1e-5; null is blank."""
    if value is None:
        return ""
    if value == 0 and "e" in form:
        return "0"
    return value if isinstance(value, str) else re.sub(r"e\+?(-?)0?(\d)", r"e\1\2", form.format(value))


def data_table(table):
    rows = [[entry(value, column["format"]) for value, column in zip(row, table["columns"])]
            for row in table["rows"]]
    head = [column["name"] for column in table["columns"]]
    return [table["caption"][:1].upper() + table["caption"][1:] + ":", "", *table_lines(head, rows), ""]


def anchor(title):
    """The anchor that GitHub makes from a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


class Page:
    """text: the page; rows: its checks; figures: by id, the panels; problems: one line each."""

    def __init__(self, sets, folder):
        self.folder, self.problems, self.placed = folder, [], set()
        self.sets = sets
        self.records = evidence.used(sets)
        self.rows = evidence.merged_checks(self.records)
        self.figures = evidence.merged_figures(self.records)
        self.programs = list(dict.fromkeys(record["program"] for record in self.records))
        self.problems += [f"{r['set']}.json: {r['test']} failed" for r in self.records if not r["passed"]]
        self.problems += [f"{r['set']}.json: {r['test']} checks nothing" for r in self.records
                          if not r["checks"]]
        text = self.template("page.md")
        # Sections first: the summary links to their headings.
        order = re.findall(r"\{\{section (\S+)\}\}", text)
        self.sections = {name: self.section(name) for name in dict.fromkeys(order + self.programs)}
        self.problems += [f"docs/lab/verification/page.md: has no {{{{section {name}}}}}"
                          for name in self.programs if name not in order]
        made = self.fill(text, {"summary": self.summary, "evidence": self.evidence_table,
                                "section": self.placed_section}, "page.md")
        made += "".join(f"\n{self.placed_section(name)}" for name in self.programs if name not in order)
        note = "<!-- Made by docs/lab/verification.py from docs/lab/verification/: change those. -->\n"
        self.text = note + re.sub(r"\n{3,}", "\n\n", made).rstrip() + "\n"

    def template(self, name):
        try:
            with open(os.path.join(self.folder, name), encoding="utf-8") as file:
                return file.read()
        except OSError:
            self.problems.append(f"docs/lab/verification/{name}: missing; the section has no heading and no prose")
            return f"## {os.path.splitext(name)[0]}\n"

    def fill(self, text, makers, where):
        """Replaces {{name argument}}; a maker takes the argument, where it has one."""
        def replace(match):
            name, _, argument = match.group(1).partition(" ")
            try:
                return makers[name](argument) if argument else makers[name]()
            except (KeyError, TypeError):
                self.problems.append(f"docs/lab/verification/{where}: {match.group(0)} stands for nothing")
                return match.group(0)

        return PLACEHOLDER.sub(replace, text)

    def placed_section(self, name):
        return self.sections[name][1]

    def section(self, program):
        """Heading and text of one program."""
        name = os.path.splitext(program)[0] + ".md"
        records = [record for record in self.records if record["program"] == program]
        rows = [row for row in self.rows if row["record"]["program"] == program]
        if not records:
            self.problems.append(f"docs/lab/verification/page.md: {{{{section {program}}}}} has no evidence")
        tables = evidence.merged_tables(records)

        def take_tables(caption=None):
            taken = [t for t in tables if caption in (None, t["caption"])]
            if caption and not taken:
                raise KeyError(caption)
            tables[:] = [t for t in tables if t not in taken]
            return "\n".join(line for t in taken for line in data_table(t))

        text = self.fill(self.template(name), {
            "table": take_tables, "tables": take_tables, "figure": self.figure,
            "measured": lambda what: self.value(rows, what)}, name)
        heading = re.search(r"^## (.*)", text, re.M)
        unplaced = [panel["id"] for record in records for panel in record["figures"]]
        lines = [text.rstrip(), ""]
        for name in dict.fromkeys(unplaced):
            if name not in self.placed and f"verification_{name}.png" not in text:
                lines += [self.figure(name), ""]
        for test, title in dict.fromkeys(map(evidence.block, records)):
            lines += [f"**{title[:1].upper() + title[1:]}** (`{test}`)", ""]
            lines += [line for t in tables if t["block"] == (test, title) for line in data_table(t)]
            lines += self.checks([row for row in rows if evidence.block(row["record"]) == (test, title)])
        lines += self.commands(records)
        return heading.group(1) if heading else program, "\n".join(lines)

    def figure(self, name):
        panels = self.figures[name]
        self.placed.add(name)
        return f"![{'; '.join(panel['title'] for panel in panels)}](figures/verification_{name}.png)"

    def value(self, rows, what):
        """{{measured Suite.Name: what}}; of several grids the last."""
        test, _, what = what.partition(": ")
        found = [row for row in rows
                 if row["what"] == what and evidence.base_name(row["record"]["test"]) == test]
        if not found:
            raise KeyError(what)
        return measured(found[-1])

    def checks(self, rows):
        lines = [[row["what"], row["against"], row["grid"], measured(row), bound(row)] for row in rows]
        return [*table_lines(["check", "against", "grid", "measured", "bound"], lines), ""] if lines else []

    def commands(self, records):
        lines = []
        for record in records:
            line = record["command"]
            if line.startswith("build/tests/"):
                line = line.split()[0]
            if record["mode"] == "full":
                line = "LBM_VERIFICATION=full " + line
            lines.append(line)
        # A mark for tests/docs: tools read runs on a GPU.
        mark = [] if all("build/tests/" in line for line in lines) else ["<!-- test: not run: a GPU -->"]
        return [*mark, "```sh", *dict.fromkeys(lines), "```", ""]

    def summary(self):
        rows = []
        for program in dict.fromkeys([*self.sections]):
            heading = self.sections[program][0]
            for row in self.rows:
                if row["headline"] and row["record"]["program"] == program:
                    title = f"[{row['record']['title']}](#{anchor(heading)}): {row['what']}"
                    rows.append([title, row["against"], row["grid"], measured(row), bound(row)])
        return "\n".join(table_lines(["what", "against", "grid", "measured", "bound"], rows))

    def evidence_table(self):
        rows = []
        for each in self.sets:
            records = [record for record in self.records if record["set"] == each["name"]]
            modes = ", ".join(sorted({record["mode"] for record in records}))
            rows.append([f"[{each['name']}](verification/{each['name']}.json)", f"{len(records)}, {modes}",
                         each["commit"], each["date"], each["machine"], each["compiler"]])
        return "\n".join(table_lines(["evidence", "tests used", "commit", "date", "machine", "compiler"], rows))
