// SPDX-License-Identifier: Apache-2.0

// Tables and JSON of `lbm bench`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cases/cli/bench/bench_case.hpp"
#include "io/text/json.hpp"
#include "solver/backend/link_speed.hpp"

namespace lbm::cases {

// One of the ways of copies between host and device.
struct BenchLink {
  LinkPath path;
  LinkSpeed speed;  // zeros where memory was short
};

// Device and settings of one call of the program.
struct BenchSession {
  std::string device;
  DeviceFacts facts;
  BenchLimits limits;
  DeviceSpeeds speeds;  // 0 where not measured
  std::vector<BenchLink> links;
  std::string started;  // "2026-01-31T12:00:00Z"
};

// Parts of the table: device speeds, a way of copies, head of a group, a row.
std::string bench_speeds_text(const BenchSession& session);
std::string bench_link_text(const BenchLink& link);
std::string bench_group_text(BenchGroup group);
std::string bench_row_text(const BenchRow& row);

// Out of core with populations in fp32 and the program's own schedule: the share of the speed in
// core that is lost. Empty where one of both was not measured.
std::optional<double> loss_out_of_core(const std::vector<BenchRow>& rows);
// The last line of the table; empty without that loss.
std::string bench_loss_text(const std::vector<BenchRow>& rows);

// stopped: reason for missing rows; empty if all are there.
io::Json bench_json(const BenchSession& session, const std::vector<BenchRow>& rows,
                    const std::string& stopped);

}  // namespace lbm::cases
