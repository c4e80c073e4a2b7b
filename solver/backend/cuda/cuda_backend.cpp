// SPDX-License-Identifier: Apache-2.0

// The CUDA backend: one stream per queue.
#include <fmt/format.h>
#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#endif

#include <array>
#include <cstring>

#include "solver/backend/backend.hpp"
#include "solver/backend/cuda/cuda_facts.hpp"
#include "solver/backend/cuda/host_ranges.hpp"
#include "solver/backend/cuda/kernels/launches.hpp"
#include "solver/backend/cuda/passes/pair_passes.hpp"
#include "solver/backend/cuda/replay.hpp"
#include "solver/backend/cuda/shareable.hpp"
#include "solver/backend/scoped_range.hpp"
#include "solver/core/error.hpp"
#include "solver/core/host_memory.hpp"

namespace lbm {
namespace {

using cuda::check;

struct CudaEvent final : Event {
  cuda::Owned<cudaEvent_t> handle = cuda::make_event();
};

cudaEvent_t handle(Event& event) { return static_cast<CudaEvent&>(event).handle.get(); }

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
    if (device.boundary_planes == 0 && replay_.run(device, launches, launch_queue())) return;
    for (std::size_t i = 0; i < launches.size(); ++i) {
      const UpdateLaunch& launch = launches[i];
      if (i + 1 < launches.size() && pairs_.run(device, launch, launches[i + 1], launch_queue())) {
        ++i;
        continue;
      }
      cuda::launch_step(device, launch, launch_queue());
    }
  }
  void prepare_passes(const DeviceLattice& device) override { pairs_.prepare(device); }
  void moments(const DeviceLattice& device, const PlaneState& plane, const CellRectangle& rectangle,
               float* fields) override {
    cuda::launch_moments(device, plane, rectangle, fields, stream(Queue::update));
  }
  void probe(const DeviceLattice& device, const UpdateLaunch& launch) override {
    cuda::launch_probe(device, launch, stream(Queue::update));
  }
  void sample_flow(const DeviceLattice& device, std::span<const PlaneState> planes,
                   std::int64_t* record) override {
    cuda::launch_sample_flow(device, planes, record, stream(Queue::update));
  }
  void sum_box(const DeviceLattice& device, std::span<const PlaneState> planes,
               const CellRectangle& rectangle, double scale, std::int64_t* sums) override {
    cuda::launch_sum_box(device, planes, rectangle, scale, sums, stream(Queue::update));
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
  cudaStream_t stream(Queue queue) const { return streams_[static_cast<std::size_t>(queue)].get(); }

  cuda::LaunchQueue launch_queue() const {
    return {stream(Queue::update), facts_.compute_major >= 9};
  }

  int device_;
  DeviceFacts facts_;  // the device is selected before the streams are made
  std::string name_;
  cuda::HostRanges host_;
  // Copies may be kernels, whose blocks must not wait behind those of an update.
  std::array<cuda::Owned<cudaStream_t>, 3> streams_{
      cuda::make_stream(true), cuda::make_stream(false), cuda::make_stream(true)};
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

std::vector<std::string> cuda_device_names() {
  std::vector<std::string> names;
  for (int device = 0; device < cuda_device_count(); ++device) {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, device) != cudaSuccess) {
      cudaGetLastError();
      break;
    }
    std::string name;
    for (const char byte : properties.uuid.bytes) {
      name += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    }
    names.push_back(std::move(name));
  }
  return names;
}

#if __has_include(<nvtx3/nvToolsExt.h>)
ScopedRange::ScopedRange(const char* name, std::int64_t number) {
  nvtxEventAttributes_t range{};
  range.version = NVTX_VERSION;
  range.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  range.payloadType = NVTX_PAYLOAD_TYPE_INT64;
  range.payload.llValue = number;
  range.messageType = NVTX_MESSAGE_TYPE_ASCII;
  range.message.ascii = name;
  nvtxRangePushEx(&range);
}

ScopedRange::~ScopedRange() { nvtxRangePop(); }
#else  // toolkits that come without NVTX still build
ScopedRange::ScopedRange(const char*, std::int64_t) {}
ScopedRange::~ScopedRange() = default;
#endif

}  // namespace lbm
