// SPDX-License-Identifier: Apache-2.0

// The CUDA backend: one stream per queue.
#include <array>
#include <cstring>

#include "solver/backend/backend.hpp"
#include "solver/backend/cuda/cuda_facts.hpp"
#include "solver/backend/cuda/host_ranges.hpp"
#include "solver/backend/cuda/kernels/check.hpp"
#include "solver/backend/cuda/kernels/update_kernel.hpp"
#include "solver/backend/cuda/nccl_link.hpp"
#include "solver/backend/cuda/passes/pair_passes.hpp"
#include "solver/backend/cuda/replay.hpp"
#include "solver/backend/cuda/shareable.hpp"
#include "solver/backend/cuda/unwritten.hpp"
#include "solver/core/error.hpp"
#include "solver/core/host_memory.hpp"
#include "solver/core/human_bytes.hpp"

namespace lbm {
namespace {

using cuda::check;

class CudaEvent final : public Event {
 public:
  CudaEvent() { check(cudaEventCreate(&handle_), "create event"); }
  ~CudaEvent() override { cudaEventDestroy(handle_); }
  cudaEvent_t handle() const { return handle_; }

 private:
  cudaEvent_t handle_ = nullptr;
};

class Stream {
 public:
  explicit Stream(int priority) {
    check(cudaStreamCreateWithPriority(&handle_, cudaStreamNonBlocking, priority), "create stream");
  }
  ~Stream() { cudaStreamDestroy(handle_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  cudaStream_t handle() const { return handle_; }

 private:
  cudaStream_t handle_ = nullptr;
};

cudaEvent_t handle(Event& event) { return static_cast<CudaEvent&>(event).handle(); }

class CudaBackend final : public Backend {
 public:
  CudaBackend(int device, std::size_t pin_piece)
      : device_(device),
        facts_((select(device), cuda::device_facts(device))),
        name_(facts_.name),
        host_(device, pin_piece, facts_),
        pairs_(facts_.multiprocessors, cuda::shared_bytes_of_block(device)) {}
  ~CudaBackend() override { cudaDeviceSynchronize(); }

  BackendKind kind() const override { return BackendKind::cuda; }
  std::string device_name() const override { return name_; }
  int threads() const override { return 0; }
  int steps_per_pass(const Lattice& lattice) const override {
    return pairs_.steps_per_pass(lattice);
  }
  std::size_t free_memory() const override {
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "read free memory");
    return free_device_memory(facts_, free, facts_.integrated ? host_memory_available() : 0);
  }

  Buffer allocate_device(std::size_t bytes, const std::string& purpose) override {
    void* data = nullptr;
    if (cudaMalloc(&data, bytes) != cudaSuccess) {
      cudaGetLastError();  // the failure is reported here; later calls must not see it
      throw ResourceError("not enough memory on " + name_ + ": " + human_bytes(bytes) + " for " +
                          purpose + ", " + human_bytes(free_memory()) +
                          " free; lower device.memory or tiling.steps_per_visit");
    }
    check(cuda::fill_unwritten(data, bytes), "fill device memory");
    return Buffer(static_cast<std::byte*>(data), bytes, [](std::byte* p) { cudaFree(p); });
  }

  Buffer allocate_staging(std::size_t bytes, const std::string& purpose) override {
    void* data = nullptr;
    if (cudaHostAlloc(&data, bytes, cudaHostAllocDefault) != cudaSuccess) {
      cudaGetLastError();
      throw ResourceError("not enough pinned host memory: " + human_bytes(bytes) + " for " +
                          purpose);
    }
    std::memset(data, 0, bytes);
    return Buffer(static_cast<std::byte*>(data), bytes, [](std::byte* p) { cudaFreeHost(p); });
  }

  DeviceFacts facts() const override { return facts_; }
  Buffer allocate_host(std::size_t bytes, HostMemory kind, const std::string& purpose) override {
    return host_.allocate(bytes, kind, purpose, free_memory());
  }
  Buffer attach_host(std::byte* data, std::size_t bytes, HostMemory kind) override {
    return host_.attach(data, bytes, kind);
  }

  std::optional<ShareableBuffer> allocate_shareable(std::size_t bytes) override {
    return cuda::allocate_shareable(bytes);
  }
  std::optional<Buffer> open_shareable(const std::string& name, std::size_t bytes) override {
    return cuda::open_shareable(name, bytes);
  }
  std::string make_link_name() override { return cuda::make_link_name(); }
  std::unique_ptr<DeviceLink> open_link(const std::string& name, LinkEnd end) override {
    return cuda::open_link(name, end, device_);
  }

  std::unique_ptr<Event> make_event() override { return std::make_unique<CudaEvent>(); }
  void record(Queue queue, Event& event) override {
    check(cudaEventRecord(handle(event), stream(queue)), "record event");
  }
  void wait(Queue queue, Event& event) override {
    check(cudaStreamWaitEvent(stream(queue), handle(event), 0), "wait for event");
  }
  void synchronize(Event& event) override {
    check(cudaEventSynchronize(handle(event)), "run the lattice on the device");
  }
  double seconds_between(Event& from, Event& to) override {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, handle(from), handle(to)), "read event times");
    return milliseconds * 1e-3;
  }

