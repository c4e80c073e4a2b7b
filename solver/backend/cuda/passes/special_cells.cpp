// SPDX-License-Identifier: Apache-2.0
#include "solver/backend/cuda/passes/special_cells.hpp"

#include <array>
#include <bit>
#include <map>
#include <utility>

#include "solver/collision/regularised.hpp"

namespace lbm::cuda {
namespace {

// One bit for each cell of a plane.
class PlaneBits {
 public:
  explicit PlaneBits(const PlaneLayout& layout)
      : nx_(layout.nx),
        ny_(layout.ny),
        words_((layout.nx + 31) / 32),
        bits_(static_cast<std::size_t>(words_) * ny_) {}

  void set(int x, int y) { word(x / 32, y) |= 1U << (x % 32); }
  bool get(int x, int y) const { return (at(x / 32, y) >> (x % 32) & 1U) != 0; }
  void set_all() {
    for (int y = 0; y < ny_; ++y) {
      for (int x = 0; x < nx_; ++x) set(x, y);
    }
  }
  void add(const std::uint32_t* words) {
    for (std::size_t i = 0; i < bits_.size(); ++i) bits_[i] |= words[i];
  }
  void remove(const std::uint32_t* words) {
    for (std::size_t i = 0; i < bits_.size(); ++i) bits_[i] &= ~words[i];
  }
  void remove(const PlaneBits& other) { remove(other.bits_.data()); }
  void add(const PlaneBits& other) { add(other.bits_.data()); }
  // Dilates the set by one cell, diagonal neighbours included.
  void grow(bool periodic_x, bool periodic_y) {
    const PlaneBits old = *this;
    for (int y = 0; y < ny_; ++y) {
      for (int w = 0; w < words_; ++w) {
        const std::uint32_t here = old.at(w, y);
        word(w, y) |= here << 1 | here >> 1 | (w > 0 ? old.at(w - 1, y) >> 31 : 0U) |
                      (w + 1 < words_ ? old.at(w + 1, y) << 31 : 0U);
      }
      if (nx_ % 32 != 0) word(words_ - 1, y) &= (1U << (nx_ % 32)) - 1;
      if (periodic_x && old.get(0, y)) set(nx_ - 1, y);
      if (periodic_x && old.get(nx_ - 1, y)) set(0, y);
    }
    const PlaneBits wide = *this;
    for (int y = 0; y < ny_; ++y) {
      const int below = y > 0 ? y - 1 : (periodic_y ? ny_ - 1 : y);
      const int above = y + 1 < ny_ ? y + 1 : (periodic_y ? 0 : y);
      for (int w = 0; w < words_; ++w) word(w, y) |= wide.at(w, below) | wide.at(w, above);
    }
  }
  // visit(x, y, bits): each word that is not zero, of cells from x on.
  template <class Visitor>
  void for_each_word(const Visitor& visit) const {
    for (int y = 0; y < ny_; ++y) {
      for (int w = 0; w < words_; ++w) {
        if (at(w, y) != 0) visit(w * 32, y, at(w, y));
      }
    }
  }
  template <class Visitor>
  void for_each(const Visitor& visit) const {
    for_each_word([&](int x, int y, std::uint32_t cells) {
      for (; cells != 0; cells &= cells - 1) visit(x + lowest_bit(cells), y);
    });
  }

 private:
  std::uint32_t& word(int w, int y) { return bits_[static_cast<std::size_t>(y) * words_ + w]; }
  std::uint32_t at(int w, int y) const { return bits_[static_cast<std::size_t>(y) * words_ + w]; }

  int nx_, ny_, words_;
  std::vector<std::uint32_t> bits_;
};

// Cache of the bits of the last planes, which their neighbours in z need again.
class RecentPlanes {
 public:
  template <class Make>
  const PlaneBits& of(int z, const Make& make) {
    Entry& entry = entries_[static_cast<std::size_t>(z) % entries_.size()];
    if (entry.z != z) entry = {z, make()};
    return *entry.bits;
  }

 private:
  struct Entry {
    int z = -1;
    std::optional<PlaneBits> bits;
  };
  std::array<Entry, 8> entries_;
};

// Contents of a plane: the number of its mask (solid cells, cells at bodies), or one of these.
enum Contents : int { faces_only = -1, whole_plane = -2 };

// The shifted walls that a pass for moments updates itself: those of x if nx is even, since both
// cells of the shift then belong to one thread. Above tau = 7/8 the shift needs other cells, too.
unsigned walls_of_pass(const Lattice& lattice, const BoundaryView& view) {
  const bool possible = lattice.representation == Representation::moments &&
                        lattice.collision.kind == CollisionKind::regularised_filtered &&
                        lattice.layout.nx % 2 == 0 &&
                        StressFilter<double>::of(lattice.collision).wall_offset <= 0;
  return possible ? view.shifted_faces & (x_min | x_max) : 0;
}

class Finder {
 public:
  Finder(const Lattice& lattice, const Boundaries* boundaries, TileSize tile)
      : lattice_(lattice),
        view_(boundaries != nullptr ? boundaries->view() : BoundaryView{}),
        tile_(tile),
        empty_(lattice.layout) {
    result_.across = tile.across(lattice.layout);
    result_.count = result_.across * tile.down(lattice.layout);
    result_.words = (result_.count + 31) / 32;
    result_.walls = walls_of_pass(lattice, view_);
  }

  std::optional<SpecialCells> find() {
    for (int z = 0; z < lattice_.nz; ++z) {
      append_lists(z);
      if (result_.cells.size() + result_.words_with_solids.size() > most_special_cells) {
        return std::nullopt;
      }
      const auto [stored, first] = stored_.try_emplace(key<5>(z));
      if (first) stored->second = tiles(z);
      result_.stored.insert(result_.stored.end(), stored->second.begin(), stored->second.end());
    }
    return std::move(result_);
  }

