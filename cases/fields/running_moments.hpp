// SPDX-License-Identifier: Apache-2.0

// Means and covariances over time of velocity and density less 1, cell by cell, without storing
// samples.
//
// After n samples of x with mean m and covariance c, the next sample updates, with d = x - m and r
// = 1 / (n + 1):  m += r d,  c += r (d d (1 - r) - c)  (Welford, Technometrics 4 (1962) 419, with
// the mean of the products instead of their sum). Every step shrinks earlier rounding errors: the
// relative error of float stays about 1e-7 sqrt(n / 3) of the largest value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "io/files/worker_team.hpp"
#include "solver/core/host_memory.hpp"

namespace lbm::fields {

class RunningMoments {
 public:
  // Means of u, v, w, rho - 1; variances of these; with stresses covariances uv, vw, uw.
  static constexpr int values_of(bool stresses) { return stresses ? 11 : 8; }
  static std::uint64_t bytes_needed(std::int64_t cells, int planes, bool stresses,
                                    bool double_precision);

  // cells: of one plane. Allocates all memory. Throws ResourceError.
  RunningMoments(std::int64_t cells, int planes, bool stresses, bool double_precision);
  // In memory of bytes_needed() that processes share: no two of them may add to the same plane at a
  // time.
  RunningMoments(std::int64_t cells, int planes, bool stresses, bool double_precision,
                 SharedMemory memory);

  // Adds one sample of a plane; samples: their number including this one. drho [cells], velocity
  // [cells][3].
  void add(int plane, std::int64_t samples, std::span<const float> drho,
           std::span<const float> velocity);
  // Copies the mean of quantity number `value` in the cells of a plane from `first` on.
  void get(int plane, int value, std::size_t first, std::span<float> to) const;

  // Adds to the means of the fourth quantity.
  void shift_means_of_scalar(double shift);

  // A plane as stored, for checkpoints: values_of() arrays of `cells` numbers.
  std::span<std::byte> plane_bytes(int plane);
  std::span<const std::byte> plane_bytes(int plane) const;
  int planes() const { return planes_; }
  std::int64_t values_of_plane() const { return cells_ * values_of(stresses_); }
  bool double_precision() const { return double_precision_; }
  std::uint64_t bytes() const { return memory_.size(); }
  // For SharedMemory::open() in another process; empty where the memory is not shared.
  const std::string& shared_name() const { return shared_name_; }

 private:
  RunningMoments(std::int64_t cells, int planes, bool stresses, bool double_precision,
                 Buffer memory, std::string shared_name);
  template <class Real>
  void add_cells(std::byte* plane, std::int64_t samples, std::span<const float> drho,
                 std::span<const float> velocity, std::size_t begin, std::size_t end) const;

  std::int64_t cells_;
  int planes_;
  bool stresses_, double_precision_;
  Buffer memory_;
  std::string shared_name_;
  io::WorkerTeam team_;
};

}  // namespace lbm::fields
