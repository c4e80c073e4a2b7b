// SPDX-License-Identifier: Apache-2.0

// Forces on bodies, samples of the flow, density and velocity at points, as the records of steps
// have them; and CSV files of the forces and points (probes).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/model/case_model.hpp"
#include "cases/case/model/regions.hpp"
#include "cases/case/units.hpp"
#include "io/files/run_directory.hpp"
#include "io/text/csv.hpp"
#include "io/text/json.hpp"
#include "solver/lattice/step_record.hpp"

namespace lbm::cases {

// Forces on one body, in units of the case. Coefficients are relative to rho U^2 A / 2, those of
// torques also to L, with the body's reference values. heat: of each scalar, values x volume per
// time that the body gives to the fluid.
//
// A body that moves has the place of its centre of rotation, its velocity and its angular velocity
// (radians per time), too.
struct BodyForces {
  Vec3 force{}, torque{}, coefficient{}, torque_coefficient{};
  Vec3 place{}, velocity{}, angular_velocity{};
  std::array<double, most_scalars> heat{};
};

// Power that the fluid gives to a body that moves, in units of the case.
double power_of(const BodyForces& forces);
// rho U^3 A / 2 in units of the case.
double reference_power(const BodyReference& reference, const Units& units);

// A body that turns by motion.rate or motion.angle, at a step. power: as power_of(). Tip-speed
// ratio: angular velocity x reference_length / reference_velocity of the body.
struct Turning {
  double revolutions = 0, power = 0, power_coefficient = 0, tip_speed_ratio = 0;
  // "2 revolutions, tip-speed ratio 4, ..."
  std::string text(UnitSystem units) const;
};
// Empty for a body that does not turn.
std::optional<Turning> turning(const Case& lbm_case, const Derived& derived,
                               const std::string& body, const BodyForces& forces,
                               std::int64_t step);

// Force and torque on a body in lattice units. values: of the bodies in a step record
// (step_record.hpp).
struct LatticeLoad {
  Vec3 force{}, torque{};
};
LatticeLoad load_of(std::span<const std::int64_t> values, std::size_t body);

// Means and extremes over all fluid (reduction_rows), in units of the case; energy and momentum per
// volume, mass and extremes of the density in reference densities.
struct FlowSample {
  std::int64_t step = 0;
  double time = 0;
  std::array<double, reductions> values{};
  double alternation = 0;  // Alternation::value

  double& operator[](FlowValue value) { return values[static_cast<std::size_t>(value)]; }
  double operator[](FlowValue value) const { return values[static_cast<std::size_t>(value)]; }
};

class ForceLogs {
 public:
  // Opens forces_NAME.csv for each body with forces, unless the directory is_nowhere(). continues:
  // as in FlowRecords.
  ForceLogs(const Case& lbm_case, const CaseModel& model, const io::RunDirectory& directory,
            bool continues);

  // values: of the bodies in a step record, forces first (step_record.hpp).
  void on_step(std::int64_t step, std::span<const std::int64_t> values);
  const std::vector<std::string>& bodies() const { return names_; }
  // At the last step, by body.
  const std::vector<BodyForces>& last() const { return last_; }
  // The caution that reports print beside each force (brief_caution()); empty: none.
  const std::string& caution() const { return caution_; }
  void add_files_to(std::vector<io::CsvLog*>& files);

  io::Json save_state() const;
  void load_state(const io::Json& state);

 private:
  BodyForces forces_of(std::int64_t step, std::span<const std::int64_t> values,
                       std::size_t body) const;

  const Case& case_;
  const Derived& derived_;
  Units units_;
  const std::vector<std::string>& names_;
  std::string caution_;
  std::vector<BodyReference> references_;
  std::vector<const MovingBody*> moving_;  // null: at rest
  std::vector<io::CsvLog> logs_;
  std::vector<BodyForces> last_;
};

// Rows written after a step, in a run that reaches its end.
std::int64_t count_of_rows(const Probe& probe, const Derived& derived, std::int64_t after_step);
// Estimated bytes of a file with this many rows: numbers take as many digits as they need, mostly
// 17.
std::uint64_t predicted_bytes(const Case& lbm_case, const Derived& derived, const Probe& probe,
                              std::int64_t rows);

// The share of a probe cell in the values at a point.
struct ProbeShare {
  int cell = 0;  // index among the probe cells
  double weight = 0;
};
std::vector<ProbeShare> shares_of(const std::vector<PointCell>& points, const ProbeCells& cells);
// The macroscopic fields at a point, those of so many scalars last; not numbers without shares.
// values: of all probe cells in a step record (step_record.hpp).
std::array<double, macro_values + most_scalars> mean_of(const std::vector<ProbeShare>& shares,
                                                        std::span<const std::int64_t> values,
                                                        std::size_t scalars);

class ProbeLogs {
 public:
  // Opens probe_NAME.csv for each probe; continues: as in FlowRecords.
  ProbeLogs(const Case& lbm_case, const CaseModel& model, const ProbeCells& cells,
            const io::RunDirectory& directory, bool continues);

  // values: of the probes in a step record (step_record.hpp).
  void on_step(std::int64_t step, std::span<const std::int64_t> values);
  void add_files_to(std::vector<io::CsvLog*>& files);

 private:
  struct Log {
    const Probe& probe;
    std::vector<std::vector<ProbeShare>> places;
    io::CsvLog file;
  };
  const Derived& derived_;
  const std::vector<ScalarKeys>& scalars_;
  Units units_;
  std::vector<Log> logs_;
};

}  // namespace lbm::cases
