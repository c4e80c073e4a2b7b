// SPDX-License-Identifier: Apache-2.0

// Measured speeds and their cache file.
#include "cases/run/setup/device_speeds_cache.hpp"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tests/cases/case_support.hpp"
#include "tests/io/scratch.hpp"

namespace lbm::cases {
namespace {

namespace fs = std::filesystem;
using lbm::testing::names_in;
using lbm::testing::read_text;
using lbm::testing::ScratchDirectory;
using lbm::testing::write_text;

DeviceSpeeds made_up(const std::string& device) {
  DeviceSpeeds speeds;
  speeds.device = device;
  speeds.copy = 1234.5e6;
  speeds.when = "2026-11-23 13:59:25 UTC";
  speeds.link_in = 2.5e9;
  speeds.link_out = 3.5e9;
  speeds.link_in_both = 1.5e9;
  speeds.link_out_both = 1.75e9;
  speeds.queues_overlap = false;
  speeds.fp16 = {4.5e9, 1e-6, 0};
  speeds.fp32 = {5.5e9, 2e-6, 7.5e9};
  speeds.fp64 = {6.5e9, 0, 8.5e9};
  speeds.moments_fp16 = speeds.moments_fp32 = speeds.moments_fp64 = speeds.fp16;
  speeds.models = {{"D3Q27 trt", 2.25e9}};
  return speeds;
}

std::string text_of(const DeviceSpeeds& speeds) { return io::json_text(speeds_json(speeds)); }

std::optional<DeviceSpeeds> parse_speeds(const std::string& text) {
  try {
    return speeds_in(io::parse_json(text, "text"));
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

std::string with(std::string text, const std::string& what, const std::string& other) {
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), other);
}

// The cache in a directory of its own, for an available device.
class SpeedsCache : public ::testing::Test {
 protected:
  void use(const fs::path& directory) {
    ASSERT_EQ(setenv("LBM_CACHE_DIR", directory.c_str(), 1), 0);
    file_ = speeds_file(backend_->device_name()).value();
  }
  void SetUp() override {
    if (const char* before = std::getenv("LBM_CACHE_DIR")) before_ = before;
    use(scratch_.path() / "a" / "b");
  }
  void TearDown() override {
    if (before_) {
      setenv("LBM_CACHE_DIR", before_->c_str(), 1);
    } else {
      unsetenv("LBM_CACHE_DIR");
    }
  }
  // No memory to measure kernels: a result with kernel speeds comes from the cache.
  DeviceSpeeds read_or_measure_little() { return speeds_of(*backend_, 0); }

