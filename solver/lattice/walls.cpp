#include "solver/lattice/walls.hpp"

#include <stdexcept>

namespace lbm {
namespace {

bool moves(const WallFace& face) { return face.velocity != std::array<double, 3>{0, 0, 0}; }

// The face that decides for a link that crosses `crossed`: moving before resting, z before y
// before x.
const WallFace* deciding_face(const std::array<WallFace, 6>& faces, unsigned crossed) {
  const WallFace* found = nullptr;
  for (int f = 5; f >= 0; --f) {
    if ((crossed >> f & 1U) == 0) continue;
    if (moves(faces[f])) return &faces[f];
    if (found == nullptr) found = &faces[f];
  }
  return found;
}

}  // namespace

Walls<double> make_walls(const std::array<WallFace, 6>& faces) {
  Walls<double> walls;
  for (int f = 0; f < 6; ++f) {
    if (faces[f].wall != faces[f ^ 1].wall) {
      throw std::invalid_argument("make_walls: one face of an axis is periodic, the other a wall");
    }
    if (faces[f].wall) walls.faces |= 1U << f;
  }
  for (int q = 1; q < d3q19::directions; ++q) {
    const unsigned entered = entered_faces(q), first = entered & (~entered + 1U);
    const unsigned sets[4] = {0, first, entered & ~first, entered};
    for (int set = 1; set < 4; ++set) {
      const WallFace* face = deciding_face(faces, sets[set] & walls.faces);
      if (face == nullptr) continue;
      const auto& u = face->velocity;
      const double cu = d3q19::cx(q) * u[0] + d3q19::cy(q) * u[1] + d3q19::cz(q) * u[2];
      walls.term[q][set] = 6 * d3q19::weight<double>(q) * cu;
    }
  }
  return walls;
}

}  // namespace lbm
