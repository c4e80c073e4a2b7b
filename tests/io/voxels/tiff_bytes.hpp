// SPDX-License-Identifier: Apache-2.0

// Makes TIFF files, also wrong ones.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace lbm::io::test {

// A file of pages, each the header of one image and its pieces.
class TiffBytes {
 public:
  struct Entry {
    int tag;
    int type;  // 2: text, 3: SHORT, 4: LONG, 16: LONG8
    std::vector<std::uint64_t> values;
  };
  using Tags = std::map<int, std::vector<std::uint64_t>>;

  explicit TiffBytes(bool big_endian = false, bool big_tiff = false)
      : big_endian_(big_endian), big_tiff_(big_tiff) {
    bytes_ = big_endian ? "MM" : "II";
    add(big_tiff ? 43 : 42, 2);
    if (big_tiff) {
      add(8, 2);
      add(0, 2);
    }
    link_ = bytes_.size();
    add(0, word());
  }

  // Adds bytes; returns where they begin.
  std::uint64_t add_bytes(const std::string& bytes) {
    const std::uint64_t at = bytes_.size();
    bytes_ += bytes;
    return at;
  }

  // Adds a directory. Tags with several values have these elsewhere; ratios are two numbers.
  TiffBytes& add_page(const Tags& tags, const std::string& description = "",
                      const Tags& ratios = {}) {
    std::map<int, std::uint64_t> places;
    for (const auto& [tag, values] : tags) {
      if (values.size() * 4 <= word()) continue;
      places[tag] = bytes_.size();
      for (const std::uint64_t value : values) add(value, 4);
    }
    for (const auto& [tag, values] : ratios) {
      places[tag] = bytes_.size();
      for (const std::uint64_t value : values) add(value, 4);
    }
    const std::uint64_t text = add_bytes(description);
    put(link_, bytes_.size(), word());
    add(tags.size() + ratios.size() + (description.empty() ? 0 : 1), big_tiff_ ? 8 : 2);
    if (!description.empty()) add_entry(270, 2, description.size(), text, word());
    for (const auto& [tag, values] : tags) {
      if (places.contains(tag)) {
        add_entry(tag, 4, values.size(), places[tag], word());
      } else {
        add_entry(tag, 4, 1, values[0], 4);
      }
    }
    for (const auto& [tag, values] : ratios) add_entry(tag, 5, 1, places[tag], word());
    link_ = bytes_.size();
    add(0, word());
    return *this;
  }

  // Makes the last directory name the place of another.
  TiffBytes& link_to(std::uint64_t at) {
    put(link_, at, word());
    return *this;
  }

  const std::string& bytes() const { return bytes_; }

 private:
  std::size_t word() const { return big_tiff_ ? 8 : 4; }
  void add_entry(int tag, int type, std::uint64_t count, std::uint64_t value, std::size_t size) {
    add(static_cast<std::uint64_t>(tag), 2);
    add(static_cast<std::uint64_t>(type), 2);
    add(count, word());
    add(value, size);
    bytes_ += std::string(word() - size, '\0');
  }
  void add(std::uint64_t value, std::size_t size) {
    bytes_ += std::string(size, '\0');
    put(bytes_.size() - size, value, size);
  }
  void put(std::size_t at, std::uint64_t value, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      bytes_[at + (big_endian_ ? size - 1 - i : i)] = static_cast<char>(value >> (8 * i) & 0xff);
    }
  }

  bool big_endian_, big_tiff_;
  std::string bytes_;
  std::size_t link_ = 0;
};

}  // namespace lbm::io::test
