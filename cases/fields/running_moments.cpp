#include "cases/fields/running_moments.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "solver/core/host_memory.hpp"

namespace lbm::fields {
namespace {

// Cells that a thread takes at a time.
constexpr std::size_t piece = std::size_t{1} << 15;

// Threads that are worth having: half of the cores, since the others have work, too.
int team_size() {
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()) / 2, 1, 8);
}

// Covariances after the four variances.
constexpr int pairs[3][2] = {{0, 1}, {1, 2}, {0, 2}};

}  // namespace

std::uint64_t RunningMoments::bytes_needed(std::int64_t cells, int planes, bool stresses,
                                           bool double_precision) {
  return static_cast<std::uint64_t>(cells) * static_cast<std::uint64_t>(planes) *
         static_cast<std::uint64_t>(values_of(stresses)) * (double_precision ? 8 : 4);
}

RunningMoments::RunningMoments(std::int64_t cells, int planes, bool stresses, bool double_precision)
    : cells_(cells),
      planes_(planes),
      stresses_(stresses),
      double_precision_(double_precision),
      memory_(map_host_memory(bytes_needed(cells, planes, stresses, double_precision),
                              "time statistics")),
      team_(team_size()) {
  // Now, by all threads: the first sample would take ten times as long as others.
  touch_host_memory(memory_.data(), memory_.size());
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

template <class Real>
void RunningMoments::add_cells(std::byte* plane, std::int64_t samples,
                               std::span<const float> density, std::span<const float> velocity,
                               std::size_t begin, std::size_t end) const {
  const auto cells = static_cast<std::size_t>(cells_);
  Real* const values = reinterpret_cast<Real*>(plane);
  const Real r = Real(1) / static_cast<Real>(samples), rest = Real(1) - r;
  for (std::size_t c = begin; c < end; ++c) {
    Real d[4];
    for (std::size_t i = 0; i < 4; ++i) {
      const Real x = static_cast<Real>(i < 3 ? velocity[3 * c + i] : density[c]);
      Real& mean = values[i * cells + c];
      d[i] = x - mean;
      mean += r * d[i];
      Real& variance = values[(4 + i) * cells + c];
      variance += r * (d[i] * d[i] * rest - variance);
    }
    if (!stresses_) continue;
    for (std::size_t p = 0; p < 3; ++p) {
      Real& covariance = values[(8 + p) * cells + c];
      covariance += r * (d[pairs[p][0]] * d[pairs[p][1]] * rest - covariance);
    }
  }
}

void RunningMoments::add(int plane, std::int64_t samples, std::span<const float> density,
                         std::span<const float> velocity) {
  std::byte* const data = plane_bytes(plane).data();
  const auto cells = static_cast<std::size_t>(cells_);
  team_.run((cells + piece - 1) / piece, [&](std::size_t p, std::size_t) {
    const std::size_t begin = p * piece;
    const std::size_t end = std::min(cells, begin + piece);
    if (double_precision_) {
      add_cells<double>(data, samples, density, velocity, begin, end);
    } else {
      add_cells<float>(data, samples, density, velocity, begin, end);
    }
    return 0;
  });
}

void RunningMoments::get(int plane, int value, std::span<float> to) const {
  const auto cells = static_cast<std::size_t>(cells_);
  const std::size_t size = double_precision_ ? sizeof(double) : sizeof(float);
  const std::byte* from = memory_.data() + (static_cast<std::size_t>(plane) *
                                                static_cast<std::size_t>(values_of(stresses_)) +
                                            static_cast<std::size_t>(value)) *
                                               cells * size;
  for (std::size_t c = 0; c < cells; ++c) {
    to[c] = double_precision_ ? static_cast<float>(reinterpret_cast<const double*>(from)[c])
                              : reinterpret_cast<const float*>(from)[c];
  }
}

}  // namespace lbm::fields