  void copy_in(std::byte* device, const std::byte* host, std::size_t bytes) override {
    host_.copy_in(device, host, bytes, stream(Queue::load));
  }
  void copy_out(std::byte* host, const std::byte* device, std::size_t bytes) override {
    host_.copy_out(host, device, bytes, stream(Queue::store));
  }

  void copy_on_device(std::byte* to, const std::byte* from, std::size_t bytes) override {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream(Queue::update)),
          "copy on the device");
  }
  void update(const DeviceLattice& device, std::span<const UpdateLaunch> launches) override {
    if (device.boundary_planes == 0 &&
        replay_.run(device, launches, overlaps_launches(), stream(Queue::update)))
      return;
    for (std::size_t i = 0; i < launches.size(); ++i) {
      const UpdateLaunch& launch = launches[i];
      if (i + 1 < launches.size() &&
          pairs_.run(device, launch, launches[i + 1], overlaps_launches(), stream(Queue::update))) {
        ++i;
        continue;
      }
      cuda::launch_step(device, launch, overlaps_launches(), stream(Queue::update));
    }
  }
  void prepare_passes(const DeviceLattice& device) override { pairs_.prepare(device); }
  void moments(const DeviceLattice& device, const PlaneState& plane, const CellRectangle& rectangle,
               float* drho, float* velocity) override {
    cuda::launch_moments(device, plane, rectangle, drho, velocity, stream(Queue::update));
  }
  void probe(const DeviceLattice& device, const UpdateLaunch& launch) override {
    cuda::launch_probe(device, launch, stream(Queue::update));
  }
  void sample_flow(const DeviceLattice& device, const PlaneState& plane,
                   std::int64_t* record) override {
    cuda::launch_sample_flow(device, plane, record, stream(Queue::update));
  }
  void clear(Queue queue, std::byte* device, std::size_t bytes) override {
    check(cudaMemsetAsync(device, 0, bytes, stream(queue)), "clear device memory");
  }

 private:
  static void select(int device) {
    const int count = cuda_device_count();
    if (device < 0 || device >= count) {
      throw UsageError("device.index: found " + std::to_string(device) + ", but there are " +
                       std::to_string(count) +
                       " usable GPUs; see `lbm info`, or use device.backend: cpu");
    }
    check(cudaSetDevice(device), "select device");
  }
  cudaStream_t stream(Queue queue) const {
    return streams_[static_cast<std::size_t>(queue)].handle();
  }

  // See launch_update().
  bool overlaps_launches() const { return facts_.compute_major >= 9; }

  // Copies may be kernels, whose blocks must not wait behind those of an update.
  static int copy_priority() {
    int least = 0, greatest = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "read stream priorities");
    return greatest;
  }

  int device_;
  DeviceFacts facts_;  // the device is selected before the streams are made
  std::string name_;
  cuda::HostRanges host_;
  std::array<Stream, 3> streams_{Stream(copy_priority()), Stream(0), Stream(copy_priority())};
  cuda::Replay replay_;
  cuda::PairPasses pairs_;
};

}  // namespace

std::unique_ptr<Backend> make_cuda_backend(int device, std::size_t pin_piece) {
  return std::make_unique<CudaBackend>(device, pin_piece);
}

int cuda_device_count() {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
  cudaGetLastError();
  return 0;
}

}  // namespace lbm
