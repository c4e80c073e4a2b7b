// SPDX-License-Identifier: Apache-2.0

// Every file of the corpus, findings included, through the functions that the fuzzers call; also
// each file cut off in its middle.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/fuzz/targets.hpp"

namespace lbm::fuzz {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Corpus : public testing::TestWithParam<Target> {};

TEST_P(Corpus, IsReadOrRefusedInOneLine) {
  int files = 0;
  const auto folder = fs::path(LBM_SOURCE_DIR "/tests/fuzz/corpus") / GetParam().name;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string bytes = text_of(entry.path());
    for (const std::size_t length : {bytes.size(), bytes.size() / 2}) {
      try {
        GetParam().read(std::string_view(bytes).substr(0, length));
      } catch (const std::exception& error) {
        ADD_FAILURE() << entry.path() << ", first " << length << " bytes: " << error.what();
      }
    }
    ++files;
  }
  EXPECT_GT(files, 2) << folder;
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Corpus, testing::ValuesIn(targets),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace lbm::fuzz
