// SPDX-License-Identifier: Apache-2.0
#include "io/picture/colour_map.hpp"

#include <algorithm>
#include <cstdint>

namespace lbm::io {
namespace {

// Colours at equal distances, 0xrrggbb, from Matplotlib 3.11; those between are interpolated (at
// most 5 of 255 away from the whole map).
constexpr std::size_t table_points = 33;
using Table = std::array<std::uint32_t, table_points>;

constexpr Table viridis{0x440154, 0x470d60, 0x48186a, 0x482374, 0x472d7b, 0x453781, 0x424086,
                        0x3e4989, 0x3b528b, 0x375b8d, 0x33638d, 0x2f6b8e, 0x2c728e, 0x297a8e,
                        0x26828e, 0x23898e, 0x21918c, 0x1f988b, 0x1fa088, 0x22a785, 0x28ae80,
                        0x32b67a, 0x3fbc73, 0x4ec36b, 0x5ec962, 0x70cf57, 0x84d44b, 0x98d83e,
                        0xaddc30, 0xc2df23, 0xd8e219, 0xece51b, 0xfde725};

constexpr Table inferno{0x000004, 0x040312, 0x0b0724, 0x150b37, 0x210c4a, 0x2f0a5b, 0x3d0965,
                        0x4a0c6b, 0x57106e, 0x64156e, 0x71196e, 0x7d1e6d, 0x8a226a, 0x972766,
                        0xa32c61, 0xb0315b, 0xbc3754, 0xc73e4c, 0xd24644, 0xdb503b, 0xe45a31,
                        0xeb6628, 0xf1731d, 0xf68013, 0xf98e09, 0xfb9d07, 0xfcac11, 0xfbbc21,
                        0xf9cb35, 0xf5db4c, 0xf2ea69, 0xf3f68a, 0xfcffa4};

constexpr Table coolwarm{0x3b4cc0, 0x445acc, 0x4e68d8, 0x5875e1, 0x6282ea, 0x6c8ff1, 0x779af7,
                         0x82a6fb, 0x8db0fe, 0x98b9ff, 0xa3c2fe, 0xaec9fc, 0xb9d0f9, 0xc3d5f4,
                         0xccd9ed, 0xd5dbe5, 0xdddcdc, 0xe5d8d1, 0xecd3c5, 0xf1ccb8, 0xf5c4ac,
                         0xf7ba9f, 0xf7b093, 0xf6a586, 0xf4987a, 0xf08b6e, 0xeb7d62, 0xe46e56,
                         0xdd5f4b, 0xd44e41, 0xca3b37, 0xbe242e, 0xb40426};

Colour unpacked(std::uint32_t colour) {
  return {static_cast<std::uint8_t>(colour >> 16), static_cast<std::uint8_t>(colour >> 8 & 0xff),
          static_cast<std::uint8_t>(colour & 0xff)};
}

Colour interpolated(const Table& table, double value) {
  const double place = value * static_cast<double>(table_points - 1);
  const auto below = std::min(static_cast<std::size_t>(place), table_points - 2);
  return mixed(unpacked(table[below]), unpacked(table[below + 1]),
               place - static_cast<double>(below));
}

}  // namespace

Colour colour_of(ColourMap map, double value) {
  const double part = value > 0 ? std::min(value, 1.0) : 0.0;
  switch (map) {
    case ColourMap::viridis:
      return interpolated(viridis, part);
    case ColourMap::inferno:
      return interpolated(inferno, part);
    case ColourMap::coolwarm:
      return interpolated(coolwarm, part);
    case ColourMap::grey:
      break;
  }
  return mixed({0, 0, 0}, {255, 255, 255}, part);
}

}  // namespace lbm::io
