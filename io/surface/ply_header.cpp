// SPDX-License-Identifier: Apache-2.0
#include "io/surface/ply_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "io/surface/line_words.hpp"

namespace lbm::io {
namespace {

constexpr std::size_t most_elements = 100, most_properties = 1000;

std::optional<PlyType> type_of(std::string_view word) {
  using enum PlyType::Kind;
  static constexpr std::array<std::pair<std::string_view, PlyType>, 16> types{{
      {"char", {1, whole}},
      {"int8", {1, whole}},
      {"uchar", {1, natural}},
      {"uint8", {1, natural}},
      {"short", {2, whole}},
      {"int16", {2, whole}},
      {"ushort", {2, natural}},
      {"uint16", {2, natural}},
      {"int", {4, whole}},
      {"int32", {4, whole}},
      {"uint", {4, natural}},
      {"uint32", {4, natural}},
      {"float", {4, real}},
      {"float32", {4, real}},
      {"double", {8, real}},
      {"float64", {8, real}},
  }};
  for (const auto& [name, type] : types)
    if (name == word) return type;
  return std::nullopt;
}

class HeaderReader {
 public:
  HeaderReader(std::string_view bytes, const std::string& name) : lines_(bytes, name) {}

  PlyHeader read() {
    next_line();  // "ply", as is_ply() saw
    next_line();
    format();
    for (;;) {
      next_line();
      const std::string_view word = lines_.next_word();
      if (word == "end_header") break;
      if (word == "element") {
        element();
      } else if (word == "property") {
        property();
      } else if (word != "comment" && word != "obj_info" && !word.empty()) {
        wrong(word, "element, property, comment or end_header");
      }
    }
    lines_.next_line();
    header_.bytes = lines_.position();
    header_.lines = count_;
    return std::move(header_);
  }

 private:
  void next_line() {
    if (!lines_.next_line())
      lines_.fail("the file ends before 'end_header': it is cut short; export or copy it again");
    ++count_;
  }

  [[noreturn]] void wrong(std::string_view found, std::string_view allowed) const {
    lines_.fail(
        fmt::format("found '{}' where {} belongs: a damaged PLY file; export or copy it again",
                    shown(found), allowed));
  }

  void format() {
    if (const auto word = lines_.next_word(); word != "format") wrong(word, "format");
    const std::string_view word = lines_.next_word();
    if (word == "ascii")
      header_.format = PlyFormat::text;
    else if (word == "binary_little_endian")
      header_.format = PlyFormat::little_endian;
    else if (word == "binary_big_endian")
      header_.format = PlyFormat::big_endian;
    else
      wrong(word, "ascii, binary_little_endian or binary_big_endian");
    if (const auto version = lines_.next_word(); version != "1.0") wrong(version, "version 1.0");
  }

  void element() {
    PlyElement element;
    element.name = lines_.next_word();
    const std::string_view word = lines_.next_word();
    const auto count = whole_number_of(word);
    if (!count || *count < 0) wrong(word, "the number of elements");
    element.count = *count;
    header_.elements.push_back(std::move(element));
    if (header_.elements.size() > most_elements)
      lines_.fail(fmt::format("found more than {} elements, must be fewer; export the file again",
                              most_elements));
  }

  PlyType type() {
    const std::string_view word = lines_.next_word();
    const auto type = type_of(word);
    if (!type) wrong(word, "a type such as float or int32");
    return *type;
  }

  void property() {
    if (header_.elements.empty())
      lines_.fail("found a property before the first element; export the file again");
    PlyProperty property;
    LineWords ahead = lines_;
    if (ahead.next_word() == "list") {
      lines_.next_word();
      property.count = type();
      if (property.count->kind == PlyType::Kind::real)
        lines_.fail("found a list whose length is no whole number; export the file again");
    }
    property.type = type();
    property.name = lines_.next_word();
    auto& properties = header_.elements.back().properties;
    properties.push_back(std::move(property));
    if (properties.size() > most_properties)
      lines_.fail(fmt::format("found more than {} properties, must be fewer; export the file again",
                              most_properties));
  }

  LineWords lines_;
  PlyHeader header_;
  std::int64_t count_ = 0;
};

}  // namespace

std::int64_t PlyElement::least_bytes(bool text) const {
  std::int64_t bytes = 0;
  for (const PlyProperty& p : properties) bytes += text ? 2 : p.count.value_or(p.type).bytes;
  return bytes;
}

PlyHeader read_ply_header(std::string_view bytes, const std::string& name) {
  return HeaderReader(bytes, name).read();
}

}  // namespace lbm::io
