// SPDX-License-Identifier: Apache-2.0
#include "cases/fields/running_moments.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <thread>
#include <utility>

namespace lbm::fields {
namespace {

// Cells of one job of a thread.
constexpr std::size_t piece = std::size_t{1} << 15;

// Adding a sample is limited by memory bandwidth, of which one thread uses little. One core is left
// to the thread that feeds the device.
int team_size() {
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()) - 1, 1, 16);
}

// Cells whose deviations from the mean are held at once.
constexpr std::size_t block = 512;

// Covariances of the components of the velocity, stored after the variances.
constexpr std::array<std::array<std::size_t, 2>, 3> pairs{{{0, 1}, {1, 2}, {0, 2}}};

// c += r (a b (1 - r) - c)
template <class Real>
void add_product(Real* __restrict covariance, const Real* __restrict a, const Real* __restrict b,
                 std::size_t count, Real r, Real rest) {
  for (std::size_t c = 0; c < count; ++c) covariance[c] += r * (a[c] * b[c] * rest - covariance[c]);
}

// Replaces `sample` by its deviation from the previous mean.
template <class Real>
void add_deviation(Real* __restrict mean, Real* __restrict variance, Real* __restrict sample,
                   std::size_t count, Real r, Real rest) {
  for (std::size_t c = 0; c < count; ++c) {
    const Real d = sample[c] - mean[c];
    sample[c] = d;
    mean[c] += r * d;
    variance[c] += r * (d * d * rest - variance[c]);
  }
}

}  // namespace

RunningMoments::RunningMoments(const MomentsShape& shape)
    : shape_(shape), own_(map_host_memory(shape.bytes(), "time statistics")), team_(team_size()) {
  // Touched by all threads now; otherwise the first sample would take ten times as long.
  touch_host_memory(own_.data(), own_.size());
}

RunningMoments::RunningMoments(const MomentsShape& shape, SharedMemory memory)
    : shape_(shape), shared_(std::move(memory)), team_(team_size()) {}

std::span<std::byte> RunningMoments::plane_bytes(int plane) const {
  const auto bytes = static_cast<std::size_t>(shape_.plane_values()) * shape_.value_bytes();
  std::byte* const all = shared_ ? shared_->data() : own_.data();
  return {all + static_cast<std::size_t>(plane) * bytes, bytes};
}

template <class Work>
void RunningMoments::visit(int plane, const Work& work) const {
  std::byte* const values = plane_bytes(plane).data();
  if (shape_.double_precision) return work(reinterpret_cast<double*>(values));
  work(reinterpret_cast<float*>(values));
}

// Works on blocks that fit into the L1 cache, array by array: contiguous, so that compilers
// vectorise.
template <class Real>
void RunningMoments::add_cells(Real* plane, std::int64_t samples, const FieldPlane& fields,
                               std::size_t begin, std::size_t end) const {
  const auto cells = static_cast<std::size_t>(shape_.cells);
  const Real r = Real(1) / static_cast<Real>(samples), rest = Real(1) - r;
  std::array<std::array<Real, block>, macro_values + most_scalars> deviation;
  const auto means = static_cast<std::size_t>(shape_.means());
  const auto values_of_block = [&](std::size_t value, std::size_t first) {
    return plane + value * cells + first;
  };
  for (std::size_t first = begin; first < end; first += block) {
    const std::size_t count = std::min(block, end - first);
    for (std::size_t c = 0; c < count; ++c) {
      LBM_UNROLL
      for (int i = 0; i < macro_values; ++i) {
        deviation[i][c] = static_cast<Real>(fields.values[macro_place(i, first + c, cells)]);
      }
    }
    for (std::size_t i = macro_values; i < means; ++i) {
      const float* from = fields.scalar(static_cast<int>(i) - macro_values).data() + first;
      std::copy_n(from, count, deviation[i].data());
    }
    for (std::size_t i = 0; i < means; ++i)
      add_deviation(values_of_block(i, first), values_of_block(means + i, first),
                    deviation[i].data(), count, r, rest);
    if (!shape_.stresses) continue;
    std::size_t covariance = 2 * means;
    const auto add = [&](std::size_t one, std::size_t other) {
      add_product(values_of_block(covariance++, first), deviation[one].data(),
                  deviation[other].data(), count, r, rest);
    };
    for (const auto& [one, other] : pairs) add(one, other);
    for (std::size_t scalar = macro_values; scalar < means; ++scalar) {
      for (std::size_t a = 0; a < 3; ++a) add(scalar, a);
    }
  }
}

