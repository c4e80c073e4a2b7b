// SPDX-License-Identifier: Apache-2.0

// Reads files of CheckpointWriter and verifies everything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/checkpoint/checkpoint_writer.hpp"

namespace lbm::io {

class CheckpointReader {
 public:
  // Checks everything except the planes. Throws UsageError, one line that starts with the path, for
  // a file that is missing, foreign, truncated or damaged.
  explicit CheckpointReader(std::filesystem::path path);

  const std::filesystem::path& path() const { return path_; }
  std::uint64_t bytes() const { return block_.file_bytes; }
  // A checksum of texts and of the checksums of all planes.
  std::uint64_t identity() const { return block_.rest_checksum; }
  // Empty if the file has no such text.
  std::string text(const std::string& name) const;
  const std::vector<PlaneArray>& arrays() const { return arrays_; }
  std::optional<std::size_t> find(const std::string& name) const;

  // Reads and verifies one plane; thread-safe. Throws UsageError if it is damaged or unreadable;
  // `to` is undefined then.
  void read_plane(std::size_t array, std::int64_t plane, std::span<std::byte> to) const;

 private:
  [[noreturn]] void refuse(const std::string& why) const;
  void read_user_block();
  void read_contents();

  std::filesystem::path path_;
  UniqueFd file_;
  checkpoint::UserBlock block_;
  CheckpointTexts texts_;
  std::vector<PlaneArray> arrays_;
  std::vector<std::vector<std::uint64_t>> sums_;  // by array and plane
};

}  // namespace lbm::io
