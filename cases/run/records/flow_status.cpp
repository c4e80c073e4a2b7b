// SPDX-License-Identifier: Apache-2.0
#include "cases/run/records/flow_status.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lbm::cases {
namespace {

constexpr std::size_t bodies_in_line = 2, bodies_in_summary = 10;

bool is_si(const Case& lbm_case) { return lbm_case.units == UnitSystem::si; }

std::string three(const Vec3& v) {
  return fmt::format("({:.3g}, {:.3g}, {:.3g})", v[0], v[1], v[2]);
}

void add(std::string& line, const std::string& part) { line += (line.empty() ? "" : ", ") + part; }

}  // namespace

std::string beside(const std::string& caution) { return caution.empty() ? "" : "; " + caution; }

std::string flow_line(const Case& lbm_case, const FlowRecords& records) {
  std::string line;
  if (const auto& sample = records.last_sample()) {
    add(line, fmt::format("speed {:.3g} {}", sample->speed_max, is_si(lbm_case) ? "m/s" : "U"));
  }
  const auto& names = records.bodies();
  for (std::size_t b = 0; b < std::min(names.size(), bodies_in_line); ++b) {
    add(line, fmt::format("{}: C {}", names[b], three(records.last_forces()[b].coefficient)));
  }
  if (!names.empty() && !records.caution().empty()) line += " " + records.caution();
  if (const auto change = records.last_change()) {
    add(line, fmt::format("change {:.1e} (steady below {:.0e})", *change,
                          *lbm_case.run.until_steady.tolerance));
  }
  return line;
}

std::string flow_summary(const Case& lbm_case, const FlowRecords& records) {
  std::string text;
  if (const auto& s = records.last_sample()) {
    text += fmt::format(
        "flow: largest speed {:.4g} {} (Mach {:.2g}), density {:.5g} to {:.5g} of the reference\n",
        s->speed_max, is_si(lbm_case) ? "m/s" : "U", records.last_mach(), s->density_min,
        s->density_max);
  }
  const auto& names = records.bodies();
  for (std::size_t b = 0; b < std::min(names.size(), bodies_in_summary); ++b) {
    const BodyForces& f = records.last_forces()[b];
    text += fmt::format("body {}: force {} {}, coefficients {}{}\n", names[b], three(f.force),
                        is_si(lbm_case) ? "N" : "rho0 U^2 L^2", three(f.coefficient),
                        beside(records.caution()));
  }
  if (names.size() > bodies_in_summary) {
    text += fmt::format("bodies: {} more are in report.json\n", names.size() - bodies_in_summary);
  }
  if (const auto change = records.last_change()) {
    const bool by_quantity = !lbm_case.run.until_steady.quantities.empty();
    text += fmt::format(
        "{}: {} by {:.2g} per convective time at the last look, run.until_steady.tolerance is "
        "{:.2g}\n",
        records.is_steady() ? "steady" : "not steady",
        by_quantity ? "a quantity of run.until_steady changed" : "the kinetic energy changed",
        *change, *lbm_case.run.until_steady.tolerance);
  }
  return text;
}

}  // namespace lbm::cases
