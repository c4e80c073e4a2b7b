// SPDX-License-Identifier: Apache-2.0
#include "cases/case/initial/darcy_flow.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "cases/case/initial/block_loops.hpp"
#include "cases/case/initial/block_network.hpp"

namespace lbm::cases {
namespace {

constexpr int least_edge = 4;
constexpr double most_blocks = 1 << 21;
constexpr double solid_share = 1e-4;  // conductance of solids over the mean of all links

// Blocks along an axis.
struct BlockAxis {
  int cells = 0, blocks = 0;
  std::vector<int> begin;       // first cell of each block, and the number of cells
  std::vector<int> block_of;    // of each cell
  std::vector<double> centres;  // of each block, in cells
};

int blocks_along(int cells, int edge) { return std::max(1, (cells + edge / 2) / edge); }

BlockAxis make_axis(int cells, int edge) {
  BlockAxis axis;
  axis.cells = cells;
  axis.blocks = blocks_along(cells, edge);
  axis.block_of.resize(static_cast<std::size_t>(cells));
  for (int i = 0; i <= axis.blocks; ++i) {
    axis.begin.push_back(static_cast<int>(std::int64_t{i} * cells / axis.blocks));
  }
  for (int i = 0; i < axis.blocks; ++i) {
    const int low = axis.begin[static_cast<std::size_t>(i)];
    const int high = axis.begin[static_cast<std::size_t>(i) + 1];
    std::fill(axis.block_of.begin() + low, axis.block_of.begin() + high, i);
    axis.centres.push_back((low + high) / 2.0);
  }
  return axis;
}

// The cells of a section: those of plane `below` of an axis that are open to plane `above`. -1: the
// section is a face of the box, and the other plane counts alone.
struct Section {
  std::size_t axis = 0;
  int below = 0, above = 0;
};

class DarcyBlocks {
 public:
  DarcyBlocks(const std::array<int, 3>& cells, const FaceBoundaries& faces,
              const BoundaryView& boundaries, const std::array<double, 3>& acceleration)
      : faces_(faces), boundaries_(boundaries), acceleration_(acceleration) {
    const int edge = darcy_block_edge(cells);
    for (std::size_t a = 0; a < 3; ++a) axes_[a] = make_axis(cells[a], edge);
    network_.blocks = {axes_[0].blocks, axes_[1].blocks, axes_[2].blocks};
    const auto count =
        static_cast<std::size_t>(std::int64_t{axes_[0].blocks} * axes_[1].blocks * axes_[2].blocks);
    for (auto& link : network_.link) link.resize(count);
    network_.open.resize(count);
    network_.source.resize(count);
    join_blocks();
    join_solids();
    add_sources();
    for (int face = 0; face < 6; ++face) join_face(face);
  }

  const BlockNetwork& network() const { return network_; }
  const std::array<BlockAxis, 3>& axes() const { return axes_; }

 private:
  bool wraps(std::size_t axis) const { return faces_[2 * axis].periodic(); }
  std::size_t number(std::size_t axis, int along, std::size_t u, int at_u, std::size_t v,
                     int at_v) const {
    std::array<std::int64_t, 3> at{};
    at[axis] = along;
    at[u] = at_u;
    at[v] = at_v;
    return static_cast<std::size_t>(at[0] + axes_[0].blocks * (at[1] + axes_[1].blocks * at[2]));
  }
  // From the centre of block i of an axis to that of the next one.
  double distance(std::size_t axis, int i) const {
    const BlockAxis& a = axes_[axis];
    const auto at = static_cast<std::size_t>(i);
    return i + 1 < a.blocks ? a.centres[at + 1] - a.centres[at]
                            : a.centres[0] + a.cells - a.centres[at];
  }
  // Adds d^2 of each open cell to add(block along u, block along v).
  template <class Add>
  void visit_section(const Section& section, const Add& add) const;
  void join_blocks();
  void join_solids();
  void add_sources();
  void join_face(int face);

