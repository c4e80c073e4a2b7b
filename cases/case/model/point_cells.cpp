#include "cases/case/model/point_cells.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lbm::cases {
namespace {

// The two cells around a coordinate along one axis; at the end of the grid the outermost one.
std::array<std::pair<int, double>, 2> around(double at, int cells, bool periodic) {
  const double centre = at - 0.5, low = std::floor(centre), share = centre - low;
  const auto cell = [&](double n) {
    const auto i = static_cast<int>(n);
    return periodic ? (i % cells + cells) % cells : std::clamp(i, 0, cells - 1);
  };
  return {{{cell(low), 1 - share}, {cell(low + 1), share}}};
}

}  // namespace

std::vector<PointCell> cells_around(const Case& lbm_case, const Boundaries& boundaries,
                                    const Vec3& place) {
  std::array<std::array<std::pair<int, double>, 2>, 3> axes;
  for (std::size_t a = 0; a < 3; ++a) {
    axes[a] = around(place[a], lbm_case.grid.cells[a],
                     lbm_case.faces[2 * a].type == BoundaryKind::periodic);
  }
  const BoundaryView view = boundaries.none() ? BoundaryView{} : boundaries.view();
  std::vector<PointCell> cells;
  double sum = 0;
  for (const auto& [z, wz] : axes[2]) {
    for (const auto& [y, wy] : axes[1]) {
      for (const auto& [x, wx] : axes[0]) {
        const double weight = wx * wy * wz;
        if (weight <= 0 || view.is_solid(x, y, z)) continue;
        cells.push_back({{x, y, z}, weight});
        sum += weight;
      }
    }
  }
  for (PointCell& corner : cells) corner.weight /= sum;
  return cells;
}

}  // namespace lbm::cases
