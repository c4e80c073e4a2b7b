// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cases/case/case_location.hpp"
#include "cases/case/model/case_formulas.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/case/tables/tables.hpp"
#include "cases/case/units.hpp"
#include "cases/case/validate/validate.hpp"
#include "cases/case/validate/validate_parts.hpp"

namespace lbm::cases {
namespace {

constexpr double high_tau = 2;  // above, errors of the wall position grow
// The shift of walls of regularised_filtered is complete up to there (regularised.hpp).
constexpr double high_tau_of_shift = 1.25;
// A lattice of more is larger than a small GPU's memory, and is streamed.
constexpr double many_cells = 50e6;

// How an inlet differs from the far field of the sponge before it, or null.
const char* difference(const FaceCondition& inlet, const SpongeKeys& sponge) {
  if (inlet.type != BoundaryKind::velocity && inlet.type != BoundaryKind::far_field) return nullptr;
  if (inlet.profile.value_or(InletProfile::uniform) != InletProfile::uniform ||
      inlet.velocity_formulas) {
    return "a profile, which";
  }
  if (inlet.turbulence.intensity) return "turbulence, which";
  if (inlet.velocity != sponge.velocity) return "another velocity than sponge.velocity, which";
  if (inlet.ramp_time != sponge.ramp_time || !inlet.velocity_factor.empty()) {
    return "another ramp than sponge.ramp_time, which";
  }
  return nullptr;
}

bool has_walls(const Case& lbm_case, std::size_t faces) {
  return std::any_of(lbm_case.faces.begin(), lbm_case.faces.begin() + static_cast<int>(faces),
                     [](const Face& face) { return face.type == BoundaryKind::wall; });
}

class Warnings {
 public:
  Warnings(const Case& lbm_case, const Derived& derived)
      : case_(lbm_case), derived_(derived), units_(make_units(lbm_case, derived_)) {}

  std::vector<std::string> all() {
    fluid();
    grid();
    size();
    flow();
    output();
    for (const Caution& one : cautions(case_, derived_)) add(one.key, one.text);
    far_fields();
    for (std::string& line : validation::body_warnings(case_, derived_, units_)) {
      lines_.push_back(std::move(line));
    }
    for (std::string& line : validation::scalar_warnings(case_, derived_)) {
      lines_.push_back(std::move(line));
    }
    return std::move(lines_);
  }

 private:
  void add(const std::string& key, const std::string& what) {
    lines_.push_back(where(case_, key) + ": " + what);
  }

  void fluid() {
    const std::string key = validation::viscosity_key(case_);
    for (const Instability& unstable : expected_instabilities(case_, derived_)) {
      add(unstable.key, unstable.text);
    }
    const bool filtered = case_.lattice.collision == CollisionKind::regularised_filtered;
    const double high = filtered ? high_tau_of_shift : high_tau;
    if (derived_.tau > high) {
      add(key, fmt::format("tau = {:.6g} is above {}, walls lose accuracy: lower "
                           "fluid.lattice_velocity{}",
                           derived_.tau, high, filtered ? ", or take lattice.collision: trt" : ""));
    }
    constexpr double of_older_files = 3.0 / 16;  // effective_case.yaml had it with every collision
    if (!has_magic(case_.lattice.collision) &&
        case_.lattice.magic.value_or(of_older_files) != of_older_files) {
      add("lattice.magic", "it has no effect without lattice.collision: trt or central_moments");
    }
    permeability();
    mach("fluid.lattice_velocity", derived_.velocity);
    for (const auto& at : validation::conditions_of(case_)) {
      const auto given = validation::given_speed(case_, derived_, at);
      // Only above the reference velocity, which was reported already.
      if (given.speed > 1.000001 * derived_.velocity) mach(given.key, given.speed);
      still_inlet(at);
      if (!at.condition.file.empty()) table(at);
    }
  }

