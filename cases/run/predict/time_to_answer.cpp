// SPDX-License-Identifier: Apache-2.0
#include "cases/run/predict/time_to_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cases/case/initial/coarser_case.hpp"
#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/model/case_formulas.hpp"
#include "cases/case/validate/validate.hpp"

namespace lbm::cases {
namespace {

using std::numbers::pi;

// docs/plan.md has the runs behind these numbers.
constexpr double usual_error = 1e-3;
// Steps until an estimated error is below a number, over those until the true one is: the median.
constexpr double estimate_cost = 1.6;
constexpr double missing_of_darcy = 0.005;  // of the pressure
constexpr double missing_of_cascade = 0.004, missing_of_coarse_image = 0.03;
// The slowest Stokes mode of a closed square decays with 52.3 viscosity / edge^2 (Leriche &
// Labrosse 2004, J. Comput. Phys. 200, 489), that of a square duct with 2 pi^2.
constexpr double closed_box = 2.65;
constexpr double circulation = 0.29;  // over sqrt(Re) edge / velocity
constexpr double passes = 0.5;        // of a box that a stream goes through
constexpr int samples = 4096;

// The fluid as lines along the axes see it, from cells that are spread evenly over the box.
struct Chords {
  double porosity = 1;     // share of the fluid in the box
  double free = 0;         // share of fluid between whose sides no wall is, in the box
  double over_length = 0;  // mean over fluid cells of the sum of 1 / chord along x, y and z
  double over_square = 0;  // the same of 1 / chord^2
  bool any() const { return over_square > 0; }
};

// Cells to the next wall from a cell along an axis; `far` where there is none. A slip face mirrors
// the way.
class ToWall {
 public:
  ToWall(const Case& lbm_case, const BoundaryView& boundaries)
      : case_(lbm_case), boundaries_(boundaries) {}
  static constexpr double far = 0;

  // 1 / chord through the cell; 0: no wall on one of its sides.
  double over_chord(const std::array<int, 3>& cell, std::size_t axis) const {
    const double back = way(cell, axis, -1), ahead = way(cell, axis, 1);
    if (back == far || ahead == far) return 0;
    return 1 / (back + ahead - 1);
  }

 private:
  // With the cell itself.
  double way(std::array<int, 3> cell, std::size_t axis, int step) const {
    const int n = case_.grid.cells[axis];
    for (int cells = 1; cells <= 2 * n; ++cells) {
      cell[axis] += step;
      if (cell[axis] < 0 || cell[axis] == n) {
        switch (case_.faces[2 * axis + (cell[axis] < 0 ? 0 : 1)].type) {
          case BoundaryKind::wall:
            return cells;
          case BoundaryKind::periodic:
            cell[axis] = cell[axis] < 0 ? n - 1 : 0;
            break;
          case BoundaryKind::slip:
            step = -step;
            cell[axis] += step;
            break;
          default:
            return far;
        }
      }
      if (boundaries_.is_solid(cell[0], cell[1], cell[2])) return cells;
    }
    return far;
  }