  const FaceBoundaries& faces_;
  const BoundaryView& boundaries_;
  std::array<double, 3> acceleration_;
  std::array<BlockAxis, 3> axes_;
  BlockNetwork network_;
};

// Distances by the chamfer of 3 and 4 thirds (Borgefors 1986, Comput. Vision Graph. 34, 344): a
// pass forwards and one backwards, twice, since they may lead through periodic faces.
template <class Add>
void DarcyBlocks::visit_section(const Section& section, const Add& add) const {
  const std::size_t u = section.axis == 0 ? 1 : 0, v = section.axis == 2 ? 1 : 2;
  const int nu = axes_[u].cells, nv = axes_[v].cells;
  const std::int64_t row = nu + 2;  // with a cell beyond each face
  constexpr int far = 30000;
  std::vector<std::uint16_t> d(static_cast<std::size_t>(row * (nv + 2)));
  const auto at = [&](int i, int j) -> std::uint16_t& {
    return d[static_cast<std::size_t>((j + 1) * row + i + 1)];
  };
  std::array<int, 3> cell{};
  const auto is_solid = [&](int along, int i, int j) {
    cell[section.axis] = along;
    cell[u] = i;
    cell[v] = j;
    return along >= 0 && boundaries_.is_solid(cell[0], cell[1], cell[2]);
  };
  for (int j = 0; j < nv; ++j) {
    for (int i = 0; i < nu; ++i) {
      const bool closed = is_solid(section.below, i, j) || is_solid(section.above, i, j);
      at(i, j) = closed ? 0 : far;
    }
  }
  const auto beyond = [&](std::size_t face, int inside) {
    if (faces_[face].periodic()) return inside;
    return faces_[face].condition.kind == BoundaryKind::wall ? 0 : far;
  };
  const auto fill_beyond = [&] {
    for (int j = 0; j < nv; ++j) {
      at(-1, j) = static_cast<std::uint16_t>(beyond(2 * u, at(nu - 1, j)));
      at(nu, j) = static_cast<std::uint16_t>(beyond(2 * u + 1, at(0, j)));
    }
    for (int i = -1; i <= nu; ++i) {
      at(i, -1) = static_cast<std::uint16_t>(beyond(2 * v, at(i, nv - 1)));
      at(i, nv) = static_cast<std::uint16_t>(beyond(2 * v + 1, at(i, 0)));
    }
  };
  const auto relax = [&](int i, int j, int back) {
    const int next = std::min({at(i - back, j) + 3, at(i, j - back) + 3, at(i - 1, j - back) + 4,
                               at(i + 1, j - back) + 4});
    if (next < at(i, j)) at(i, j) = static_cast<std::uint16_t>(next);
  };
  for (int round = 0; round < 2; ++round) {
    fill_beyond();
    for (int j = 0; j < nv; ++j) {
      for (int i = 0; i < nu; ++i) relax(i, j, 1);
    }
    fill_beyond();
    for (int j = nv - 1; j >= 0; --j) {
      for (int i = nu - 1; i >= 0; --i) relax(i, j, -1);
    }
  }
  for (int j = 0; j < nv; ++j) {
    for (int i = 0; i < nu; ++i) {
      if (at(i, j) == 0) continue;
      const double wall = std::min<double>(at(i, j), 3 * std::max(nu, nv)) / 3 - 0.5;
      add(axes_[u].block_of[static_cast<std::size_t>(i)],
          axes_[v].block_of[static_cast<std::size_t>(j)], wall * wall);
    }
  }
}

void DarcyBlocks::join_blocks() {
  std::vector<Section> sections;
  std::vector<int> block;
  sections.reserve(
      static_cast<std::size_t>(network_.blocks[0] + network_.blocks[1] + network_.blocks[2]));
  block.reserve(sections.capacity());
  for (std::size_t a = 0; a < 3; ++a) {
    const int blocks = axes_[a].blocks;
    for (int i = 0; i < (wraps(a) ? blocks : blocks - 1); ++i) {
      if (blocks == 1) continue;
      const int above = axes_[a].begin[static_cast<std::size_t>(i) + 1];
      sections.push_back({a, above - 1, above % axes_[a].cells});
      block.push_back(i);
    }
  }
#pragma omp parallel for schedule(dynamic)
  for (std::size_t s = 0; s < sections.size(); ++s) {
    const std::size_t a = sections[s].axis, u = a == 0 ? 1 : 0, v = a == 2 ? 1 : 2;
    const auto over = static_cast<float>(1 / distance(a, block[s]));
    visit_section(sections[s], [&](int i, int j, double square) {
      network_.link[a][number(a, block[s], u, i, v, j)] += static_cast<float>(square) * over;
    });
  }
}

void DarcyBlocks::join_solids() {
  for (std::size_t a = 0; a < 3; ++a) {
    std::vector<float>& link = network_.link[a];
    const auto count = static_cast<double>(link.size());
    const double least = std::max(1e-6, solid_share * sum_of(network_.blocks, [&](std::size_t i) {
                                          return double{link[i]};
                                        }) / count);
    sum_beside(network_.blocks, [&](std::size_t i, const auto&, const auto& next) {
      const bool joined = next[a] > i || (wraps(a) && next[a] != i);
      if (joined) link[i] = std::max(link[i], static_cast<float>(least));
      return 0.0;
    });
  }
}

void DarcyBlocks::add_sources() {
  const auto number_along = [&](std::size_t i, std::size_t a) {
    std::size_t along = i;
    for (std::size_t b = 0; b < a; ++b) along /= static_cast<std::size_t>(axes_[b].blocks);
    return static_cast<int>(along % static_cast<std::size_t>(axes_[a].blocks));
  };
  sum_beside(network_.blocks, [&](std::size_t i, const auto& before, const auto&) {
    for (std::size_t a = 0; a < 3; ++a) {
      const double in = network_.link[a][before[a]] * distance(a, number_along(before[a], a));
      const double out = network_.link[a][i] * distance(a, number_along(i, a));
      network_.source[i] += acceleration_[a] * (in - out);
    }
    return 0.0;
  });
}

void DarcyBlocks::join_face(int face) {
  const auto f = static_cast<std::size_t>(face);
  const BoundaryCondition& condition = faces_[f].condition;
  if (condition.kind != BoundaryKind::pressure) return;
  const std::size_t a = f / 2, u = a == 0 ? 1 : 0, v = a == 2 ? 1 : 2;
  const bool low = f % 2 == 0;
  const BlockAxis& axis = axes_[a];
  const int block = low ? 0 : axis.blocks - 1;
  const double away = low ? axis.centres.front() : axis.cells - axis.centres.back();
  const double pressure = condition.drho / 3 + (low ? 1 : -1) * acceleration_[a] * away;
  visit_section(low ? Section{a, -1, 0} : Section{a, axis.cells - 1, -1},
                [&](int i, int j, double square) {
                  const std::size_t at = number(a, block, u, i, v, j);
                  network_.open[at] += static_cast<float>(square / away);
                  network_.source[at] += square / away * pressure;
                });
}

// Pressures at the centres of blocks, and beyond the last ones.
class DarcyPressure {
 public:
  DarcyPressure(const std::array<BlockAxis, 3>& axes, const FaceBoundaries& faces,
                const std::array<double, 3>& acceleration, const std::vector<double>& blocks) {
    for (std::size_t a = 0; a < 3; ++a) {
      const BlockAxis& axis = axes[a];
      const bool wraps = faces[2 * a].periodic();
      std::vector<double> nodes = axis.centres;
      nodes.insert(nodes.begin(), wraps ? axis.centres.back() - axis.cells : 0.0);
      nodes.push_back(wraps ? axis.centres.front() + axis.cells : axis.cells);
      nodes_[a] = static_cast<std::int64_t>(nodes.size());
      for (int i = 0, low = 0; i < axis.cells; ++i) {
        while (nodes[static_cast<std::size_t>(low) + 1] < i + 0.5) ++low;
        const double* const node = nodes.data() + low;
        places_[a].push_back({low, (i + 0.5 - node[0]) / (node[1] - node[0])});
      }
    }
    values_.resize(static_cast<std::size_t>(nodes_[0] * nodes_[1] * nodes_[2]));
    std::size_t block = 0;
    for (std::int64_t z = 1; z < nodes_[2] - 1; ++z) {
      for (std::int64_t y = 1; y < nodes_[1] - 1; ++y) {
        for (std::int64_t x = 1; x < nodes_[0] - 1; ++x) value({x, y, z}) = blocks[block++];
      }
    }
    // Edges and corners follow, since each axis has the nodes beyond the axes before.
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t side = 0; side < 2; ++side) {
        fill_beyond(a, side, axes[a], faces[2 * a + side], acceleration[a]);
      }
    }
  }

