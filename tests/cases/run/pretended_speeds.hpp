// SPDX-License-Identifier: Apache-2.0

// Speeds that the program takes for measured ones.
#pragma once

#include <fmt/format.h>
#include <sys/stat.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cases/run/setup/device_speeds_cache.hpp"
#include "tests/cases/program.hpp"
#include "tests/io/scratch.hpp"

namespace lbm::cases::test {

// A cache of speeds for the programs that a test starts, as long as the object lives.
class PretendedSpeeds {
 public:
  explicit PretendedSpeeds(const std::filesystem::path& directory) {
    keep_speeds_here();
    before_ = std::getenv("LBM_CACHE_DIR");
    std::filesystem::create_directory(directory);
    setenv("LBM_CACHE_DIR", directory.c_str(), 1);
  }
  ~PretendedSpeeds() { setenv("LBM_CACHE_DIR", before_.c_str(), 1); }
  PretendedSpeeds(const PretendedSpeeds&) = delete;
  PretendedSpeeds& operator=(const PretendedSpeeds&) = delete;

  // Writes speeds of the CPU with this many threads, in bytes per second, into the cache of `lbm`.
  void pretend(int threads, double populations, double moments) const {
    DeviceSpeeds speeds;
    speeds.device = make_cpu_backend(threads)->device_name();
    speeds.queues_overlap = false;
    speeds.fp16 = speeds.fp32 = speeds.fp64 = {populations, 1e-6, populations};
    speeds.moments_fp16 = speeds.moments_fp32 = speeds.moments_fp64 = {moments, 1e-6, moments};
    for (double* copy : {&speeds.copy, &speeds.link_in, &speeds.link_out, &speeds.link_in_both,
                         &speeds.link_out_both}) {
      *copy = 1e10;
    }
    io::Json json = speeds_json(speeds);
    struct stat file {};
    ASSERT_EQ(stat(LBM_PROGRAM_FILE, &file), 0);
    json["program"] = fmt::format("{} {} {}.{}", LBM_VERSION, file.st_size, file.st_mtim.tv_sec,
                                  file.st_mtim.tv_nsec);
    lbm::testing::write_text(*speeds_file(speeds.device), io::json_text(json));
  }

 private:
  std::string before_;
};

}  // namespace lbm::cases::test
