// SPDX-License-Identifier: Apache-2.0

// The letters of pictures: where each lies in glyphs.png. Written by make_glyphs.py.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace lbm::io {

// The file glyphs.png. io/CMakeLists.txt makes the source.
std::span<const std::uint8_t> glyphs_png();

namespace glyphs {

inline constexpr int size = 48;                              // of the font, in pixels
inline constexpr int columns = 16, width = 64, height = 64;  // cells
inline constexpr int left = 8, base = 48;                    // the origin of a letter in its cell

struct Glyph {
  int code_point;
  int advance;  // pixels to the origin of the next letter
};

// The last one stands for all others.
inline constexpr std::array<Glyph, 109> all{
    {{0x0020, 15}, {0x0021, 19}, {0x0022, 22}, {0x0023, 40}, {0x0024, 31}, {0x0025, 46},
     {0x0026, 37}, {0x0027, 13}, {0x0028, 19}, {0x0029, 19}, {0x002a, 24}, {0x002b, 40},
     {0x002c, 15}, {0x002d, 17}, {0x002e, 15}, {0x002f, 16}, {0x0030, 31}, {0x0031, 31},
     {0x0032, 31}, {0x0033, 31}, {0x0034, 31}, {0x0035, 31}, {0x0036, 31}, {0x0037, 31},
     {0x0038, 31}, {0x0039, 31}, {0x003a, 16}, {0x003b, 16}, {0x003c, 40}, {0x003d, 40},
     {0x003e, 40}, {0x003f, 25}, {0x0040, 48}, {0x0041, 33}, {0x0042, 33}, {0x0043, 34},
     {0x0044, 37}, {0x0045, 30}, {0x0046, 28}, {0x0047, 37}, {0x0048, 36}, {0x0049, 14},
     {0x004a, 14}, {0x004b, 31}, {0x004c, 27}, {0x004d, 41}, {0x004e, 36}, {0x004f, 38},
     {0x0050, 29}, {0x0051, 38}, {0x0052, 33}, {0x0053, 30}, {0x0054, 29}, {0x0055, 35},
     {0x0056, 33}, {0x0057, 47}, {0x0058, 33}, {0x0059, 29}, {0x005a, 33}, {0x005b, 19},
     {0x005c, 16}, {0x005d, 19}, {0x005e, 40}, {0x005f, 24}, {0x0060, 24}, {0x0061, 29},
     {0x0062, 30}, {0x0063, 26}, {0x0064, 30}, {0x0065, 30}, {0x0066, 17}, {0x0067, 30},
     {0x0068, 30}, {0x0069, 13}, {0x006a, 13}, {0x006b, 28}, {0x006c, 13}, {0x006d, 47},
     {0x006e, 30}, {0x006f, 29}, {0x0070, 30}, {0x0071, 30}, {0x0072, 20}, {0x0073, 25},
     {0x0074, 19}, {0x0075, 30}, {0x0076, 28}, {0x0077, 39}, {0x0078, 28}, {0x0079, 28},
     {0x007a, 25}, {0x007b, 31}, {0x007c, 16}, {0x007d, 31}, {0x007e, 40}, {0x00b0, 24},
     {0x00b2, 19}, {0x00b3, 19}, {0x00b5, 31}, {0x00b7, 15}, {0x00d7, 40}, {0x00b9, 19},
     {0x207b, 25}, {0x2212, 40}, {0x03c1, 30}, {0x03c9, 40}, {0x0394, 33}, {0x2192, 40},
     {0xfffd, 49}}};

}  // namespace glyphs
}  // namespace lbm::io
