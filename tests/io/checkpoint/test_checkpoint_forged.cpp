// SPDX-License-Identifier: Apache-2.0

// Checkpoints with right checksums and wrong numbers: refused, and no memory is taken for them.
#include <gtest/gtest.h>

#include <cstring>

#include "io/checkpoint/checkpoint.hpp"
#include "solver/core/error.hpp"
#include "tests/io/scratch.hpp"

namespace {
using namespace lbm::testing;
using namespace lbm::io::checkpoint;
using lbm::io::CheckpointReader;

class Forged : public ::testing::Test {
 protected:
  void SetUp() override {
    lbm::io::CheckpointWriter writer(path_, {{"header", "{}"}},
                                     {{"a", lbm::io::ElementType::float32, 2, 4}});
    writer.write_planes(0, 0, std::vector<std::byte>(32));
    writer.close();
  }
  // Changes the first block and makes its checksum right.
  template <class Change>
  std::string message_after(const Change& change) const {
    std::string text = read_text(path_);
    UserBlockBytes bytes{};
    std::memcpy(bytes.data(), text.data(), bytes.size());
    UserBlock block;
    EXPECT_EQ(from_bytes(bytes, block), "");
    change(block);
    bytes = to_bytes(block);
    std::memcpy(text.data(), bytes.data(), bytes.size());
    const auto forged = scratch_.path() / "forged.h5";
    write_text(forged, text);
    return message_of<lbm::UsageError>([&] { const CheckpointReader reader(forged); });
  }

  ScratchDirectory scratch_;
  std::filesystem::path path_ = scratch_.path() / "a.h5";
};

TEST_F(Forged, PlacesOutsideTheFileAreRefused) {
  constexpr std::uint64_t far = std::uint64_t{1} << 60;
  const auto at = [&](std::uint64_t begin, std::uint64_t end) {
    return message_after([&](UserBlock& block) { block.arrays[0] = {begin, end}; });
  };
  for (const std::string& message :
       {at(far, far + 32), at(4096, far), at(0, 4096), at(9000, 5000)}) {
    EXPECT_TRUE(contains(message, "is damaged: its first block names places outside the file"))
        << message;
  }
}

TEST_F(Forged, PlacesThatOverlapOrLackAnArrayAreRefused) {
  const auto message = message_after([](UserBlock& block) { block.arrays.clear(); });
  EXPECT_TRUE(contains(message, "is damaged")) << message;
  const auto twice =
      message_after([](UserBlock& block) { block.arrays.push_back(block.arrays[0]); });
  EXPECT_TRUE(contains(twice, "is damaged")) << twice;
}

}  // namespace
