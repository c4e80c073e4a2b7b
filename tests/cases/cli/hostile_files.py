# SPDX-License-Identifier: Apache-2.0
"""Files of up to 1 MiB that ask for much: what check_limits.py gives to `lbm check`."""
import gzip
import math
import random
import struct

MOST = 1 << 20
# The reader takes no more keys and values than this; a few less are the worst that it accepts.
MOST_NODES = 185_000


def head(cells=16):
    size = [cells] * 3 if isinstance(cells, int) else list(cells)
    return f"grid: {{cells: {size}}}\nfluid: {{reynolds: 10}}\nrun: {{steps: 9}}\n"


def many(section, line, nodes, cells=16):
    """A case with as many lines in a section as the reader takes, `nodes` keys and values in each."""
    text = head(cells) + section
    parts = [text]
    length = len(text)
    for i in range(MOST_NODES // nodes):
        part = line(i) + "\n"
        length += len(part)
        if length > MOST:
            break
        parts.append(part)
    return "".join(parts)


def stl(triangles):
    """A binary STL file."""
    rows = (struct.pack("<12fH", 0, 0, 0, *a, *b, *c, 0) for a, b, c in triangles)
    return b"\0" * 80 + struct.pack("<I", len(triangles)) + b"".join(rows)


def ball(parallels, meridians, radius, centre):
    def place(i, j):
        a, b = math.pi * i / parallels, 2 * math.pi * (j % meridians) / meridians
        return (centre + radius * math.sin(a) * math.cos(b), centre + radius * math.sin(a) * math.sin(b),
                centre + radius * math.cos(a))

    triangles = []
    for i in range(parallels):
        for j in range(meridians):
            corners = place(i, j), place(i + 1, j), place(i + 1, j + 1), place(i, j + 1)
            if i > 0:
                triangles.append((corners[0], corners[1], corners[3]))
            if i < parallels - 1:
                triangles.append((corners[1], corners[2], corners[3]))
    return triangles


def combination(i, n, parts, kind="union"):
    return f" b{i}: {{shape: {kind}, of: [{parts}], solid: {'false' if i else 'true'}}}\n"


def texts():
    """Files that are hardly YAML."""
    yield "brackets", "[" * MOST
    yield "maps_in_maps", "{a: " * (MOST // 4)
    yield "lists_in_lists", "- " * (MOST // 2)
    yield "questions", "? " * (MOST // 2)
    yield "indented", "".join(" " * i + "a:\n" for i in range(1400))
    yield "one_word", "a" * MOST
    yield "one_text", '"' + "\\n" * (MOST // 2 - 1) + '"'
    yield "commas", "[" + "," * (MOST - 2) + "]"
    yield "documents", "---\n" * (MOST // 4)
    yield "tags", "".join(f"%TAG !a{i}! tag:x{i}:\n" for i in range(40_000)) + "--- a\n"
    yield "comments", "# x\n" * (MOST // 4)
    yield "zeros", b"\0" * MOST
    yield "bytes", random.Random(1).randbytes(MOST)
    letters = b" \n:-[]{}#&*!|>'\"%@`,?abc019"
    yield "signs", bytes(random.Random(2).choices(letters, k=MOST))
    bomb = [f"{b}: &{b} [{','.join(['*' + a] * 8)}]\n" for a, b in zip("abcdefghijkl", "bcdefghijklm")]
    yield "bomb", "a: &a [x]\n" + "".join(bomb)
    yield "aliases", head() + "x: &a 1\ny: [" + ",".join(["*a"] * 250_000) + "]\n"
    yield "merges", head() + "x: &a {b: 1}\n" + "".join(f"y{i}: {{<<: *a}}\n" for i in range(40_000))
    yield "unknown_keys", many("", lambda i: f"kee{i}: 1", 2)
    yield "long_key", head() + "fluid: {" + "r" * (MOST - 500) + ": 1}\n"
    yield "long_name", head() + "name: " + "n" * (MOST - 500) + "\n"
    yield "long_number", head() + "device: {index: " + "9" * (MOST - 500) + "}\n"


def sections():
    """Cases of thousands of items."""
    yield "outputs", many("outputs:\n", lambda i: f" o{i}: {{every_steps: 3}}", 4)
    yield "isosurfaces", many("outputs:\n", lambda i: f" o{i}: {{isosurface: velocity, value: 0.1}}", 6)
    yield "statistics", many("statistics:\n", lambda i: f" s{i}: {{every_steps: 1}}", 4, 64)
    yield "probes", many("probes:\n", lambda i: f" p{i}: {{points: [[1,2,3]]}}", 8)
    yield "expectations", many("expect:\n", lambda i: f" e{i}: {{quantity: mass, value: 1, tolerance: 0.1}}", 8)
    yield "profiles", many("expect:\n", lambda i: f" e{i}: {{quantity: profile, profile: x, column: ux, "
                           "file: profile.csv, tolerance: 0.1}", 12)
    yield "times", head() + "output: {times: [" + ",".join(f"{i / 2e6}" for i in range(1, 90_000)) + "]}\n"
    yield "patches", many("boundaries:\n z_min:\n  patches:\n", lambda i: f"   p{i}: {{box: [1,2,1,2], type: velocity}}", 10)
    yield "tables", many("boundaries:\n z_min:\n  patches:\n", lambda i: f"   p{i}: {{box: [{i % 9},9,1,9], "
                         "type: velocity, profile: table, file: inlet.csv}", 13)[:9_000].rsplit("\n", 1)[0] + "\n"


def bodies():
    """Cases whose bodies take long to combine, to read or to find cell by cell."""
    yield "spheres", many("bodies:\n", lambda i: f" b{i}: {{shape: sphere, center: [32,32,32], radius: {20 + i / 1e4}}}", 12, 64)
    yield "cylinders", many("bodies:\n", lambda i: f" b{i}: {{shape: cylinder, from: [{i * 7 % 500},2,3], "
                            f"to: [{i * 11 % 500},490,{i * 13 % 500}], radius: 80}}", 16, 500)
    yield "hollow", many("bodies:\n s: {shape: sphere, center: [32,32,32], radius: 30, solid: false}\n",
                         lambda i: f" b{i}: {{shape: difference, of: [s, s], translate: [0,0,{i / 1e5}]}}", 14, 64)
    yield "thin", head((8, 8, 1_000_000)) + "bodies: {a: {shape: cylinder, from: [4,4,0], to: [4,4,1e6], radius: 2}}\n"
    yield "large", (head(640) + "lattice: {storage: fp16}\n"
                    "bodies: {a: {shape: sphere, center: [250,250,250], radius: 200}}\n")
    yield "wide", (head((8000, 8000, 2)) + "lattice: {storage: fp16}\nboundaries: {z_min: {type: velocity, "
                   "velocity: [0,0,1], profile: duct}, z_max: pressure}\n")
    n = 60
    last = f" b{n}: {{shape: sphere, center: [4,4,4], radius: 2, solid: false}}\n"
    yield "doubling", head() + "bodies:\n" + "".join(combination(i, n, f"b{i + 1}, b{i + 1}") for i in range(n)) + last
    yield "all_of_all", (head() + "bodies:\n" + "".join(
        combination(i, n, ", ".join(f"b{j}" for j in range(i + 1, n + 1)), ("union", "difference")[i % 2])
        for i in range(n)) + last)
    yield "chain", head() + "bodies:\n" + "".join(combination(i, n, f"b{i + 1}") for i in range(15_000)) + last
    yield "rings", head() + "bodies:\n" + "".join(
        combination(i, n, f"b{(i + 1) % 10_000}, b{(i + 7) % 10_000}") for i in range(10_000))
    yield "copies_of_a_file", many("bodies:\n", lambda i: f" b{i}: {{shape: stl, file: ball.stl}}", 6, 64)
    yield "moved_copies", many("bodies:\n", lambda i: f" b{i}: {{shape: stl, file: ball.stl, translate: [0,0,{i / 1e4}]}}", 10, 64)
    for name in ("soup", "same", "fan", "flat", "long_name"):
        yield f"stl_{name}", head(64) + f"bodies: {{a: {{shape: stl, file: {name}.stl}}}}\n"
    for name in ("soup.stl", "same.stl", "fan.stl", "ball.stl", "crowd.obj", "stars.obj", "points.ply", "packed.obj.gz"):
        for mode in ("fill", "shell"):
            yield f"{mode}_{name}", head(64) + f"bodies: {{a: {{shape: surface, file: {name}, open: {mode}}}}}\n"
    for name in ("bomb.obj.gz", "packed.obj.gz", "crowd.obj", "groups.obj", "stars.obj", "points.ply"):
        yield f"surface_{name}", head(64) + f"bodies: {{a: {{shape: surface, file: {name}}}}}\n"
    yield "wanted_solids", (head(64) + "bodies: {a: {shape: surface, file: groups.obj, solids: ["
                            + ",".join(f"w{i}" for i in range(100_000)) + "]}}\n")
    yield "filled_copies", many("bodies:\n", lambda i: f" b{i}: {{shape: surface, file: soup.stl, open: fill, "
                                f"translate: [0,0,{i / 1e4}]}}", 12, 64)
    yield "large_shell", head((500, 500, 8)) + "bodies: {a: {shape: surface, file: soup.stl, open: shell, scale: 7}}\n"
    yield "large_fill", head((500, 500, 8)) + "bodies: {a: {shape: surface, file: soup.stl, open: fill, scale: 7}}\n"


def slow(variable):
    """A formula of hardly less than 1000 characters that takes as long as any."""
    return "1e-3*" + "sin(" * 198 + variable + ")" * 198


def formulas():
    """Formulas that are no formulas, deep, slow to compute or asked for everywhere."""
    flow = "initial: {flow: formula, velocity: [%s, 0, 0]}\n"
    for name, text in (("brackets", "(" * (MOST - 200)), ("brackets_allowed", "(" * 1000), ("closed", "(" * 499 + "x" + ")" * 499),
                       ("signs", "-" * 1000), ("questions", "x?" * 499 + "x"), ("names", "a" * 1000), ("powers", "x" + "^x" * 499),
                       ("commas", "max(" + "x," * 490 + "x)"), ("bytes", "\\x80" * 200)):
        yield f"formula_{name}", head() + flow % f'"{text}"'
    size = "grid: {cells: [640, 640, 640]}\nfluid: {reynolds: 10}\nrun: {steps: 1000000}\nlattice: {storage: fp16}\n"
    three = f'["{slow("x")}", "{slow("x")}", "{slow("x")}"]'
    times = f'["{slow("t")}", "{slow("t")}", "{slow("t")}"]'
    yield "formula_large", size + f'initial: {{flow: formula, velocity: {three}, pressure: "{slow("z")}"}}\n'
    yield "formula_force", size + f"force: {{acceleration: {times}}}\n"
    yield "formula_wide", (head((8000, 8000, 2)) + "lattice: {storage: fp16}\nboundaries: {z_min: {type: velocity, "
                           f"velocity: {three}}}, z_max: pressure}}\n")
    patch = lambda i: f'   p{i}: {{box: [{i},100,1,9], type: velocity, velocity: {three}, velocity_factor: "{slow("t")}"}}\n'
    yield "formula_patches", size + "boundaries:\n z_max: outflow\n z_min:\n  patches:\n" + "".join(map(patch, range(26)))


def files():
    """Files that the cases name."""
    yield "ball.stl", stl(ball(100, 104, 20, 32))
    draw = random.Random(3).random
    corner = lambda: (draw() * 60 + 2, draw() * 60 + 2, draw() * 60 + 2)
    yield "soup.stl", stl([(corner(), corner(), corner()) for _ in range(20_900)])
    yield "same.stl", stl([((1, 1, 1), (5, 1, 1), (1, 5, 1))] * 20_900)
    edge = lambda i: (8 + 5 * math.cos(i), 8 + 5 * math.sin(i), 8)
    yield "fan.stl", stl([((8, 8, 8), edge(i), edge(i + 1)) for i in range(20_900)])
    yield "flat.stl", stl([((8, 8, 8),) * 3] * 20_900)
    yield "long_name.stl", "solid " + "a" * (MOST - 100) + "\nendsolid\n"
    square = "v 2 2 2\nv 60 2 2\nv 60 60 2\nv 2 60 2\nv 30 30 60\n"
    yield "bomb.obj.gz", gzip.compress(square.encode()) + gzip.compress(b"\n" * MOST) * 990
    # As much as the reader unpacks, faces of two bytes a corner; random bytes in a comment keep the ratio low.
    faces = gzip.compress((("f" + " 1 2 3 4" * 1250 + "\n") * 1000).encode())
    noise = gzip.compress(b"#" + bytes(random.Random(4).choices(range(48, 127), k=1_000_000)))
    yield "packed.obj.gz", gzip.compress(square.encode()) + faces * 5 + noise
    yield "crowd.obj", (square + ("f" + " 1 2 3 4" * 1250 + "\n") * 104)[:MOST].rsplit("\n", 1)[0] + "\n"
    yield "groups.obj", square + "".join(f"g {i} a{i}\nf 1 2 3\n" for i in range(40_000))
    star = lambda i: (30 + (5 + 20 * (i % 2)) * math.cos(i * math.pi / 500), 30 + (5 + 20 * (i % 2)) * math.sin(i * math.pi / 500))
    yield "stars.obj", ("".join("v {:.4f} {:.4f} 9\n".format(*star(i)) for i in range(1000))
                        + ("f " + " ".join(str(i + 1) for i in range(1000)) + "\n") * 260)[:MOST].rsplit("\n", 1)[0] + "\n"
    header = (b"ply\nformat binary_little_endian 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
              b"element face %d\nproperty list uchar uchar vertex_index\nend_header\n")
    corners = struct.pack("<12f", 2, 2, 2, 60, 2, 2, 60, 60, 2, 30, 30, 60)
    yield "points.ply", header % 4090 + corners + (b"\xff" + b"\0\1\2\3\2" * 51) * 4090
    yield "profile.csv", "".join(f"{i / 40_000:.5f},{i}\n" for i in range(40_000))
    yield "inlet.csv", "".join(f"{i % 180 / 11:.4f},{i // 180 / 11:.4f},0,0,1\n" for i in range(180 * 180))
    yield "scattered.csv", "".join(f"{draw() * 16:.6f},{draw() * 16:.6f},0,0,1\n" for _ in range(36_000))


def cases():
    """(name, content) of each case file."""
    yield from texts()
    yield from sections()
    yield from bodies()
    yield from formulas()
    yield "scattered", head() + "boundaries: {z_min: {type: velocity, profile: table, file: scattered.csv}, z_max: pressure}\n"


def write(folder):
    """Writes all files and returns the paths of the cases."""
    paths = []
    for is_case, pairs in ((False, files()), (True, cases())):
        for name, content in pairs:
            path = folder / (f"{name}.yaml" if is_case else name)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
            assert path.stat().st_size <= MOST, f"{path.name} is larger than 1 MiB"
            if is_case:
                paths.append(path)
    return paths
