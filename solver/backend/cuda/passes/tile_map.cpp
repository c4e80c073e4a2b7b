#include "solver/backend/cuda/passes/tile_map.hpp"

#include <map>

namespace lbm::cuda {
namespace {

// The special tiles of one plane: a tile is marked by every special cell in it or right around it.
class PlaneMarks {
 public:
  PlaneMarks(const Lattice& lattice, TileSize size, int across, int down)
      : nx_(lattice.layout.nx),
        ny_(lattice.layout.ny),
        size_(size),
        across_(across),
        periodic_x_((lattice.walls.faces & x_min) == 0),
        periodic_y_((lattice.walls.faces & y_min) == 0),
        marks_(static_cast<std::size_t>(across) * down) {}

  void mark_all() { marks_.assign(marks_.size(), true); }
  void mark_cell(int x, int y) {
    for (const int row : {y - 1, y, y + 1}) {
      if (!inside(row, ny_, periodic_y_)) continue;
      for (const int column : {x - 1, x, x + 1}) {
        if (!inside(column, nx_, periodic_x_)) continue;
        marks_[static_cast<std::size_t>((row + ny_) % ny_ / size_.ny * across_ +
                                        (column + nx_) % nx_ / size_.nx)] = true;
      }
    }
  }
  void mark_column(int x) {
    for (int y = 0; y < ny_; ++y) mark_cell(x, y);
  }
  void mark_row(int y) {
    for (int x = 0; x < nx_; ++x) mark_cell(x, y);
  }
  const std::vector<bool>& marks() const { return marks_; }

 private:
  static bool inside(int i, int n, bool periodic) { return periodic || (i >= 0 && i < n); }

  int nx_, ny_;
  TileSize size_;
  int across_;
  bool periodic_x_, periodic_y_;
  std::vector<bool> marks_;
};

// Solid cells and cells at bodies.
void mark_masks(const BoundaryView& view, int z, int ny, PlaneMarks& plane) {
  const std::uint32_t* solids = view.solid_plane(z);
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(ny) * view.words_per_row; ++i) {
    std::uint32_t cells = solids[i] | solids[i + view.mask_words];
    for (; cells != 0; cells &= cells - 1) {
      plane.mark_cell(static_cast<int>(i % view.words_per_row) * 32 + lowest_bit(cells),
                      static_cast<int>(i / view.words_per_row));
    }
  }
}

class Marker {
 public:
  Marker(const Lattice& lattice, const Boundaries* boundaries, TileSize size, const TileMap& map)
      : lattice_(lattice),
        view_(boundaries != nullptr ? boundaries->view() : BoundaryView{}),
        faces_(lattice, size, map.across, map.count / map.across) {
    const unsigned pass = view_.boundary_pass_faces;
    if ((pass & x_min) != 0) faces_.mark_column(0);
    if ((pass & x_max) != 0) faces_.mark_column(lattice.layout.nx - 1);
    if ((pass & y_min) != 0) faces_.mark_row(0);
    if ((pass & y_max) != 0) faces_.mark_row(lattice.layout.ny - 1);
    all_ = faces_;
    all_.mark_all();
  }

  // Planes with the same cells share their marks.
  const std::vector<bool>& of_plane(int z) {
    const unsigned pass = view_.boundary_pass_faces;
    if ((z == 0 && (pass & z_min) != 0) || (z == lattice_.nz - 1 && (pass & z_max) != 0)) {
      return all_.marks();
    }
    if (view_.solid_plane(z) == nullptr) return faces_.marks();
    const auto [found, is_new] = by_mask_.try_emplace(view_.mask_of[z], faces_);
    if (is_new) mark_masks(view_, z, lattice_.layout.ny, found->second);
    return found->second.marks();
  }

 private:
  const Lattice& lattice_;
  BoundaryView view_;
  PlaneMarks faces_, all_ = faces_;
  std::map<std::int32_t, PlaneMarks> by_mask_;
};

}  // namespace

TileMap make_tile_map(const Lattice& lattice, const Boundaries* boundaries, TileSize size) {
  TileMap map;
  map.across = size.across(lattice.layout);
  map.count = map.across * size.down(lattice.layout);
  map.words = (map.count + 31) / 32;
  map.special.resize(static_cast<std::size_t>(map.words) * lattice.nz);
  Marker marker(lattice, boundaries, size, map);
  for (int z = 0; z < lattice.nz; ++z) {
    const std::vector<bool>& marks = marker.of_plane(z);
    for (int tile = 0; tile < map.count; ++tile) {
      if (!marks[static_cast<std::size_t>(tile)]) continue;
      map.special[static_cast<std::size_t>(z) * map.words + tile / 32] |= 1U << (tile % 32);
    }
  }
  const auto near = [&](int z, int tile) {
    for (const int plane : {z - 1, z, z + 1}) {
      const bool beyond = plane < 0 || plane >= lattice.nz;
      if (beyond && !lattice.periodic_z()) continue;
      if (map.is_special((plane + lattice.nz) % lattice.nz, tile)) return true;
    }
    return false;
  };
  for (int z = 0; z < lattice.nz; ++z) {
    map.near_first.push_back(map.near_special.size());
    map.special_first.push_back(map.special_tiles.size());
    for (int tile = 0; tile < map.count; ++tile) {
      if (near(z, tile)) map.near_special.push_back({z, tile});
      if (map.is_special(z, tile)) map.special_tiles.push_back({z, tile});
    }
  }
  map.near_first.push_back(map.near_special.size());
  map.special_first.push_back(map.special_tiles.size());
  return map;
}

}  // namespace lbm::cuda
