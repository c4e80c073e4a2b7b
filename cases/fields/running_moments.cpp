// SPDX-License-Identifier: Apache-2.0
#include "cases/fields/running_moments.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <thread>
#include <utility>

#include "solver/core/host_memory.hpp"

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

// Covariances, stored after the four variances.
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

// The memory as a buffer that keeps it.
Buffer buffer_of(SharedMemory memory) {
  auto kept = std::make_shared<SharedMemory>(std::move(memory));
  return {kept->data(), kept->memory().size(), [kept](std::byte*) {}};
}

}  // namespace

std::uint64_t RunningMoments::bytes_needed(std::int64_t cells, int planes, bool stresses,
                                           bool double_precision) {
  return static_cast<std::uint64_t>(cells) * static_cast<std::uint64_t>(planes) *
         static_cast<std::uint64_t>(values_of(stresses)) * (double_precision ? 8 : 4);
}

RunningMoments::RunningMoments(std::int64_t cells, int planes, bool stresses, bool double_precision,
                               Buffer memory, std::string shared_name)
    : cells_(cells),
      planes_(planes),
      stresses_(stresses),
      double_precision_(double_precision),
      memory_(std::move(memory)),
      shared_name_(std::move(shared_name)),
      team_(team_size()) {}

RunningMoments::RunningMoments(std::int64_t cells, int planes, bool stresses, bool double_precision)
    : RunningMoments(cells, planes, stresses, double_precision,
                     map_host_memory(bytes_needed(cells, planes, stresses, double_precision),
                                     "time statistics"),
                     {}) {
  // Touched by all threads now; otherwise the first sample would take ten times as long.
  touch_host_memory(memory_.data(), memory_.size());
}

RunningMoments::RunningMoments(std::int64_t cells, int planes, bool stresses, bool double_precision,
                               SharedMemory memory)
    : RunningMoments(cells, planes, stresses, double_precision, Buffer(), memory.name()) {
  memory_ = buffer_of(std::move(memory));
}

std::span<std::byte> RunningMoments::plane_bytes(int plane) {
  const auto bytes = std::as_const(*this).plane_bytes(plane);
  return {const_cast<std::byte*>(bytes.data()), bytes.size()};
}

std::span<const std::byte> RunningMoments::plane_bytes(int plane) const {
  const std::size_t bytes = static_cast<std::size_t>(values_of_plane()) *
                            (double_precision_ ? sizeof(double) : sizeof(float));
  return {memory_.data() + static_cast<std::size_t>(plane) * bytes, bytes};
}

// Works on blocks that fit into the L1 cache, array by array: contiguous, so that compilers
// vectorise.
template <class Real>
void RunningMoments::add_cells(std::byte* plane, std::int64_t samples, std::span<const float> drho,
                               std::span<const float> velocity, std::size_t begin,
                               std::size_t end) const {
  const auto cells = static_cast<std::size_t>(cells_);
  const Real r = Real(1) / static_cast<Real>(samples), rest = Real(1) - r;
  std::array<std::array<Real, block>, 4> deviation;
  const auto values_of_block = [&](std::size_t value, std::size_t first) {
    return reinterpret_cast<Real*>(plane) + value * cells + first;
  };
  for (std::size_t first = begin; first < end; first += block) {
    const std::size_t count = std::min(block, end - first);
    for (std::size_t c = 0; c < count; ++c) {
      for (std::size_t i = 0; i < 3; ++i)
        deviation[i][c] = static_cast<Real>(velocity[3 * (first + c) + i]);
      deviation[3][c] = static_cast<Real>(drho[first + c]);
    }
    for (std::size_t i = 0; i < 4; ++i)
      add_deviation(values_of_block(i, first), values_of_block(4 + i, first), deviation[i].data(),
                    count, r, rest);
    if (!stresses_) continue;
    for (std::size_t p = 0; p < pairs.size(); ++p)
      add_product(values_of_block(8 + p, first), deviation[pairs[p][0]].data(),
                  deviation[pairs[p][1]].data(), count, r, rest);
  }
}

void RunningMoments::add(int plane, std::int64_t samples, std::span<const float> drho,
                         std::span<const float> velocity) {
  std::byte* const data = plane_bytes(plane).data();
  const auto cells = static_cast<std::size_t>(cells_);
  team_.run((cells + piece - 1) / piece, [&](std::size_t p, std::size_t) {
    const std::size_t begin = p * piece;
    const std::size_t end = std::min(cells, begin + piece);
    if (double_precision_) {
      add_cells<double>(data, samples, drho, velocity, begin, end);
    } else {
      add_cells<float>(data, samples, drho, velocity, begin, end);
    }
    return 0;
  });
}

void RunningMoments::shift_means_of_scalar(double shift) {
  const auto cells = static_cast<std::size_t>(cells_);
  const auto add = [&]<class Real>(Real* means) {
    for (std::size_t c = 0; c < cells; ++c) means[c] += static_cast<Real>(shift);
  };
  for (int plane = 0; plane < planes_; ++plane) {
    std::byte* const values = plane_bytes(plane).data();
    if (double_precision_) {
      add(reinterpret_cast<double*>(values) + 3 * cells);
    } else {
      add(reinterpret_cast<float*>(values) + 3 * cells);
    }
  }
}

void RunningMoments::get(int plane, int value, std::size_t first, std::span<float> to) const {
  const auto cells = static_cast<std::size_t>(cells_);
  const std::size_t size = double_precision_ ? sizeof(double) : sizeof(float);
  const std::byte* from =
      memory_.data() +
      (static_cast<std::size_t>(plane) * static_cast<std::size_t>(values_of(stresses_)) +
       static_cast<std::size_t>(value)) *
          cells * size +
      first * size;
  for (std::size_t c = 0; c < to.size(); ++c) {
    to[c] = double_precision_ ? static_cast<float>(reinterpret_cast<const double*>(from)[c])
                              : reinterpret_cast<const float*>(from)[c];
  }
}

}  // namespace lbm::fields
