// SPDX-License-Identifier: Apache-2.0

// Means and covariances over time of the macroscopic fields, cell by cell, without storing
// samples; and means over cubes of cells.
//
// RunningMoments: after n samples of x with mean m and covariance c, the next sample updates, with
// d = x - m and r = 1 / (n + 1):  m += r d,  c += r (d d (1 - r) - c)  (Welford, Technometrics 4
// (1962) 419, with the mean of the products instead of their sum). Every step shrinks earlier
// rounding errors: the relative error of float stays about 1e-7 sqrt(n / 3) of the largest value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/files/worker_team.hpp"
#include "solver/core/host_memory.hpp"
#include "solver/lattice/macro_fields.hpp"

namespace lbm::fields {

struct MomentsShape {
  std::int64_t cells = 0;  // of one plane
  int planes = 0;
  bool stresses = true;
  bool double_precision = false;
  int scalars = 0;  // of the lattice

  // Means of the values of a cell (macro_values_with()); variances of these; with stresses
  // covariances uv, vw, uw, then su, sv, sw of each scalar s.
  int means() const { return macro_values_with(scalars); }
  int values() const { return 2 * means() + (stresses ? 3 + 3 * scalars : 0); }
  std::size_t value_bytes() const { return double_precision ? sizeof(double) : sizeof(float); }
  std::int64_t plane_values() const { return cells * values(); }
  std::uint64_t bytes() const {
    return static_cast<std::uint64_t>(plane_values()) * static_cast<std::uint64_t>(planes) *
           value_bytes();
  }
};

class RunningMoments {
 public:
  // Allocates all memory. Throws ResourceError.
  explicit RunningMoments(const MomentsShape& shape);
  // In memory of shape.bytes() that processes share: no two of them may add to the same plane at a
  // time.
  RunningMoments(const MomentsShape& shape, SharedMemory memory);

  // Adds one sample of a plane; samples: their number including this one.
  void add(int plane, std::int64_t samples, const FieldPlane& fields);
  // Copies quantity number `value` in the cells of a plane from `first` on.
  void get(int plane, int value, std::size_t first, std::span<float> to) const;

  // Adds to the means of a field.
  void shift_means_of(Macro field, double shift);

  // A plane as stored, for checkpoints: values() arrays of `cells` numbers.
  std::span<std::byte> plane_bytes(int plane) const;
  const MomentsShape& shape() const { return shape_; }
  // For SharedMemory::open() in another process; empty where the memory is not shared.
  std::string shared_name() const { return shared_ ? shared_->name() : ""; }

 private:
  template <class Real>
  void add_cells(Real* plane, std::int64_t samples, const FieldPlane& fields, std::size_t begin,
                 std::size_t end) const;
  // Calls work(values) with the values of a plane, double* or float*.
  template <class Work>
  void visit(int plane, const Work& work) const;

  MomentsShape shape_;
  Buffer own_;  // or:
  std::optional<SharedMemory> shared_;
  io::WorkerTeam team_;
};

class BlockMeans {
 public:
  // nx x ny cells a plane; edge: cells along a cube; components: values per cell of each array.
  // Cells left over at the upper ends are ignored.
  BlockMeans(int nx, int ny, int nz, int edge, std::vector<int> components);

  // Adds plane z without its solid cells (solid[cell] != 0). Returns the arrays of the layer of
  // cubes completed by z, or null. Cubes without fluid are 0.
  const std::vector<std::vector<float>>* add(int z, std::span<const std::span<const float>> arrays,
                                             std::span<const float> solid);

 private:
  // Sums of each array over the part of each cube that lies in one plane, or over whole cubes; last
  // the numbers of fluid cells.
  using Sums = std::vector<std::vector<double>>;
  // The planes of a layer of cubes; added up when all have come, so that their order is the same
  // in every schedule.
  struct Layer {
    std::vector<Sums> planes;
    int done = 0;
  };
  Sums zeros() const;

  int row_;           // cells in a row of a plane
  int nx_, ny_, nz_;  // number of cubes
  int edge_;
  std::vector<int> components_;
  std::map<int, Layer> layers_;
  std::vector<std::vector<float>> means_;
};

}  // namespace lbm::fields