  // In Stokes flow the place of walls depends on the magic parameter alone (Ginzburg, Verhaeghe &
  // d'Humieres, Commun. Comput. Phys. 3 (2008) 427), which only TRT keeps.
  void permeability() {
    const auto& asked = case_.quantities;
    const auto first = std::find_if(asked.begin(), asked.end(), [](const NamedQuantity& quantity) {
      return quantity.kind == QuantityKind::permeability;
    });
    if (case_.lattice.collision == CollisionKind::trt || first == asked.end()) return;
    add("quantities." + first->name,
        fmt::format("the place of walls, and with it the permeability, depends on the viscosity "
                    "with lattice.collision: {}: take lattice.collision: trt",
                    to_string(case_.lattice.collision)));
  }

  void still_inlet(const validation::PlacedCondition& at) {
    const FaceCondition& inlet = at.condition;
    if (inlet.type != BoundaryKind::velocity || !inlet.file.empty()) return;
    if (inlet.velocity_formulas || inlet.velocity != Vec3{0, 0, 0}) return;
    add(at.key + ".velocity", "it is 0, so nothing flows through this inlet: give its velocity");
  }

  // Lengths in other units than those of the case make the table much larger or smaller than the
  // face, of which it then gives hardly any profile.
  void table(const validation::PlacedCondition& at) {
    const VelocityTable from(path_of(case_, at.condition.file));
    const auto axes = validation::transverse(at.face);
    for (std::size_t i = 0; i < 2; ++i) {
      const auto [first, last] = from.range(i);
      const double end = case_.grid.cells[axes[i]] * units_.length;
      const double common = std::min(last, end) - std::max(first, 0.0);
      if (first == last || common >= std::max(last - first, end) / 2) continue;
      add(at.key + ".file",
          fmt::format("the table reaches from {:.6g} to {:.6g} along {}, but the face from 0 to "
                      "{:.6g}: are its coordinates in units of the case?",
                      first, last, "xyz"[axes[i]], end));
    }
  }

  void far_fields() {
    for (std::size_t f = 0; f < case_.faces.size(); ++f) {
      const Face& face = case_.faces[f];
      const double outwards = face.velocity[f / 2] * (f % 2 == 0 ? -1 : 1);
      if (face.type != BoundaryKind::far_field || outwards <= 0 || case_.bodies.empty()) continue;
      add(validation::face_key(f),
          "the stream leaves through this far field, which sends pressure waves back when a wake "
          "passes it: take type: outflow behind bodies");
    }
    for (const int face : case_.sponge.faces) {
      const auto f = static_cast<std::size_t>(face);
      const char* const differs = difference(case_.faces[f], case_.sponge);
      if (differs == nullptr) continue;
      add(validation::face_key(f),
          fmt::format("the inlet has {} the sponge before it removes: leave {} out of sponge.faces",
                      differs, face_names()[f]));
    }
  }

  void mach(const std::string& key, double speed) {
    const double mach = speed * std::sqrt(3.0);
    if (mach <= validation::high_mach) return;
    add(key, fmt::format("Mach {:.3g} is above {}, compressibility errors are visible", mach,
                         validation::high_mach));
  }

  void grid() {
    const auto& cells = case_.grid.cells;
    const int longest = *std::max_element(cells.begin(), cells.end());
    if (cells[2]<longest&& static_cast<double>(cells[0]) * cells[1] * cells[2]> many_cells) {
      add("grid.cells", fmt::format("z is streamed through the device, but has {} cells and the "
                                    "longest axis {}: put the longest axis there",
                                    cells[2], longest));
    }
    if (derived_.length > longest) {
      add("fluid.length",
          fmt::format("the reference length of {} cells is larger than the grid", derived_.length));
    }
  }

  // Rounding to whole cells may change the requested size.
  void size() {
    if (!case_.grid.size) return;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double asked = (*case_.grid.size)[axis];
      const double got = case_.grid.cells[axis] * units_.length;
      if (std::abs(got - asked) <= 1e-6 * asked) continue;
      add("grid.size", fmt::format("{} m along {} became {} cells, {:.9g} m", asked, "xyz"[axis],
                                   case_.grid.cells[axis], got));
    }
  }