  void fill(int y, int z, const StateRow& row) const {
    const Place& along_y = places_[1][static_cast<std::size_t>(y)];
    const Place& along_z = places_[2][static_cast<std::size_t>(z)];
    const double* const corner =
        values_.data() + nodes_[0] * (along_y.low + nodes_[1] * along_z.low);
    const std::int64_t plane = nodes_[0] * nodes_[1];
    const auto at = [&](std::int64_t i) {
      const auto along = [&](const double* of) {
        return (1 - along_y.weight) * of[0] + along_y.weight * of[nodes_[0]];
      };
      return (1 - along_z.weight) * along(corner + i) + along_z.weight * along(corner + plane + i);
    };
    for (std::size_t x = 0; x < row.drho.size(); ++x) {
      const Place& place = places_[0][x];
      row.drho[x] = 3 * ((1 - place.weight) * at(place.low) + place.weight * at(place.low + 1));
    }
  }

 private:
  struct Place {
    std::int64_t low;  // node
    double weight;     // of the next node
  };
  double& value(const std::array<std::int64_t, 3>& at) {
    return values_[static_cast<std::size_t>(at[0] + nodes_[0] * (at[1] + nodes_[1] * at[2]))];
  }
  // Periodic faces have the pressure of the opposite blocks beyond them. Pressure faces have their
  // own, other faces the one at which nothing flows through them.
  void fill_beyond(std::size_t axis, std::size_t side, const BlockAxis& blocks,
                   const FaceBoundary& face, double acceleration) {
    const std::size_t u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
    const std::int64_t last = nodes_[axis] - 1;
    const std::int64_t to = side == 0 ? 0 : last;
    const std::int64_t inside = side == 0 ? 1 : last - 1, opposite = side == 0 ? last - 1 : 1;
    const double away = side == 0 ? -blocks.centres.front() : blocks.cells - blocks.centres.back();
    std::array<std::int64_t, 3> from{}, at{};
    for (at[v] = 0; at[v] < nodes_[v]; ++at[v]) {
      for (at[u] = 0; at[u] < nodes_[u]; ++at[u]) {
        at[axis] = to;
        from = at;
        from[axis] = face.periodic() ? opposite : inside;
        value(at) = face.condition.kind == BoundaryKind::pressure ? face.condition.drho / 3
                    : face.periodic()                             ? value(from)
                                      : value(from) + acceleration * away;
      }
    }
  }

  std::array<std::int64_t, 3> nodes_{};
  std::array<std::vector<Place>, 3> places_;
  std::vector<double> values_;
};

}  // namespace

int darcy_block_edge(const std::array<int, 3>& cells) {
  const double all = static_cast<double>(cells[0]) * cells[1] * cells[2];
  return std::max(least_edge, static_cast<int>(std::ceil(std::cbrt(all / most_blocks))));
}

std::uint64_t darcy_bytes(const std::array<int, 3>& cells) {
  std::uint64_t bytes = 60;
  for (const int n : cells)
    bytes *= static_cast<std::uint64_t>(blocks_along(n, darcy_block_edge(cells)));
  return bytes;
}

InitialState darcy_state(const std::array<int, 3>& cells, const FaceBoundaries& faces,
                         const BoundaryView& boundaries,
                         const std::array<double, 3>& acceleration) {
  const DarcyBlocks blocks(cells, faces, boundaries, acceleration);
  const auto pressure = std::make_shared<const DarcyPressure>(blocks.axes(), faces, acceleration,
                                                              block_pressures(blocks.network()));
  return [pressure](int y, int z, const StateRow& row) { pressure->fill(y, z, row); };
}

}  // namespace lbm::cases