  const Case& case_;
  const BoundaryView& boundaries_;
};

// Narrow gaps beside a wide channel do not hold its flow: the square counts up to twice its median.
// The sequence of Roberts (2018), "The unreasonable effectiveness of quasirandom sequences".
Chords chords_of(const Case& lbm_case, const BoundaryView& boundaries) {
  constexpr double g = 1.22074408460575947536;  // g^4 = g + 1
  const ToWall to_wall(lbm_case, boundaries);
  Chords all;
  std::vector<double> squares;  // those above 0
  int fluid = 0, free = 0;
  for (int i = 0; i < samples; ++i) {
    std::array<int, 3> cell{};
    for (std::size_t a = 0; a < 3; ++a) {
      const double at = 0.5 + i / std::pow(g, static_cast<double>(a + 1));
      cell[a] = static_cast<int>((at - std::floor(at)) * lbm_case.grid.cells[a]);
    }
    if (boundaries.is_solid(cell[0], cell[1], cell[2])) continue;
    ++fluid;
    double square = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      const double over = to_wall.over_chord(cell, a);
      all.over_length += over;
      square += over * over;
    }
    if (square > 0) {
      squares.push_back(square);
    } else {
      ++free;
    }
  }
  if (squares.empty()) return all;
  const auto middle = squares.begin() + static_cast<std::ptrdiff_t>(squares.size() / 2);
  std::nth_element(squares.begin(), middle, squares.end());
  const double most = 2 * *middle;
  for (const double square : squares) all.over_square += std::min(square, most);
  all.porosity = static_cast<double>(fluid) / samples;
  all.free = static_cast<double>(free) / samples;
  all.over_length /= fluid;
  all.over_square /= fluid;
  return all;
}

bool is_unsteady(const FaceCondition& c) {
  return !c.velocity_factor.empty() || c.period || c.turbulence.intensity;
}

bool changes_in_time(const Case& c) {
  if (c.lattice.smagorinsky > 0 || c.force.amplitude || !c.force.acceleration_factor.empty())
    return true;
  if (c.force.acceleration_formulas && !acceleration_depends_on_place(c)) return true;
  return std::any_of(c.faces.begin(), c.faces.end(),
                     [](const Face& face) {
                       return is_unsteady(face) ||
                              std::any_of(face.patches.begin(), face.patches.end(), is_unsteady);
                     }) ||
         std::any_of(c.bodies.begin(), c.bodies.end(), [](const Body& body) {
           return !body.velocity_factor.empty() || body.moves();
         });
}

// Mean velocity into the box through a condition of a face of that area, in cells per step.
double inflow(const Case& c, const Derived& derived, std::size_t face, const FaceCondition& given,
              double share) {
  if (given.type != BoundaryKind::velocity && given.type != BoundaryKind::far_field) return 0;
  const InletProfile profile = given.profile.value_or(InletProfile::uniform);
  if (given.velocity_formulas || profile == InletProfile::table) return share * derived.velocity;
  // Mean over peak: a plane parabola, one in a pipe.
  const double mean = profile == InletProfile::duct   ? 2.0 / 3
                      : profile == InletProfile::pipe ? 0.5
                                                      : 1;
  const double along = to_lattice_velocity(make_units(c, derived), given.velocity)[face / 2] *
                       (face % 2 == 0 ? 1 : -1);
  return std::max(0.0, share * mean * along);
}

// Share of the cross-section of a face that a patch covers.
double share_of(const Patch& patch, double area) {
  if (patch.box) {
    const auto& b = *patch.box;
    return (b[1] - b[0]) * (b[3] - b[2]) / area;
  }
  return pi * std::pow(patch.radius.value_or(0), 2) / area;
}

// The largest mean velocity / length of the box, of streams that faces send in; 1 / steps.
double rate_of_passing(const Case& c, const Derived& derived) {
  double rate = 0;
  const auto& n = c.grid.cells;
  const double cell = cell_size(c);
  for (std::size_t face = 0; face < 6; ++face) {
    const std::size_t axis = face / 2;
    const double area = cell * cell * n[(axis + 1) % 3] * n[(axis + 2) % 3];
    double velocity = 0, left = 1;
    for (const Patch& patch : c.faces[face].patches) {
      const double share = share_of(patch, area);
      velocity += inflow(c, derived, face, patch, share);
      left -= share;
    }
    velocity += inflow(c, derived, face, c.faces[face], std::max(0.0, left));
    rate = std::max(rate, velocity / n[axis]);
  }
  return rate;
}

bool is_closed(const Case& c, std::size_t axis) {
  return c.faces[2 * axis].type == BoundaryKind::wall &&
         c.faces[2 * axis + 1].type == BoundaryKind::wall;
}

// A face that slides towards a wall: its speed in cells per step, and the cells along it.
struct Lid {
  double speed = 0, edge = 0;
};
Lid lid_of(const Case& c, const Units& units) {
  Lid lid;
  for (const Face& face : c.faces) {
    const Vec3 u = to_lattice_velocity(units, face.velocity);
    for (std::size_t a = 0; a < 3; ++a) {
      if (face.type != BoundaryKind::wall || std::abs(u[a]) <= lid.speed || !is_closed(c, a))
        continue;
      lid = {std::abs(u[a]), static_cast<double>(c.grid.cells[a])};
    }
  }
  return lid;
}

bool asks_for_permeability(const Case& c) {
  return std::any_of(c.quantities.begin(), c.quantities.end(),
                     [](const auto& q) { return q.kind == QuantityKind::permeability; });
}

bool has_images(const Case& c) {
  return std::any_of(c.bodies.begin(), c.bodies.end(), [](const Body& body) {
    return body.solid && body.shape == BodyShape::voxels;
  });
}

// Flow that a force or pressures drive through pores.
std::vector<TimeScale> scales_of_pores(const Case& c, const Derived& derived,
                                       const Chords& chords) {
  Pores pores{chords.porosity, 3 / chords.over_length, derived.viscosity};
  if (is_open(c)) {  // without the fluid before and behind a sample
    const double inside = chords.porosity - chords.free;
    pores.diameter *= inside / chords.porosity;
    pores.porosity = inside / (1 - chords.free);
  }
  double wave_number = pi, k = pores.permeability();
  const char* length = "2 pi";
  for (std::size_t a = 0; a < 3; ++a) {
    const bool periodic = c.faces[2 * a].type == BoundaryKind::periodic;
    const double one = (periodic ? 2 * pi : pi) / c.grid.cells[a];
    if (one < wave_number) length = periodic ? "2 pi" : "pi";
    wave_number = std::min(wave_number, one);
  }
  const double missing = c.initial.flow == InitialFlow::darcy ? missing_of_darcy : 1;
  std::vector<TimeScale> all{
      {pores.friction_time(), 1,
       fmt::format("friction in wide pores: 0.05 D^2 / viscosity, D = {:.3g} cells{}",
                   pores.diameter, pores.porosity > 0.4 ? " x (1 - porosity) / 0.6" : "")}};
  // In a box of one or two pores Darcy's law has no meaning.
  if (wave_number * pores.diameter < pi) {
    all.push_back(
        {pores.pressure_time(k, wave_number), missing,
         fmt::format("pressure along the pores: 3 porosity viscosity (L / {})^2 / k, k = {:.2g} "
                     "cells^2 by Kozeny and Carman",
                     length, k)});
  }
  return all;
}

// Time constants by which the flow of a given start becomes steady, each to a given share.
double steps_until(double wanted, const TimeScale& scale) {
  return scale.steps * std::max(0.0, std::log(scale.missing / wanted));
}

struct Steps {
  TimeScale scale;
  double steps = 0;
};
Steps steps_of(const Case& c, const Derived& derived, std::vector<TimeScale> scales,
               double missing) {
  const UntilSteady& until = c.run.until_steady;
  Steps all;
  for (TimeScale& scale : scales) {
    scale.missing = std::min(scale.missing, missing);
    double steps = until.error ? estimate_cost * steps_until(*until.error, scale)
                               : steps_until(usual_error, scale);
    if (until.tolerance) {
      // exp(-t / T) changes by (exp(C / T) - 1) exp(-t / T) in the convective time C before t; the
      // third of these ends the run.
      const double times = derived.convective_time / scale.steps;
      steps = steps_until(*until.tolerance, scale) +
              scale.steps * std::log(std::expm1(std::min(times, 700.0)));
      steps = std::max(0.0, steps) + 2 * derived.convective_time;
    }
    if (steps >= all.steps) all = {scale, steps};
  }
  if (until.tolerance) return all;
  // Nothing ends before sound has crossed the box twice, nor before the third sample after it.
  const auto& n = c.grid.cells;
  const int coarsest = std::max(c.run.coarsest, 1 << (c.run.cascade - 1));
  const double sound =
      2 * std::numbers::sqrt3 * *std::max_element(n.begin(), n.end()) / coarsest * (1 + 3.0 / 16);
  if (all.steps < sound)
    all = {{sound, 1, "sound crosses the box twice: 3.5 x its longest edge"}, sound};
  return all;
}

}  // namespace