void RunningMoments::add(int plane, std::int64_t samples, const FieldPlane& fields) {
  const auto cells = static_cast<std::size_t>(shape_.cells);
  visit(plane, [&](auto* values) {
    team_.run((cells + piece - 1) / piece, [&](std::size_t p, std::size_t) {
      add_cells(values, samples, fields, p * piece, std::min(cells, (p + 1) * piece));
      return 0;
    });
  });
}

void RunningMoments::shift_means_of(Macro field, double shift) {
  const auto cells = static_cast<std::size_t>(shape_.cells);
  const std::size_t begin = cells * first_value_of(field);
  const std::size_t end = begin + cells * facts_of(field).components;
  for (int plane = 0; plane < shape_.planes; ++plane) {
    visit(plane, [&]<class Real>(Real* values) {
      for (std::size_t c = begin; c < end; ++c) values[c] += static_cast<Real>(shift);
    });
  }
}

void RunningMoments::get(int plane, int value, std::size_t first, std::span<float> to) const {
  const auto before = static_cast<std::size_t>(value) * static_cast<std::size_t>(shape_.cells);
  visit(plane, [&](const auto* values) {
    std::transform(values + before + first, values + before + first + to.size(), to.begin(),
                   [](auto v) { return static_cast<float>(v); });
  });
}

BlockMeans::BlockMeans(int nx, int ny, int nz, int edge, std::vector<int> components)
    : row_(nx),
      nx_(nx / edge),
      ny_(ny / edge),
      nz_(nz / edge),
      edge_(edge),
      components_(std::move(components)),
      means_(components_.size()) {}

BlockMeans::Sums BlockMeans::zeros() const {
  const auto blocks = static_cast<std::size_t>(nx_) * static_cast<std::size_t>(ny_);
  Sums sums;
  for (const int width : components_) sums.emplace_back(blocks * static_cast<std::size_t>(width));
  sums.emplace_back(blocks);
  return sums;
}

const std::vector<std::vector<float>>* BlockMeans::add(
    int z, std::span<const std::span<const float>> arrays, std::span<const float> solid) {
  if (z / edge_ >= nz_) return nullptr;
  Layer& layer = layers_[z / edge_];
  layer.planes.resize(static_cast<std::size_t>(edge_));
  Sums& plane = layer.planes[static_cast<std::size_t>(z % edge_)] = zeros();
  for (int y = 0; y < ny_ * edge_; ++y) {
    for (int x = 0; x < nx_ * edge_; ++x) {
      const auto cell = static_cast<std::size_t>(y * std::ptrdiff_t{row_} + x);
      const auto block = static_cast<std::size_t>(y / edge_ * std::ptrdiff_t{nx_} + x / edge_);
      if (solid[cell] != 0) continue;
      plane.back()[block] += 1;
      for (std::size_t a = 0; a < arrays.size(); ++a) {
        const auto width = static_cast<std::size_t>(components_[a]);
        for (std::size_t c = 0; c < width; ++c) {
          plane[a][block * width + c] += double{arrays[a][cell * width + c]};
        }
      }
    }
  }
  if (++layer.done < edge_) return nullptr;
  Sums cubes = zeros();
  for (const Sums& part : layer.planes) {
    for (std::size_t a = 0; a < cubes.size(); ++a) {
      std::transform(part[a].begin(), part[a].end(), cubes[a].begin(), cubes[a].begin(),
                     std::plus<>());
    }
  }
  for (std::size_t a = 0; a < arrays.size(); ++a) {
    const auto width = static_cast<std::size_t>(components_[a]);
    means_[a].resize(cubes[a].size());
    for (std::size_t i = 0; i < means_[a].size(); ++i) {
      means_[a][i] = static_cast<float>(cubes[a][i] / std::max(1.0, cubes.back()[i / width]));
    }
  }
  layers_.erase(z / edge_);
  return &means_;
}

}  // namespace lbm::fields