  // The velocity that oscillates beside a wall decays over sqrt(2 viscosity / angular frequency)
  // (Stokes' second problem).
  void stokes_layer(const std::string& key, double period) {
    constexpr double few_cells = 1.5;
    const double frequency = 2 * std::numbers::pi / to_steps(units_, period);
    const double cells = std::sqrt(2 * derived_.viscosity / frequency);
    if (cells >= few_cells) return;
    add(key,
        fmt::format("the layer at walls in which the flow follows this period is {:.2g} cells "
                    "thick, below {}, and not resolved: take a longer period, or a grid {:.6g} "
                    "times finer",
                    cells, few_cells, std::ceil(10 * few_cells / cells) / 10));
  }

  void stokes_layers() {
    const bool walls = !case_.bodies.empty() || has_walls(case_, 6);
    if (walls && case_.force.amplitude && case_.force.period) {
      stokes_layer("force.period", *case_.force.period);
    }
    for (std::size_t face = 0; face < case_.faces.size(); ++face) {
      const Face& one = case_.faces[face];
      if (one.type == BoundaryKind::wall && one.period) {
        stokes_layer(validation::face_key(face) + ".period", *one.period);
      }
    }
  }

  // p = rho / 3.
  void compressed(const std::string& key, double difference) {
    constexpr double much = 0.1;
    if (std::abs(difference) <= much) return;
    add(key,
        fmt::format("it changes the density by {:.3g}, more than {} of the reference: errors of "
                    "compressibility are visible: lower it, or fluid.lattice_velocity",
                    difference, much));
  }

  void pressures() {
    for (const auto& [condition, face, key, patch] : validation::conditions_of(case_)) {
      if (condition.pressure) {
        compressed(key + ".pressure", to_density_difference(units_, *condition.pressure));
      }
      if (condition.pressure_formula.empty()) continue;
      compressed(key + ".pressure", FaceFormulas(case_, derived_, static_cast<int>(face),
                                                 key + ".pressure", condition.pressure_formula)
                                        .sampled_extreme());
    }
    for (std::size_t face = 0; face < case_.faces.size(); ++face) {
      const auto& drop = case_.faces[face].pressure_drop;
      if (!drop) continue;
      compressed(validation::face_key(face) + ".pressure_drop",
                 to_density_difference(units_, *drop));
    }
    if (!case_.force.acceleration) return;
    const Vec3 a = to_lattice_acceleration(units_, *case_.force.acceleration);
    for (std::size_t axis = 0; axis < 3; ++axis) {  // the fluid at rest between two walls
      const bool closed = case_.faces[2 * axis].type == BoundaryKind::wall &&
                          case_.faces[2 * axis + 1].type == BoundaryKind::wall;
      if (closed) compressed("force.acceleration", 3 * a[axis] * case_.grid.cells[axis]);
    }
  }

  void flow() {
    const UntilSteady& steady = case_.run.until_steady;
    if (!case_.scalars.empty() && (steady.tolerance || steady.error) && steady.quantities.empty()) {
      add("run.until_steady",
          "watches the kinetic energy alone, and scalars may need longer: name quantities of them "
          "in until_steady.quantities");
    }
    stokes_layers();
    pressures();
    if (case_.initial.flow == InitialFlow::taylor_green && has_walls(case_, 4)) {
      add("initial.flow", "the Taylor-Green vortex does not meet walls: make the faces periodic");
    }
  }

  void output() {
    if (case_.output.forces != Output{}.forces && case_.bodies.empty()) {
      add("output.forces", "there are no bodies, it writes nothing");
    }
    const auto corrections = static_cast<int>(correction_steps(case_, derived_).size());
    if (corrections < case_.run.flow_rate_corrections) {
      add("run.flow_rate_corrections",
          fmt::format("only {} of {} come within the {} steps of the run: lower "
                      "run.correction_time, or run longer",
                      corrections, case_.run.flow_rate_corrections, derived_.steps));
    }
    const auto& every = case_.output.every_steps;
    if (every && *every > derived_.steps) {
      add("output.every_steps",
          fmt::format("{} is more than the {} steps of the run, it writes nothing", *every,
                      derived_.steps));
    }
  }

  const Case& case_;
  const Derived& derived_;
  Units units_;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> warnings(const Case& lbm_case, const Derived& derived) {
  return join_alike(Warnings(lbm_case, derived).all());
}

}  // namespace lbm::cases