double Pores::friction_time() const {
  const double wide = diameter * std::min(1.0, (1 - porosity) / 0.6);
  return 0.05 * wide * wide / viscosity;
}

double Pores::pressure_time(double k, double wave_number) const {
  const double damping = porosity * viscosity / k, square = wave_number * wave_number / 3;
  const double root = damping * damping - 4 * square;
  if (root <= 0) return 2 / damping;
  return (damping + std::sqrt(root)) / (2 * square);  // the slower of two, without cancellation
}

std::vector<TimeScale> time_scales(const Case& c, const Derived& derived,
                                   const BoundaryView& boundaries) {
  if (changes_in_time(c)) return {};
  const Chords chords = chords_of(c, boundaries);
  const double passing = rate_of_passing(c, derived) / std::max(0.01, chords.porosity);
  const double nu = derived.viscosity;
  if (passing == 0 && chords.any() && (has_images(c) || asks_for_permeability(c)))
    return scales_of_pores(c, derived, chords);
  std::vector<TimeScale> all;
  const Lid lid = lid_of(c, make_units(c, derived));
  if (chords.any()) {
    const double closed = lid.speed > 0 && passing == 0 ? closed_box : 1;
    const double width = 1 / std::sqrt(chords.over_square);
    all.push_back({width * width / (closed * pi * pi * nu), 1,
                   fmt::format("friction between walls {:.3g} cells apart: distance^2 / ({}pi^2 "
                               "viscosity)",
                               width, closed > 1 ? "2.65 " : "")});
  } else if (passing == 0 && c.force.acceleration_formulas) {
    const auto& n = c.grid.cells;
    const double edge = *std::max_element(n.begin(), n.end()) / (2 * pi);
    all.push_back({edge * edge / nu, 1,
                   "friction in waves as long as the box: (longest edge / 2 pi)^2 / viscosity"});
  }
  if (passing > 0) {
    all.push_back(
        {passes / passing, 1, "a stream through the box: half of its length / mean velocity"});
  }
  if (lid.speed > 0) {
    const double reynolds = lid.speed * lid.edge / nu;
    all.push_back({circulation * std::sqrt(reynolds) * lid.edge / lid.speed, 1,
                   "circulation under a wall that slides: 0.29 sqrt(Re) edge / velocity"});
  }
  // Each of them alone makes the flow steady: the fastest does.
  const auto fastest = std::min_element(
      all.begin(), all.end(), [](const auto& a, const auto& b) { return a.steps < b.steps; });
  return fastest == all.end() ? all : std::vector{*fastest};
}

