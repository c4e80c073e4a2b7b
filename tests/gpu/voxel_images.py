# SPDX-License-Identifier: Apache-2.0
"""Images of voxels for studies, with the standard library alone."""

import math


def spheres_image(cells, spheres):
    """Rows of voxels [z][y], 1 in the spheres (x, y, z, radius; in voxels) of a periodic cube, else 0."""
    rows = [[bytearray(cells) for _ in range(cells)] for _ in range(cells)]
    for x, y, z, radius in spheres:
        for k in range(math.floor(z - radius), math.ceil(z + radius)):
            for j in range(math.floor(y - radius), math.ceil(y + radius)):
                half = radius ** 2 - (j + 0.5 - y) ** 2 - (k + 0.5 - z) ** 2
                if half <= 0:
                    continue
                row = rows[k % cells][j % cells]
                for i in range(math.ceil(x - math.sqrt(half) - 0.5), math.floor(x + math.sqrt(half) - 0.5) + 1):
                    row[i % cells] = 1
    return rows


def write_npy(path, rows):
    shape = (len(rows), len(rows[0]), len(rows[0][0]))
    header = f"{{'descr': '|u1', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
        for plane in rows:
            file.writelines(plane)


def solid_share(rows):
    return sum(sum(row) for plane in rows for row in plane) / (len(rows) * len(rows[0]) * len(rows[0][0]))
