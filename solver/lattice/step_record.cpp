// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <tuple>

#include "solver/lattice/step_record.hpp"

namespace lbm {
namespace {

bool comes_before(const std::array<int, 3>& a, const std::array<int, 3>& b) {
  return std::tie(a[2], a[1], a[0]) < std::tie(b[2], b[1], b[0]);
}

}  // namespace

ProbeCells::ProbeCells(std::vector<std::array<int, 3>> cells, int nz)
    : cells_(std::move(cells)), first_(static_cast<std::size_t>(nz) + 1) {
  std::sort(cells_.begin(), cells_.end(), comes_before);
  if (std::adjacent_find(cells_.begin(), cells_.end()) != cells_.end()) {
    throw std::invalid_argument("ProbeCells: a cell came twice");
  }
  for (const auto& [x, y, z] : cells_) {
    if (x < 0 || y < 0 || z < 0 || z >= nz) {
      throw std::invalid_argument("ProbeCells: a cell outside the grid");
    }
    ++first_[static_cast<std::size_t>(z) + 1];
  }
  for (std::size_t z = 1; z < first_.size(); ++z) {
    most_in_a_plane_ = std::max(most_in_a_plane_, first_[z]);
    first_[z] += first_[z - 1];
  }
  bytes_.resize(bytes_needed(size(), nz));
  std::memcpy(bytes_.data(), first_.data(), first_.size() * sizeof(std::int32_t));
  std::byte* to = bytes_.data() + first_.size() * sizeof(std::int32_t);
  for (const auto& [x, y, z] : cells_) {
    const ProbeCell cell{x, y};
    std::memcpy(to, &cell, sizeof(cell));
    to += sizeof(cell);
  }
}

std::size_t ProbeCells::bytes_needed(int cells, int nz) {
  return (static_cast<std::size_t>(nz) + 1) * sizeof(std::int32_t) +
         static_cast<std::size_t>(cells) * sizeof(ProbeCell);
}

int ProbeCells::index_of(const std::array<int, 3>& cell) const {
  const auto found = std::lower_bound(cells_.begin(), cells_.end(), cell, comes_before);
  if (found == cells_.end() || *found != cell) {
    throw std::invalid_argument("ProbeCells: no such cell");
  }
  return static_cast<int>(found - cells_.begin());
}

int ProbeCells::in_plane(int z) const {
  if (cells_.empty()) return 0;
  const auto i = static_cast<std::size_t>(z);
  return first_[i + 1] - first_[i];
}

ProbeView ProbeCells::view(const std::byte* base, int bodies, int scalars) const {
  const std::byte* cells = base + first_.size() * sizeof(std::int32_t);
  return {reinterpret_cast<const ProbeCell*>(cells), reinterpret_cast<const std::int32_t*>(base),
          most_in_a_plane_, first_probe_value(bodies, scalars)};
}

}  // namespace lbm