std::optional<TimeToAnswer> time_to_answer(const Case& c, const Derived& derived,
                                           const BoundaryView& boundaries) {
  const UntilSteady& until = c.run.until_steady;
  const bool creeps = c.force.acceleration && derived.reynolds <= 1;
  if (!until.error && !until.tolerance && !creeps && !asks_for_permeability(c)) return std::nullopt;
  const std::vector<TimeScale> scales = time_scales(c, derived, boundaries);
  if (scales.empty()) return std::nullopt;

  TimeToAnswer answer;
  answer.is_rate = until.tolerance.has_value();
  answer.error = until.tolerance.value_or(until.error.value_or(usual_error));
  Case plain = c;
  plain.run.cascade = 1;
  std::vector<TimeScale> from_rest = scales;
  for (TimeScale& scale : from_rest) scale.missing = 1;
  answer.steps_from_rest = steps_of(plain, derived, from_rest, 1).steps;

  const double cells = static_cast<double>(c.grid.cells[0]) * c.grid.cells[1] * c.grid.cells[2];
  const double of_coarse = has_images(c) ? missing_of_coarse_image : missing_of_cascade;
  double missing = 1;
  for (const int factor : coarsening_factors(c)) {
    const Case coarser = coarser_case(c, derived, factor);
    const Derived own = validate(coarser);
    std::vector<TimeScale> shorter = scales;
    for (TimeScale& scale : shorter) scale.steps /= factor;
    const auto& n = coarser.grid.cells;
    double steps = static_cast<double>(own.steps);
    if (coarser.run.until_steady.error || coarser.run.until_steady.tolerance)
      steps = std::min(steps, steps_of(coarser, own, shorter, missing).steps);
    answer.steps_with_coarser += steps * n[0] * n[1] * n[2] / cells;
    missing = of_coarse;
  }
  const Steps own = steps_of(c, derived, scales, missing);
  answer.scale = own.scale;
  answer.steps = own.steps;
  answer.steps_with_coarser += own.steps;
  return answer;
}

}  // namespace lbm::cases
