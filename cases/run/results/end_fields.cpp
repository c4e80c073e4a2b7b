#include "cases/run/results/end_fields.hpp"

#include <fmt/format.h>

namespace lbm::cases {

void ProfileFiles::begin(std::int64_t) {
  profiles_.emplace(context_.lbm_case.grid);
  planes_ = 0;
}

void ProfileFiles::add_plane(std::int64_t step, int z, std::span<const float> density,
                             std::span<const float> velocity) {
  const Case& lbm_case = context_.lbm_case;
  const Derived& derived = context_.model.derived;
  profiles_->add_plane(z, density, velocity, static_cast<float>(1 / derived.velocity));
  if (++planes_ < lbm_case.grid.cells[2]) return;
  const double time = static_cast<double>(step) / derived.convective_time;
  const std::vector<std::string> comments = {
      fmt::format("{}: velocity along a line through the middle of the box, step {}, {:.6g} "
                  "convective times",
                  lbm_case.name, step, time),
      "position in reference lengths, velocity in reference velocities, density in initial ones"};
  files_ = profiles_->write(context_.directory, 1 / derived.length, comments);
}

}  // namespace lbm::cases
