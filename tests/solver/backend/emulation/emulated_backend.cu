// SPDX-License-Identifier: Apache-2.0
#include "tests/solver/backend/emulation/emulated_backend.hpp"

#include <cstring>

#include "solver/backend/cuda/kernels/launches.hpp"
#include "solver/backend/cuda/passes/pair_passes.hpp"
#include "tests/solver/backend/forwarding_backend.hpp"

namespace lbm::test {
namespace {

class EmulatedBackend final : public ForwardingBackend {
 public:
  explicit EmulatedBackend(int* passes) : passes_(passes) {}

  BackendKind kind() const override { return BackendKind::cuda; }
  std::string device_name() const override { return "emulated GPU"; }
  // NaN, as the CUDA backend fills it.
  Buffer allocate_device(std::size_t bytes, const std::string& purpose) override {
    Buffer memory = ForwardingBackend::allocate_device(bytes, purpose);
    std::memset(memory.data(), 0xff, bytes);
    return memory;
  }
  // As the CUDA backend, without graphs.
  void update(const DeviceLattice& device, std::span<const UpdateLaunch> launches) override {
    for (std::size_t i = 0; i < launches.size(); ++i) {
      const UpdateLaunch& launch = launches[i];
      if (i + 1 < launches.size() &&
          pairs_.run(device, launch, launches[i + 1], cuda::LaunchQueue{})) {
        if (passes_ != nullptr) ++*passes_;
        ++i;
        continue;
      }
      cuda::launch_step(device, launch, cuda::LaunchQueue{});
    }
  }
  void moments(const DeviceLattice& device, const PlaneState& plane, const CellRectangle& rectangle,
               float* fields) override {
    cuda::launch_moments(device, plane, rectangle, fields, {});
  }
  void sample_flow(const DeviceLattice& device, std::span<const PlaneState> planes,
                   std::int64_t* record) override {
    cuda::launch_sample_flow(device, planes, record, {});
  }
  void sum_box(const DeviceLattice& device, std::span<const PlaneState> planes,
               const CellRectangle& rectangle, double scale, std::int64_t* sums) override {
    cuda::launch_sum_box(device, planes, rectangle, scale, sums, {});
  }

 private:
  static constexpr int multiprocessors = 4;  // few, so that passes are divided in small grids

  cuda::PairPasses pairs_{multiprocessors, emulation::most_shared_bytes};
  int* passes_;
};

}  // namespace

std::unique_ptr<Backend> make_emulated_backend(int* passes) {
  return std::make_unique<EmulatedBackend>(passes);
}

}  // namespace lbm::test
