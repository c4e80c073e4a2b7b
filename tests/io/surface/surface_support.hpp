// SPDX-License-Identifier: Apache-2.0

// Files of surfaces for tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "io/surface/surface_reader.hpp"
#include "solver/core/error.hpp"
#include "tests/io/scratch.hpp"

namespace lbm::testing {

// All lines ended as old programs of Apple do.
inline std::string cr_lines(std::string text) {
  std::replace(text.begin(), text.end(), '\n', '\r');
  return text;
}

// With a byte order mark.
inline std::string utf16(const std::string& text, bool big) {
  std::string wide = big ? "\xfe\xff" : "\xff\xfe";
  for (const char c : text) wide += big ? std::string{'\0', c} : std::string{c, '\0'};
  return wide;
}

class SurfaceFile : public ::testing::Test {
 protected:
  std::filesystem::path file(const std::string& bytes, const std::string& name) {
    write_text(scratch_.path() / name, bytes);
    return scratch_.path() / name;
  }
  io::Surface read(const std::string& bytes, const std::string& name,
                   const std::vector<std::string>& solids = {}) {
    return io::read_surface(file(bytes, name), {solids});
  }
  // The message behind "PATH:", of one line.
  std::string error_of(const std::string& bytes, const std::string& name,
                       const std::vector<std::string>& solids = {}) {
    const std::filesystem::path path = file(bytes, name);
    const std::string line = message_of<UsageError>([&] { io::read_surface(path, {solids}); });
    EXPECT_EQ(line.rfind(path.string() + ":", 0), 0U) << line;
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    return line.substr(std::min(line.size(), path.string().size() + 1));
  }
  ScratchDirectory scratch_;
};

}  // namespace lbm::testing
