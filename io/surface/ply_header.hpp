// SPDX-License-Identifier: Apache-2.0

// The header of PLY files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lbm::io {

struct PlyType {
  int bytes = 0;
  enum class Kind { whole, natural, real } kind = Kind::whole;
};

struct PlyProperty {
  std::string name;
  PlyType type;                  // of the value, or of the items of a list
  std::optional<PlyType> count;  // of a list: the type of its length
};

struct PlyElement {
  std::string name;
  std::int64_t count = 0;
  std::vector<PlyProperty> properties;

  // Bytes that one of them takes at least.
  std::int64_t least_bytes(bool text) const;
};

enum class PlyFormat { text, little_endian, big_endian };

struct PlyHeader {
  PlyFormat format = PlyFormat::text;
  std::vector<PlyElement> elements;
  std::size_t bytes = 0;   // of the header
  std::int64_t lines = 0;  // likewise
};

// Throws UsageError, one line that begins with `name` and the line number, for a header that is
// damaged, cut short, of another version, or of more than 100 elements or 1000 properties.
PlyHeader read_ply_header(std::string_view bytes, const std::string& name);

}  // namespace lbm::io
