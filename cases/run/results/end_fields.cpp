// SPDX-License-Identifier: Apache-2.0
#include "cases/run/results/end_fields.hpp"

#include <fmt/format.h>

#include "cases/run/results/file_style.hpp"

namespace lbm::cases {

void ProfileFiles::begin(std::int64_t) {
  profiles_.emplace(context_.lbm_case.grid);
  planes_ = 0;
}

void ProfileFiles::add_plane(std::int64_t step, int z, std::span<const float> drho,
                             std::span<const float> velocity) {
  const Case& lbm_case = context_.lbm_case;
  const Derived& derived = context_.model.derived;
  const FileUnits units = file_units(lbm_case, derived, {});
  profiles_->add_plane(z, drho, velocity, static_cast<float>(units.scales.velocity));
  if (++planes_ < lbm_case.grid.cells[2]) return;
  const double time = static_cast<double>(step) * units.time;
  const std::vector<std::string> comments = {
      fmt::format("{}: velocity along a line through the middle of the box, step {}, time {:.6g} "
                  "{}",
                  lbm_case.name, step, time, units.physical ? "s" : "L/U"),
      units.physical
          ? "position in m, velocity in m/s, density in initial ones"
          : "position in reference lengths, velocity in reference velocities, density in "
            "initial ones"};
  files_ = profiles_->write(context_.directory, units.scales.length, comments);
}

}  // namespace lbm::cases
