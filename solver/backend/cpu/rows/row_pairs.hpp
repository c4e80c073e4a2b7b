// SPDX-License-Identifier: Apache-2.0

// Two steps in one pass over the memory. The first step of row y + 1 of all planes goes into a ring
// of three rows, which stays in the second-level cache; the second step of row y reads the ring.
// The ring has the layout of the lattice's planes, with three rows each.
#pragma once

#include <algorithm>
#include <optional>

#include "solver/backend/cpu/rows/row_functions.hpp"
#include "solver/backend/cpu/rows/update_row.hpp"

namespace lbm::cpu {
namespace {  // one copy per instruction set, never merged by the linker

template <class Storage>
typename Storage::Value* slot_of(const DeviceLattice& device, int slot) {
  return reinterpret_cast<typename Storage::Value*>(device.slots +
                                                    slot * device.lattice.layout.bytes);
}

// The parameters of one launch.
template <class Storage>
RowParams<Storage> launch_params(const DeviceLattice& device, const UpdateLaunch& launch) {
  return make_update_params<Storage, StripCollision<Storage>>(device.lattice, device.boundaries,
                                                              device.host, launch.step);
}

// The planes that plane i of a launch reads.
template <class Storage>
InputPlanes<Storage> launch_planes(const DeviceLattice& device, const UpdateLaunch& launch, int i) {
  return {{slot_of<Storage>(device, launch.in[i]), slot_of<Storage>(device, launch.in[i + 1]),
           slot_of<Storage>(device, launch.in[i + 2])}};
}

// The input rows of row y of plane i of a launch.
template <class Storage, class Params>
RowSources<Storage> launch_sources(const Params& params, const DeviceLattice& device,
                                   const UpdateLaunch& launch, int i, int y) {
  return RowSources<Storage>(params, launch_planes<Storage>(device, launch, i), y,
                             (launch.first_plane + i) % params.nz);
}

template <class Storage>
class PairRows {
 public:
  using Value = typename Storage::Value;
  using Params = RowParams<Storage>;

  PairRows(const DeviceLattice& device, const LaunchPair& pair, const PairStrip& strip)
      : device_(device),
        pair_(pair),
        strip_(strip),
        params_(launch_params<Storage>(device, pair.first)),
        then_(launch_params<Storage>(device, pair.second)),
        late_(LatePasses<Storage>::of(device.lattice, device.host, pair.first.step)),
        then_late_(LatePasses<Storage>::of(device.lattice, device.host, pair.second.step)),
        layout_(device.lattice.layout),
        planes_(pair.second.count + 2),
        periodic_x_((params_.walls.faces & x_min) == 0),
        periodic_y_((params_.walls.faces & y_min) == 0) {}

  void run() {
    for (int x = 0; x < layout_.pitch; x += strip_.piece) {
      piece(x, std::min(x + strip_.piece, layout_.pitch));
    }
    for (int i = 0; i < pair_.first.count; ++i) {
      if ((pair_.apart >> i & 1U) != 0) alone(i);
    }
    if (strip_.stream) end_streaming();
  }

 private:
  using Sources = RowSources<Storage>;

  void piece(int begin, int end) {
    next_ = following(-1, strip_.y_begin - 1);
    for (int y = strip_.y_begin - 1; y <= strip_.y_end; ++y) {
      for (int j = 0; j < planes_; ++j) {
        if (exists(y)) make(j, y, begin, end);
        if (j >= 2 && y > strip_.y_begin) finish(j - 2, y - 1, begin, end);
      }
    }
  }

  bool exists(int y) const { return periodic_y_ || (y >= 0 && y < layout_.ny); }
  int wrapped(int y) const { return (y + layout_.ny) % layout_.ny; }

  // Row y of plane j in the ring.
  std::int64_t ring_row(int y) const { return (y + 3) % 3 * layout_.row; }
  Value* ring_plane(int j) const {
    return reinterpret_cast<Value*>(strip_.ring) + 3 * layout_.row * j;
  }

  // The input rows of the next row after (j, y) that the first launch computes, if there is one.
  std::optional<Sources> following(int j, int y) const {
    for (; y <= strip_.y_end; ++y, j = -1) {
      if (!exists(y)) continue;
      while (++j < planes_) {
        if (pair_.made[j] >= 0) {
          return launch_sources<Storage>(params_, device_, pair_.first, pair_.made[j], wrapped(y));
        }
      }
    }
    return std::nullopt;
  }

