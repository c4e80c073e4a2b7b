// SPDX-License-Identifier: Apache-2.0

// Every file in tests/cases/case/broken has one error. Its first line names a part of the message:
//   # expect: fluid.reynolds: found "-5"
// or, if the message has no line number:   # expect (no line): ...
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "cases/case/validate/validate.hpp"
#include "tests/cases/case_support.hpp"

namespace lbm::cases {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> broken_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(LBM_SOURCE_DIR "/tests/cases/case/broken")) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// True for "PATH:12: ..." and "PATH:12:7: ...".
bool starts_with_line(const std::string& message, const std::string& path) {
  return message.starts_with(path + ":") && message.size() > path.size() + 1 &&
         std::isdigit(static_cast<unsigned char>(message[path.size() + 1]));
}

class BrokenCase : public testing::TestWithParam<fs::path> {};

TEST_P(BrokenCase, IsRefusedInOneLineThatSaysWhy) {
  const std::string path = GetParam().string();
  const std::string text = test::file_text(path);
  const std::string first = text.substr(0, text.find('\n'));
  const std::string with_line = "# expect: ";
  const std::string without_line = "# expect (no line): ";
  const bool has_line = first.starts_with(with_line);
  ASSERT_TRUE(has_line || first.starts_with(without_line)) << first;
  const std::string fragment = first.substr((has_line ? with_line : without_line).size());

  const std::string message = test::error_of([&] { validate(read_case(path)); });
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  EXPECT_LT(message.size(), path.size() + 350) << message;
  EXPECT_NE(message.find(fragment), std::string::npos) << message;
  EXPECT_TRUE(message.starts_with(path + ":")) << message;
  EXPECT_EQ(starts_with_line(message, path), has_line) << message;
}

INSTANTIATE_TEST_SUITE_P(Files, BrokenCase, testing::ValuesIn(broken_files()),
                         [](const auto& file) { return file.param.stem().string(); });

TEST(BrokenCases, AreMany) { EXPECT_GE(broken_files().size(), 75u); }

}  // namespace
}  // namespace lbm::cases
