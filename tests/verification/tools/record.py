# SPDX-License-Identifier: Apache-2.0
"""The Python twin of evidence.hpp, for tools that measure what no test can: runs on a GPU.

    record = Record("cubic_cavity.py", "CubicCavity.Re1000", "cubic cavity, Re 1000",
                    against="a paper", command="tests/verification/tools/cubic_cavity.py out/*")
    record.check("96^3", "u_min", matches=(-0.2821, -0.2804), bound=0.02)
    record.check("96^3", "deviation", below=0.62, bound=2, unit="%")
    record.table("a caption", ["cells", ("error", "{:+.2f} %")], [["96^3", 0.61]])
    record.curve("cubic", "along z", "u / lid velocity", "z / edge", "96^3", x, y)
    record.write("evidence")                    # evidence/CubicCavity.Re1000.json
    sys.exit(0 if record.passed else 1)

then: docs/lab/verification.py collect evidence docs/lab/verification/h100.json --machine 'NVIDIA H100 ...'
"""

import json
import math
import os


class Record:
    def __init__(self, program, test, title, against, command, mode="quick"):
        self.against = against
        self.record = {"program": program, "test": test, "title": title, "command": command,
                       "mode": mode, "passed": True, "checks": [], "tables": [], "figures": []}

    @property
    def passed(self):
        return self.record["passed"]

    def check(self, grid, what, *, bound, below=None, above=None, within=None, between=None,
              matches=None, unit="", against=None, headline=False):
        """One of: below, above, within (|deviation| < bound), between (bound: low, high); or matches
        (value, reference), whose relative deviation must be within the share `bound` and is given in
        percent. Returns whether it is met; not a number never is."""
        given = {"<": below, ">": above, "within": within, "between": between, "matches": matches}
        (relation, measured), = ((k, v) for k, v in given.items() if v is not None)
        extra = {}
        if relation == "matches":
            value, reference = measured
            extra = {"value": value, "reference": reference}
            relation, unit = "within", "%"
            measured, bound = 100 * (value / reference - 1), 100 * bound
        met = {"<": lambda: measured < bound, ">": lambda: measured > bound,
               "within": lambda: abs(measured) < bound,
               "between": lambda: bound[0] <= measured <= bound[1]}[relation]()
        self.record["checks"].append({
            "what": what, "against": against or self.against, "grid": grid, "relation": relation,
            "measured": measured if math.isfinite(measured) else None, "bound": bound, "unit": unit,
            **extra, "passed": met, "headline": headline})
        self.record["passed"] = self.passed and met
        return met

    def table(self, caption, columns, rows):
        """columns: names, or (name, format of numbers); None in a row stays blank."""
        columns = [{"name": c, "format": "{:g}"} if isinstance(c, str) else
                   {"name": c[0], "format": c[1]} for c in columns]
        self.record["tables"].append({"caption": caption, "columns": columns, "rows": rows})

    def curve(self, figure, panel, x_label, y_label, name, x, y, *, style="line", kind="computed",
              log_x=False, log_y=False):
        """Adds to the panel of this title of docs/figures/verification_<figure>.png. style: line or
        points; kind: computed or reference."""
        if len(x) != len(y):
            raise ValueError(f"{name}: {len(x)} values of x and {len(y)} of y")
        panels = self.record["figures"]
        found = next((p for p in panels if (p["id"], p["title"]) == (figure, panel)), None)
        if found is None:
            found = {"id": figure, "title": panel, "x_label": x_label, "y_label": y_label,
                     "log_x": log_x, "log_y": log_y, "series": []}
            panels.append(found)
        found["series"].append({"name": name, "style": style, "kind": kind,
                                "x": [float(f"{v:.6g}") for v in x], "y": [float(f"{v:.6g}") for v in y]})

    def write(self, folder):
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, self.record["test"].replace("/", "-") + ".json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.record, file, indent=1)
        return path
