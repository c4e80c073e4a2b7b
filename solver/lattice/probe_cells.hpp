// SPDX-License-Identifier: Apache-2.0

// Probes: cells whose density and velocity are recorded after every step.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solver/core/host_device.hpp"

namespace lbm {

struct ProbeCell {
  std::int32_t x = 0, y = 0;
};

// As kernels read them. The probes of plane z are first[z] ... first[z + 1] - 1.
struct ProbeView {
  const ProbeCell* cells = nullptr;
  const std::int32_t* first = nullptr;
  int most_in_a_plane = 0;
  int first_value = 0;  // of probe 0 in a record (step_record.hpp)

  bool operator==(const ProbeView&) const = default;
};

// One piece of memory on the host, which a device gets in one copy.
class ProbeCells {
 public:
  ProbeCells() = default;
  // Distinct cells x, y, z of a grid of nz planes, in any order. Throws std::invalid_argument.
  ProbeCells(std::vector<std::array<int, 3>> cells, int nz);

  int size() const { return static_cast<int>(cells_.size()); }
  // In the order of records: by plane, then row.
  const std::vector<std::array<int, 3>>& cells() const { return cells_; }
  // The place of a cell in that order; it must be one of them.
  int index_of(const std::array<int, 3>& cell) const;
  int in_plane(int z) const;
  std::span<const std::byte> bytes() const { return bytes_; }
  static std::size_t bytes_needed(int cells, int nz);
  // Pointers into a copy of bytes() at `base`.
  ProbeView view(const std::byte* base, int bodies) const;

 private:
  std::vector<std::array<int, 3>> cells_;
  std::vector<std::int32_t> first_;
  std::vector<std::byte> bytes_;  // first_, then the cells
  int most_in_a_plane_ = 0;
};

}  // namespace lbm
