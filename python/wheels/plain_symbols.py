#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the unique symbols of shared libraries ordinary (weak) ones: plain_symbols.py LIBRARY...

g++ marks some objects of the C++ library as unique in the whole process (STB_GNU_UNIQUE), such as the numbers of the
facets of locales. A library that holds its own C++ library would then share them with another one that Python has loaded
already, and half of each would be used. Ordinary symbols are looked up in the library and what it was loaded with.
Changes 64-bit little-endian ELF files in place.
"""

import struct
import sys

UNIQUE, WEAK, DYNSYM = 10, 2, 11


def make_plain(name: str) -> int:
    with open(name, "r+b") as file:
        data = bytearray(file.read())
        assert data[:6] == b"\x7fELF\x02\x01", f"{name}: not a 64-bit little-endian ELF file"
        (sections,) = struct.unpack_from("<Q", data, 40)
        size, count = struct.unpack_from("<HH", data, 58)
        changed = 0
        for i in range(count):
            kind, _, _, offset, length, _, _, _, entry = struct.unpack_from("<IQQQQIIQQ", data, sections + i * size + 4)
            if kind != DYNSYM:
                continue
            for at in range(offset + 4, offset + length, entry):
                if data[at] >> 4 == UNIQUE:
                    data[at] = WEAK << 4 | data[at] & 15
                    changed += 1
        file.seek(0)
        file.write(data)
    return changed


def main() -> None:
    for name in sys.argv[1:]:
        print(f"{name}: {make_plain(name)} symbols")


if __name__ == "__main__":
    main()
