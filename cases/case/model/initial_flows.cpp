// SPDX-License-Identifier: Apache-2.0
#include "cases/case/model/initial_flows.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include "cases/case/initial/flow_rows.hpp"
#include "cases/case/initial/resampled_flow.hpp"
#include "cases/case/model/inlet_profile.hpp"
#include "cases/case/model/place_formulas.hpp"
#include "cases/case/units.hpp"

namespace lbm::cases {
namespace {

using std::numbers::pi;

// The Taylor-Green vortex (Brachet et al., J. Fluid Mech. 130 (1983) 411), one period per box:
//   u = U sin X cos Y cos Z, v = -U cos X sin Y cos Z, w = 0,
//   p = rho U^2 / 16 (cos 2X + cos 2Y)(cos 2Z + 2), and rho = 1 + 3 p in lattice units.
InitialState taylor_green(const Grid& grid, double velocity) {
  const auto angles = [](int n) {
    std::vector<double> angle(n);
    for (int i = 0; i < n; ++i) angle[i] = 2 * std::numbers::pi * (i + 0.5) / n;
    return angle;
  };
  struct Waves {
    double sin, cos, cos_2;
  };
  std::vector<Waves> along_x;
  for (const double x : angles(grid.cells[0])) {
    along_x.push_back({std::sin(x), std::cos(x), std::cos(2 * x)});
  }
  return [x = std::move(along_x), y = angles(grid.cells[1]), z = angles(grid.cells[2]), velocity](
             int j, int k, const StateRow& row) {
    const double cos_z = std::cos(z[k]);
    const double pressure = velocity * velocity / 16 * (std::cos(2 * z[k]) + 2);
    const double cos_y = std::cos(y[j]), sin_y = std::sin(y[j]), cos_2y = std::cos(2 * y[j]);
    for (std::size_t i = 0; i < x.size(); ++i) {
      row.ux[i] = velocity * x[i].sin * cos_y * cos_z;
      row.uy[i] = -velocity * x[i].cos * sin_y * cos_z;
      row.drho[i] = 3 * pressure * (x[i].cos_2 + cos_2y);
    }
  };
}

InitialState uniform(const Vec3& u) {
  return [u](int, int, const StateRow& row) {
    std::fill(row.ux.begin(), row.ux.end(), u[0]);
    std::fill(row.uy.begin(), row.uy.end(), u[1]);
    std::fill(row.uz.begin(), row.uz.end(), u[2]);
  };
}

// Velocity [cells of the cross-section][3] of developed flow along `axis`, from the duct profile.
std::vector<float> developed(const Case& lbm_case, const Derived& derived, const Vec3& peak) {
  FaceCondition condition;
  condition.type = BoundaryKind::velocity;
  condition.profile = InletProfile::duct;
  return inlet_profile(lbm_case, condition, 2 * lbm_case.initial.axis,
                       make_units(lbm_case, derived), peak);
}

// Index of a cell in the cross-section normal to `axis`.
std::size_t cross_section(const std::array<int, 3>& n, int axis, int x, int y, int z) {
  const int i = axis == 0 ? y : x, j = axis == 2 ? y : z;
  return static_cast<std::size_t>(j) * n[axis == 0 ? 1 : 0] + i;
}

// A developed flow plus divergence-free disturbances: waves of two, three and four periods in each
// direction provide several scales. They do not vanish at walls; the first steps correct that.
InitialState disturbed(const Case& lbm_case, const Vec3& peak, std::vector<float> mean,
                       double size) {
  const std::array<int, 3> n = lbm_case.grid.cells;
  const int axis = lbm_case.initial.axis;
  const double speed = std::abs(peak[axis]) * size;
  return [=, mean = std::move(mean)](int y, int z, const StateRow& row) {
    for (int x = 0; x < n[0]; ++x) {
      const std::size_t at = 3 * cross_section(n, axis, x, y, z);
      const double fx = (x + 0.5) / n[0], fy = (y + 0.5) / n[1], fz = (z + 0.5) / n[2];
      double u[3] = {double{mean[at]}, double{mean[at + 1]}, double{mean[at + 2]}};
      for (int m = 2; m <= 4; ++m) {
        const double a = 2 * pi * m * fx + m, b = 2 * pi * m * fy + 2 * m, c = 2 * pi * m * fz;
        // Beltrami flow u = (A sin c + C cos b, B sin a + A cos c, C sin b + B cos a).
        u[0] += speed / m * (std::sin(c) + std::cos(b));
        u[1] += speed / m * (std::sin(a) + std::cos(c));
        u[2] += speed / m * (std::sin(b) + std::cos(a));
      }
      row.ux[x] = u[0];
      row.uy[x] = u[1];
      row.uz[x] = u[2];
    }
  };
}

// Velocity given by the case, or the reference velocity along its axis.
Vec3 peak_of(const Case& lbm_case, const Derived& derived) {
  if (lbm_case.initial.velocity) {
    return to_lattice_velocity(make_units(lbm_case, derived), *lbm_case.initial.velocity);
  }
  Vec3 u{};
  u[lbm_case.initial.axis] = derived.velocity;
  return u;
}

}  // namespace

InitialState initial_flow(const Case& lbm_case, const Derived& derived) {
  const Vec3 peak = peak_of(lbm_case, derived);
  switch (lbm_case.initial.flow) {
    case InitialFlow::taylor_green:
      return taylor_green(lbm_case.grid, derived.velocity);
    case InitialFlow::uniform:
      return uniform(peak);
    case InitialFlow::duct:
      return disturbed(lbm_case, peak, developed(lbm_case, derived, peak), 0);
    case InitialFlow::perturbed_channel:
      return disturbed(lbm_case, peak, developed(lbm_case, derived, peak),
                       lbm_case.initial.disturbance.value_or(0.05));
    case InitialFlow::formula:
      return flow_of_formulas(lbm_case, derived);
    case InitialFlow::file:
      return resampled_state(lbm_case, open_flow_file(lbm_case, derived));
    case InitialFlow::arrays:  // RunOptions has them
    case InitialFlow::rest:
      break;
  }
  return {};
}

}  // namespace lbm::cases
