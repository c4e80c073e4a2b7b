#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the letters of pictures once, large: glyphs.png and glyphs.hpp, from DejaVu Sans 2.37 (LICENSE).

    make_glyphs.py DejaVuSans.ttf          needs Pillow; writes both files beside this script

Letters lie in cells of equal size, 16 in a row, in the order of glyphs.hpp. Grey is how much of a pixel is covered.
"""

import pathlib
import sys

from PIL import Image, ImageDraw, ImageFont

LETTERS = [chr(c) for c in range(0x20, 0x7F)] + list("°²³µ·×¹⁻−ρωΔ→\N{REPLACEMENT CHARACTER}")
SIZE, WIDTH, HEIGHT, LEFT, BASE, COLUMNS = 48, 64, 64, 8, 48, 16


def main():
    font = ImageFont.truetype(sys.argv[1], SIZE)
    here = pathlib.Path(__file__).parent
    rows = -(-len(LETTERS) // COLUMNS)
    image = Image.new("L", (COLUMNS * WIDTH, rows * HEIGHT), 0)
    draw = ImageDraw.Draw(image)
    for at, letter in enumerate(LETTERS):
        place = (at % COLUMNS * WIDTH + LEFT, at // COLUMNS * HEIGHT + BASE)
        draw.text(place, letter, fill=255, font=font, anchor="ls")
    image.save(here / "glyphs.png", optimize=True)
    table = [f"{{0x{ord(letter):04x}, {font.getlength(letter):.0f}}}" for letter in LETTERS]
    lines = [", ".join(table[i:i + 6]) for i in range(0, len(table), 6)]
    (here / "glyphs.hpp").write_text(f"""// SPDX-License-Identifier: Apache-2.0

// The letters of pictures: where each lies in glyphs.png. Written by make_glyphs.py.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace lbm::io {{

// The file glyphs.png. io/CMakeLists.txt makes the source.
std::span<const std::uint8_t> glyphs_png();

namespace glyphs {{

inline constexpr int size = {SIZE};  // of the font, in pixels
inline constexpr int columns = {COLUMNS}, width = {WIDTH}, height = {HEIGHT};  // cells
inline constexpr int left = {LEFT}, base = {BASE};  // the origin of a letter in its cell

struct Glyph {{
  int code_point;
  int advance;  // pixels to the origin of the next letter
}};

// The last one stands for all others.
inline constexpr std::array<Glyph, {len(LETTERS)}> all{{{{
    {(",%s    " % chr(10)).join(lines)}}}}};

}}  // namespace glyphs
}}  // namespace lbm::io
""", encoding="utf-8")


main()
