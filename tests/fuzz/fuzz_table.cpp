// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "cases/case/tables/tables.hpp"
#include "tests/fuzz/fuzzed_file.hpp"
#include "tests/fuzz/refusal.hpp"
#include "tests/fuzz/targets.hpp"

namespace lbm::fuzz {

void read_table(std::string_view bytes) {
  const std::string path = file_of("table.csv", bytes).string();
  (void)accepts([&] {
    const cases::VelocityTable table(path);
    const auto a = table.range(0), b = table.range(1);
    require(a[0] <= a[1] && b[0] <= b[1], "coordinates are not in order");
    for (const double x : {a[0] - 1, a[0], (a[0] + a[1]) / 2, a[1] + 1}) (void)table.at(x, b[1]);
    (void)table.fastest();
  });
  (void)accepts([&] {
    const cases::ReferenceProfile profile(path);
    require(profile.first_position() <= profile.last_position(), "positions are not in order");
    require(profile.range() >= 0, "the range is negative");
    (void)profile.largest_deviation({1.0, 2.0, 3.0}, 0.5);
  });
}

}  // namespace lbm::fuzz
