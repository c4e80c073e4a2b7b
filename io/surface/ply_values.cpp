// SPDX-License-Identifier: Apache-2.0
#include "io/surface/ply_values.hpp"

#include <fmt/format.h>

#include <bit>

#include "solver/core/error.hpp"

namespace lbm::io {
namespace {

// A word of text that ends the header, so that lines are counted from the first one.
LineWords words_behind(std::string_view bytes, const PlyHeader& header, const std::string& name) {
  LineWords words(bytes, name);
  for (std::int64_t n = 0; n < header.lines; ++n) words.next_line();
  words.next_line();
  return words;
}

double value_of(std::uint64_t bits, const PlyType& type) {
  if (type.kind == PlyType::Kind::real)
    return type.bytes == 4 ? std::bit_cast<float>(static_cast<std::uint32_t>(bits))
                           : std::bit_cast<double>(bits);
  if (type.kind == PlyType::Kind::natural) return static_cast<double>(bits);
  if (type.bytes == 1) return static_cast<std::int8_t>(bits);
  if (type.bytes == 2) return static_cast<std::int16_t>(bits);
  return static_cast<std::int32_t>(bits);
}

}  // namespace

PlyValues::PlyValues(std::string_view bytes, const PlyHeader& header, const std::string& name)
    : bytes_(bytes),
      name_(name),
      format_(header.format),
      words_(words_behind(bytes, header, name)),
      position_(header.bytes) {}

std::int64_t PlyValues::left() const {
  const std::size_t position = is_text() ? words_.position() : position_;
  return static_cast<std::int64_t>(bytes_.size() - position);
}

double PlyValues::next(const PlyType& type) {
  if (is_text()) {
    const std::string_view word = words_.next_word_of_text();
    if (word.empty())
      fail("the file ends within its values: it is cut short; export or copy it again");
    const auto value = number_of(word);
    if (!value)
      fail(fmt::format(
          "found '{}' where a number belongs: a damaged PLY file; export or copy it again",
          shown(word)));
    return *value;
  }
  const auto count = static_cast<std::size_t>(type.bytes);
  if (bytes_.size() - position_ < count)
    fail("the file ends within its values: it is cut short; export or copy it again");
  std::uint64_t bits = 0;
  for (std::size_t n = 0; n < count; ++n) {
    const std::size_t at = format_ == PlyFormat::big_endian ? n : count - 1 - n;
    bits = bits << 8U | static_cast<unsigned char>(bytes_[position_ + at]);
  }
  position_ += count;
  return value_of(bits, type);
}

void PlyValues::fail(const std::string& what) const {
  if (is_text()) words_.fail(what);
  throw UsageError(name_ + ": " + what);
}

}  // namespace lbm::io