  // The second step of the cells [begin, end) reads up to three parts of a row: calls
  // function(from, to, is_main) for each, in whole vectors.
  template <class Function>
  void for_each_part(int begin, int end, const Function& function) const {
    constexpr int beside = 16;
    const bool first = begin == 0, last = end == layout_.pitch;
    function(std::max(begin - beside, 0), std::min(end + beside, layout_.pitch), true);
    if (first == last || !periodic_x_) return;
    if (first) function((layout_.nx - 1) / beside * beside, layout_.pitch, false);
    if (last) function(0, beside, false);
  }

  // The first step of row y of plane j, into the ring.
  void make(int j, int y, int begin, int end) {
    Value* const to = ring_plane(j) + ring_row(y);
    const int i = pair_.made[j];
    if (i < 0) {
      const Value* from = slot_of<Storage>(device_, pair_.second.in[j]) + wrapped(y) * layout_.row;
      for_each_part(begin, end, [&](int x, int stop, bool) { copy(from, to, x, stop, false); });
      return;
    }
    const Sources now = *next_;
    next_ = following(j, y);
    const bool in_strip = y >= strip_.y_begin && y < strip_.y_end;
    for_each_part(begin, end, [&](int x, int stop, bool main) {
      // Beyond a wall the outermost plane is listed a second time.
      const bool counts = main && in_strip && (j == 0 || pair_.made[j - 1] != i);
      const Counted counted{counts ? bodies_of(device_, pair_.first, i) : nullptr, begin, end};
      update_row<Storage>(params_, late_, now, main && next_ ? &*next_ : nullptr, x, stop, false,
                          counted, to);
    });
    if ((pair_.kept >> i & 1U) == 0 || !in_strip) return;
    copy(to, slot_of<Storage>(device_, pair_.first.out[i]) + y * layout_.row, begin, end,
         strip_.stream);
  }

  void copy(const Value* from, Value* to, int begin, int end, bool stream) const {
    for (int v = 0; v < Storage::values; ++v) {
      const Value* const first = from + v * layout_.pitch + begin;
      Value* const target = to + v * layout_.pitch + begin;
      if (!stream) {
        std::copy(first, first + (end - begin), target);
        continue;
      }
      using Packed = typename Lanes<Storage>::Packed;
      for (int x = 0; x < end - begin; x += Lanes<Storage>::count) {
        stream_vector(target + x, load_vector<Packed>(first + x));
      }
    }
  }

  // The second step of row y of its plane p, from the ring.
  void finish(int p, int y, int begin, int end) const {
    const InputPlanes<Storage> in{{ring_plane(p), ring_plane(p + 1), ring_plane(p + 2)}};
    const int begins[3] = {static_cast<int>(ring_row(y - 1)), static_cast<int>(ring_row(y)),
                           static_cast<int>(ring_row(y + 1))};
    const int z = (pair_.second.first_plane + p) % params_.nz;
    const Sources from(then_, in, begins, y, z);
    const Counted counted{bodies_of(device_, pair_.second, p), begin, end};
    update_row<Storage>(then_, then_late_, from, nullptr, begin, end, strip_.stream, counted,
                        slot_of<Storage>(device_, pair_.second.out[p]) + y * layout_.row);
  }

  // All rows of a plane that the second launch does not read.
  void alone(int i) const {
    Value* const out = slot_of<Storage>(device_, pair_.first.out[i]);
    for (int y = strip_.y_begin; y < strip_.y_end; ++y) {
      const Sources from = launch_sources<Storage>(params_, device_, pair_.first, i, y);
      const Counted counted{bodies_of(device_, pair_.first, i), 0, layout_.nx};
      update_row<Storage>(params_, late_, from, nullptr, 0, layout_.pitch, strip_.stream, counted,
                          out + y * layout_.row);
    }
  }

  const DeviceLattice& device_;
  const LaunchPair& pair_;
  const PairStrip& strip_;
  const Params params_, then_;  // of the first and the second launch
  const LatePasses<Storage> late_, then_late_;
  const PlaneLayout& layout_;
  const int planes_;
  const bool periodic_x_, periodic_y_;
  std::optional<Sources> next_;  // of the row that the first launch computes next
};

}  // namespace
}  // namespace lbm::cpu
