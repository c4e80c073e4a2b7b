// SPDX-License-Identifier: Apache-2.0
#include "cases/run/records/probe_logs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "cases/case/model/regions.hpp"
#include "cases/case/saturating.hpp"

namespace lbm::cases {
namespace {

std::vector<std::string> columns_of(std::size_t places) {
  std::vector<std::string> names{"step", "time"};
  for (std::size_t i = 1; i <= places; ++i) {
    for (const char* name : {"p", "ux", "uy", "uz"}) names.push_back(fmt::format("{}_{}", name, i));
  }
  return names;
}

std::vector<std::string> comments_of(const Case& lbm_case, const Probe& probe, const Units& units) {
  const bool si = lbm_case.units == UnitSystem::si;
  std::vector<std::string> lines{
      fmt::format("{}: pressure and velocity at the places of {}", lbm_case.name, probe.name),
      si ? "s, Pa, m/s; places in m" : "convective times, rho0 U^2, U; places in cells"};
  const auto places = places_of(probe, units);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Vec3& p = places[i];
    lines.push_back(fmt::format("{}: {:.9g} {:.9g} {:.9g}", i + 1, p[0] * units.length,
                                p[1] * units.length, p[2] * units.length));
  }
  return lines;
}

}  // namespace

std::int64_t count_of_rows(const Probe& probe, const Derived& derived, std::int64_t after_step) {
  if (after_step >= derived.steps) return 0;
  return derived.steps / probe.every_steps - after_step / probe.every_steps +
         (derived.steps % probe.every_steps != 0 ? 1 : 0);
}

std::uint64_t predicted_bytes(const Case& lbm_case, const Derived& derived, const Probe& probe,
                              std::int64_t rows) {
  const Units units = make_units(lbm_case, derived);
  const std::size_t places = places_of(probe, units).size();
  std::uint64_t header = 0;
  for (const std::string& line : comments_of(lbm_case, probe, units)) header += line.size() + 3;
  for (const std::string& name : columns_of(places)) header += name.size() + 1;
  // 17 digits, a point, possibly a sign and leading zeros, a comma.
  constexpr std::uint64_t number_bytes = 21;
  const std::uint64_t row = fmt::formatted_size("{},", derived.steps) +
                            number_bytes * (1 + std::uint64_t{probe_values} * places);
  return saturating_add(header, saturating_multiply(static_cast<std::uint64_t>(rows), row));
}

std::vector<ProbeShare> shares_of(const std::vector<PointCell>& points, const ProbeCells& cells) {
  std::vector<ProbeShare> shares;
  for (const PointCell& point : points) {
    shares.push_back({cells.index_of(point.cell), point.weight});
  }
  return shares;
}

std::array<double, probe_values> mean_of(const std::vector<ProbeShare>& shares,
                                         std::span<const std::int64_t> values) {
  std::array<double, probe_values> means{};
  if (shares.empty()) means.fill(std::numeric_limits<double>::quiet_NaN());
  for (const ProbeShare& share : shares) {
    const auto first = means.size() * static_cast<std::size_t>(share.cell);
    for (std::size_t i = 0; i < means.size(); ++i) {
      means[i] += share.weight * from_bits(values[first + i]);
    }
  }
  return means;
}

ProbeLogs::ProbeLogs(const Case& lbm_case, const CaseModel& model, const ProbeCells& cells,
                     const io::RunDirectory& directory, bool continues)
    : derived_(model.derived), units_(make_units(lbm_case, model.derived)) {
  for (const Probe& probe : lbm_case.probes) {
    std::vector<std::vector<ProbeShare>> places;
    for (const Vec3& place : places_of(probe, units_)) {
      places.push_back(shares_of(cells_around(lbm_case, model.boundaries, place), cells));
    }
    const std::size_t count = places.size();
    logs_.push_back(
        {probe, std::move(places),
         io::CsvLog(directory.file("probe_" + probe.name + ".csv"),
                    comments_of(lbm_case, probe, units_), columns_of(count), continues)});
  }
}

void ProbeLogs::on_step(std::int64_t step, std::span<const std::int64_t> values) {
  for (Log& log : logs_) {
    if (step % log.probe.every_steps != 0 && step != derived_.steps) continue;
    std::vector<double> row;
    row.reserve(4 * log.places.size());
    for (const auto& shares : log.places) {
      // Points of line probes may lie inside a body: they have no shares.
      const auto means = mean_of(shares, values);
      row.push_back(from_density_difference(units_, means[0]));
      for (std::size_t i = 1; i < means.size(); ++i) row.push_back(means[i] * units_.velocity);
    }
    log.file.add(step, static_cast<double>(step) * units_.time, row);
  }
}

void ProbeLogs::add_files_to(std::vector<io::CsvLog*>& files) {
  for (Log& log : logs_) files.push_back(&log.file);
}

}  // namespace lbm::cases
