// SPDX-License-Identifier: Apache-2.0

// The values behind the header of a PLY file.
#pragma once

#include "io/surface/line_words.hpp"
#include "io/surface/ply_header.hpp"

namespace lbm::io {

// Reads values one by one. Bytes and name must outlive it. Throws UsageError, one line that begins
// with `name` (and the line of a text), at the end of the file and for a word that is no number.
class PlyValues {
 public:
  PlyValues(std::string_view bytes, const PlyHeader& header, const std::string& name);

  double next(const PlyType& type);
  // Bytes that are left.
  std::int64_t left() const;
  bool is_text() const { return format_ == PlyFormat::text; }

  [[noreturn]] void fail(const std::string& what) const;

 private:
  std::string_view bytes_;
  const std::string& name_;
  PlyFormat format_;
  LineWords words_;
  std::size_t position_;
};

}  // namespace lbm::io
