// What `lbm bench` prints and writes.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "cases/cli/bench/bench_runner.hpp"
#include "io/text/json.hpp"

namespace lbm::cases {

// What one call of the program measures with, and how.
struct BenchSession {
  std::string device;
  DeviceFacts facts;
  BenchLimits limits;
  DeviceSpeeds speeds;  // 0 where nothing was measured
  std::string started;  // "2026-01-31T12:00:00Z"
};

// The table's parts: what was measured of the device, the head of a group, a line.
std::string bench_speeds_text(const BenchSession& session);
std::string bench_group_text(BenchGroup group);
std::string bench_row_text(const BenchRow& row);

// stopped: why there may be fewer rows than asked for; empty where all are there.
io::Json bench_json(const BenchSession& session, const std::vector<BenchRow>& rows,
                    const std::string& stopped);

}  // namespace lbm::cases
