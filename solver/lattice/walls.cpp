#include "solver/lattice/walls.hpp"

#include <stdexcept>

namespace lbm {

Walls<double> make_walls(const std::array<WallFace, 6>& faces) {
  Walls<double> walls;
  for (int f = 0; f < 6; ++f) {
    if (faces[f].wall != faces[f ^ 1].wall) {
      throw std::invalid_argument("make_walls: one face of an axis is periodic, the other a wall");
    }
    if (!faces[f].wall) continue;
    const unsigned bit = 1U << f;
    const auto& u = faces[f].velocity;
    walls.faces |= bit;
    for (int q = 1; q < d3q19::directions; ++q) {
      if ((entered_faces(q) & bit) == 0) continue;
      const double cu = d3q19::cx(q) * u[0] + d3q19::cy(q) * u[1] + d3q19::cz(q) * u[2];
      walls.term[q][wall_set(q, bit)] = 6 * d3q19::weight<double>(q) * cu;
    }
  }
  return walls;
}

}  // namespace lbm