 private:
  bool periodic(unsigned face) const { return (lattice_.walls.faces & face) == 0; }
  void grow(PlaneBits& bits) const { bits.grow(periodic(x_min), periodic(y_min)); }

  // Plane z, wrapped around where z is periodic; -1: outside the grid.
  int plane(int z) const {
    if (z >= 0 && z < lattice_.nz) return z;
    return lattice_.periodic_z() ? ((z % lattice_.nz) + lattice_.nz) % lattice_.nz : -1;
  }
  int contents(int z) const {
    const unsigned pass = rewritten_faces();
    if (z < 0) return faces_only;
    if ((z == 0 && (pass & z_min) != 0) || (z == lattice_.nz - 1 && (pass & z_max) != 0)) {
      return whole_plane;
    }
    return view_.mask_of == nullptr ? faces_only : std::max<int>(view_.mask_of[z], faces_only);
  }
  // The contents of the planes around z: equal keys, equal special cells.
  template <int size>
  std::array<int, size> key(int z) const {
    std::array<int, size> key;
    for (int i = 0; i < size; ++i) key[i] = contents(plane(z - size / 2 + i));
    return key;
  }

  unsigned rewritten_faces() const { return view_.boundary_pass_faces & ~result_.walls; }

  // Cells of the second pass and at shifted walls; without solid cells.
  PlaneBits rewritten(int z) const {
    PlaneBits bits = empty_;
    const int held = contents(z), nx = lattice_.layout.nx, ny = lattice_.layout.ny;
    if (held == whole_plane) {
      bits.set_all();
      return bits;
    }
    const unsigned pass = rewritten_faces();
    for (int y = 0; y < ny; ++y) {
      if ((pass & x_min) != 0) bits.set(0, y);
      if ((pass & x_max) != 0) bits.set(nx - 1, y);
    }
    for (int x = 0; x < nx; ++x) {
      if ((pass & y_min) != 0) bits.set(x, 0);
      if ((pass & y_max) != 0) bits.set(x, ny - 1);
    }
    if (held != faces_only) bits.add(view_.solid_plane(z) + view_.mask_words);
    return bits;
  }
  // rewritten(z) and solid cells: all cells that are wrong after both steps of the pass.
  const PlaneBits& wrong(int z) {
    return wrong_.of(z, [&] {
      PlaneBits bits = rewritten(z);
      if (view_.solid_plane(z) != nullptr) bits.add(view_.solid_plane(z));
      return bits;
    });
  }
  const PlaneBits& around_wrong(int z) {
    return around_wrong_.of(z, [&] {
      PlaneBits bits = wrong(z);
      for (const int next : {plane(z - 1), plane(z + 1)}) {
        if (next >= 0) bits.add(wrong(next));
      }
      grow(bits);
      return bits;
    });
  }
  // The bits of SpecialCells::stored of a plane.
  std::vector<std::uint32_t> tiles(int z) {
    PlaneBits bits = around_wrong(z);
    for (const int next : {plane(z - 1), plane(z + 1)}) {
      if (next >= 0) bits.add(around_wrong(next));
    }
    grow(bits);
    std::vector<std::uint32_t> words(static_cast<std::size_t>(result_.words));
    // A word of cells lies in one tile.
    bits.for_each_word([&](int x, int y, std::uint32_t) {
      const int tile = y / tile_.ny * result_.across + x / tile_.nx;
      words[static_cast<std::size_t>(tile / 32)] |= 1U << (tile % 32);
    });
    return words;
  }
  void append_lists(int z) {
    if (z > 0 && key<3>(z) == key<3>(z - 1)) {
      result_.range_of.push_back(result_.range_of.back());
      return;
    }
    SpecialRange range;
    range.fluid = append_fluid(z);
    append_solid(z, range);
    result_.range_of.push_back(range);
  }
  CellRange append_fluid(int z) {
    PlaneBits bits = around_wrong(z);
    bits.remove(rewritten(z));
    if (view_.solid_plane(z) != nullptr) bits.remove(view_.solid_plane(z));
    CellRange range{static_cast<std::uint32_t>(result_.cells.size()), 0};
    bits.for_each([&](int x, int y) {
      result_.cells.push_back(static_cast<std::uint32_t>(y) *
                                  static_cast<std::uint32_t>(lattice_.layout.nx) +
                              static_cast<std::uint32_t>(x));
    });
    range.count = static_cast<std::uint32_t>(result_.cells.size()) - range.first;
    return range;
  }
  void append_solid(int z, SpecialRange& range) {
    std::vector<std::uint32_t>& words = result_.words_with_solids;
    range.solid.first = static_cast<std::uint32_t>(words.size());
    const std::uint32_t* const solids = view_.solid_plane(z);
    for (std::int64_t word = 0; solids != nullptr && word < view_.mask_words; ++word) {
      if (solids[word] == 0) continue;
      words.push_back(static_cast<std::uint32_t>(word));
      range.solid_cells += static_cast<std::uint32_t>(std::popcount(solids[word]));
    }
    range.solid.count = static_cast<std::uint32_t>(words.size()) - range.solid.first;
  }

  const Lattice& lattice_;
  BoundaryView view_;
  TileSize tile_;
  PlaneBits empty_;
  SpecialCells result_;
  RecentPlanes wrong_, around_wrong_;
  std::map<std::array<int, 5>, std::vector<std::uint32_t>> stored_;
};

}  // namespace

std::optional<SpecialCells> find_special_cells(const Lattice& lattice, const Boundaries* boundaries,
                                               TileSize tile) {
  return Finder(lattice, boundaries, tile).find();
}

}  // namespace lbm::cuda