  std::unique_ptr<Backend> backend_ = make_cpu_backend(1);
  ScratchDirectory scratch_;
  fs::path file_;
  std::optional<std::string> before_;
};

TEST(Speeds, SurviveAsText) {
  const DeviceSpeeds speeds = made_up("Some \"GPU\": 80 GB, \\ ä");
  const auto again = parse_speeds(text_of(speeds));
  ASSERT_TRUE(again);
  EXPECT_EQ(text_of(*again), text_of(speeds));
  EXPECT_EQ(again->device, speeds.device);
  EXPECT_EQ(again->fp32.launch_seconds, 2e-6);
  EXPECT_EQ(again->fp64.blocked_bytes_per_second, 8.5e9);
  EXPECT_FALSE(again->queues_overlap);
}

TEST(Speeds, OfHalfATextAreNone) {
  const std::string text = text_of(made_up("x"));
  for (std::size_t size = 0; size + 3 < text.size(); ++size) {
    EXPECT_FALSE(parse_speeds(text.substr(0, size))) << text.substr(0, size);
  }
}

TEST(Speeds, OfOtherTextsAreNone) {
  const std::string text = text_of(made_up("x"));
  const std::string copy = "\"copy\": 1234500000.0";
  for (const char* number : {"-1", "null", ".nan", ".inf", "[1]", "fast", "{}", ""}) {
    EXPECT_FALSE(parse_speeds(with(text, copy, std::string("\"copy\": ") + number))) << number;
  }
  EXPECT_FALSE(parse_speeds(with(text, "\"program\": \"", "\"program\": \"another ")));
  EXPECT_FALSE(parse_speeds(with(text, "\"fp16\"", "\"fp8\"")));
  for (const char* other :
       {"", "{}", "[]", "1", "\"", "speeds", "\xff\xfe\x01", "- a\n- b", "{{{{"}) {
    EXPECT_FALSE(parse_speeds(other)) << other;
  }
}

// As they come from an edited file, or from a measurement beside other programs.
TEST(Speeds, ThatNoDeviceHasAreNone) {
  const auto absurd = [](const auto& change) {
    DeviceSpeeds speeds = made_up("x");
    change(speeds);
    return !parse_speeds(text_of(speeds));
  };
  EXPECT_FALSE(absurd([](DeviceSpeeds&) {}));
  EXPECT_TRUE(absurd([](DeviceSpeeds& s) { s.copy = 1e300; }));
  EXPECT_TRUE(absurd([](DeviceSpeeds& s) { s.link_in = 1; }));
  EXPECT_TRUE(absurd([](DeviceSpeeds& s) { s.fp16.bytes_per_second = 1e-300; }));
  EXPECT_TRUE(absurd([](DeviceSpeeds& s) { s.moments_fp32.blocked_bytes_per_second = 1e15; }));
  EXPECT_TRUE(absurd([](DeviceSpeeds& s) { s.fp32.launch_seconds = 1e9; }));
  EXPECT_TRUE(absurd([](DeviceSpeeds& s) {
    s.fp16.bytes_per_second = 4.6e9;
    s.fp32.bytes_per_second = 0.83e9;
    s.fp64.bytes_per_second = 6.2e9;
  })) << "half the bytes take four times as long";
}

TEST_F(SpeedsCache, IsWhereTheEnvironmentSays) {
  EXPECT_EQ(file_.parent_path(), scratch_.path() / "a" / "b");
  EXPECT_EQ(speeds_file("A/B: ../c").value().filename(), "speeds_A_B_____c.json");
  EXPECT_NE(*speeds_file("one"), *speeds_file("two"));
}

TEST_F(SpeedsCache, IsRead) {
  fs::create_directories(file_.parent_path());
  const DeviceSpeeds speeds = made_up(backend_->device_name());
  write_text(file_, text_of(speeds));
  EXPECT_EQ(text_of(read_or_measure_little()), text_of(speeds));
}

// Speeds of a busy host are too low: they are measured anew once the load is far lower.
TEST_F(SpeedsCache, OfABusyHostIsNotReadOnAnIdleOne) {
  fs::create_directories(file_.parent_path());
  DeviceSpeeds speeds = made_up(backend_->device_name());
  speeds.load = 1e6;
  write_text(file_, text_of(speeds));
  EXPECT_EQ(read_or_measure_little().fp32.bytes_per_second, 0) << "measured anew";
  speeds.queues_overlap = true;  // a GPU
  write_text(file_, text_of(speeds));
  EXPECT_EQ(read_or_measure_little().fp32.bytes_per_second, 5.5e9);
}

TEST_F(SpeedsCache, SaysThatItMeasures) {
  std::vector<std::string> lines;
  tell_of_speeds([&](const std::string& line) { lines.push_back(line); });
  read_or_measure_little();
  tell_of_speeds({});
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_TRUE(lines[0].starts_with("measuring the speed of " + backend_->device_name()));
}

TEST_F(SpeedsCache, OfAnotherDeviceOrIncompleteIsNotRead) {
  fs::create_directories(file_.parent_path());
  DeviceSpeeds speeds = made_up("another device with a name that gives the same file");
  write_text(file_, text_of(speeds));
  EXPECT_EQ(read_or_measure_little().fp32.bytes_per_second, 0);
  speeds = made_up(backend_->device_name());
  speeds.fp64.bytes_per_second = 0;
  write_text(file_, text_of(speeds));
  EXPECT_EQ(read_or_measure_little().fp32.bytes_per_second, 0);
  EXPECT_EQ(read_text(file_), text_of(speeds)) << "what was not measured whole is not kept";
}

TEST_F(SpeedsCache, IsWrittenAnewOverABrokenFile) {
  if (backend_->free_memory() < (std::size_t{6} << 30)) GTEST_SKIP() << "too little memory";
  fs::create_directories(file_.parent_path());
  write_text(file_, "{\"program\": ");
  const DeviceSpeeds speeds = speeds_of(*backend_, backend_->free_memory());
  EXPECT_EQ(speeds.device, backend_->device_name());
  EXPECT_FALSE(speeds.queues_overlap);
  constexpr Representation populations = Representation::populations;
  for (const StorageType storage : {StorageType::fp16, StorageType::fp32, StorageType::fp64}) {
    EXPECT_TRUE(speeds.measured(storage, populations));
    EXPECT_TRUE(speeds.measured(storage, Representation::moments));
    EXPECT_GT(speeds.update(storage, populations).blocked_bytes_per_second, 0);
    // A core makes between 1 and 1000 million updates per second.
    EXPECT_GT(speeds.update(storage, populations).bytes_per_second, 1e6 * 38);
    EXPECT_LT(speeds.update(storage, populations).bytes_per_second, 1e9 * 304);
  }
  EXPECT_EQ(read_text(file_), text_of(speeds));
  EXPECT_EQ(names_in(file_.parent_path()).size(), 1U) << "no partial file";
  EXPECT_EQ(text_of(read_or_measure_little()), text_of(speeds)) << "and read the next time";
}

}  // namespace
}  // namespace lbm::cases
