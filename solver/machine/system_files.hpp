// SPDX-License-Identifier: Apache-2.0

// The text files in which the system describes the machine (/proc, /sys, /etc), below a root
// directory: "" for this machine, another one for a machine that a test describes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lbm {

// `text` without blanks and line ends at both ends.
std::string_view trimmed(std::string_view text);

class SystemFiles {
 public:
  // root: without a slash at its end.
  explicit SystemFiles(std::string root = "") : root_(std::move(root)) {}

  // Those of this machine, or of the one that the environment variable LBM_SYSTEM_ROOT names.
  static SystemFiles here();

  const std::string& root() const { return root_; }
  // True if the files describe another machine than the one that this process runs on.
  bool described() const { return !root_.empty(); }

  // The whole file; empty where it is missing or cannot be read. Paths begin with a slash.
  std::string text(const std::string& path) const;
  // Its first line, trimmed.
  std::string line(const std::string& path) const;
  // Its first line as a whole number that is not negative; empty for other text ("max").
  std::optional<std::uint64_t> number(const std::string& path) const;
  // The value behind the first line "KEY value", "KEY: value" or "KEY=value", trimmed; empty
  // without one.
  std::string value(const std::string& path, std::string_view key) const;
  // Names in a directory, sorted; none where it is missing.
  std::vector<std::string> names(const std::string& directory) const;

 private:
  std::string root_;
};

// The same as SystemFiles::value() for a text.
std::string value_in(std::string_view text, std::string_view key);

// The number at the start of "123", "123 kB" or "123 bytes", in bytes where a unit follows it.
std::optional<std::uint64_t> bytes_in(std::string_view text);

}  // namespace lbm
