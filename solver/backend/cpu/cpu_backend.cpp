// SPDX-License-Identifier: Apache-2.0

// The CPU backend: OpenMP over rows; every call finishes its work before it returns.
#if defined(__x86_64__)
#include <emmintrin.h>
#endif
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

#include "solver/backend/backend.hpp"
#include "solver/backend/cpu/fitting_threads.hpp"
#include "solver/backend/cpu/pair_runner.hpp"
#include "solver/backend/pass_plan.hpp"
#include "solver/core/error.hpp"
#include "solver/core/host_memory.hpp"
#include "solver/machine/machine_facts.hpp"
#include "solver/update/fluid_cells.hpp"

namespace lbm {
namespace {

using Clock = std::chrono::steady_clock;

struct CpuEvent final : Event {
  Clock::time_point time;
};

// As memcpy. On x86 large copies bypass the cache: the target is not read before it is overwritten,
// which saves a third of the traffic of a plain copy.
void copy_streaming(std::byte* to, const std::byte* from, std::size_t bytes) {
#if defined(__x86_64__)
  constexpr std::size_t line = 64, least = std::size_t{1} << 18;
  if (bytes >= least) {
    const std::size_t head = (line - reinterpret_cast<std::uintptr_t>(to) % line) % line;
    std::memcpy(to, from, head);
    to += head, from += head, bytes -= head;
    for (; bytes >= line; bytes -= line, to += line, from += line) {
      __m128i value[4];
      for (int i = 0; i < 4; ++i) {
        value[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from) + i);
      }
      for (int i = 0; i < 4; ++i) _mm_stream_si128(reinterpret_cast<__m128i*>(to) + i, value[i]);
    }
    _mm_sfence();
  }
#endif
  if (bytes > 0) std::memcpy(to, from, bytes);
}

// Records the probes in the planes of a launch. Few cells: not worth a vector, or a second thread.
template <class Storage>
void probe_launch(const DeviceLattice& device, const UpdateLaunch& launch) {
  const PlaneLayout& layout = device.lattice.layout;
  const ProbeView& probes = device.probes;
  const int scalars = device.lattice.scalar_count();
  const Buoyancy buoyancy = buoyancy_of(device.lattice.scalars);
  for (int i = 0; i < launch.count; ++i) {
    if ((launch.counted >> i & 1U) == 0) continue;
    const int z = (launch.first_plane + i) % device.lattice.nz;
    const PlaneState plane = plane_state(device, launch.out[i], z, launch.step + 1);
    const auto* values = reinterpret_cast<const typename Storage::Value*>(
        device.slots + static_cast<std::size_t>(plane.slot) * layout.bytes);
    for (int p = probes.first[z]; p < probes.first[z + 1]; ++p) {
      const auto [x, y] = probes.cells[p];
      const auto* cell = values + stored_place(layout, device.boundaries, static_cast<int>(x),
                                               static_cast<int>(y), z);
      const auto sums =
          Storage::density_momentum([&](int v) { return Storage::load(cell[v * layout.pitch]); });
      const auto force = with_buoyancy<Storage>(
          plane.force_at(device.boundaries, static_cast<int>(x), static_cast<int>(y), sums),
          buoyancy, cell, layout.pitch);
      std::int64_t* const to =
          device.record(launch.step + 1) + probes.first_value + macro_values_with(scalars) * p;
      put_probe(to, stored_moments(sums, force));
      for (int s = 0; s < scalars; ++s) {
        to[macro_values + s] = bits_of(double{scalar_of<Storage>(cell, layout.pitch, s)});
      }
    }
  }
}

class CpuBackend final : public Backend {
 public:
  explicit CpuBackend(int threads)
      : threads_(threads > 0 ? threads : omp_get_max_threads()),
        fitting_(threads_),
        kernels_(cpu::best_kernels()) {
    cpu::check_thread_limit(threads_);
  }

  BackendKind kind() const override { return BackendKind::cpu; }
  std::string device_name() const override {
    return fmt::format("{}, {} threads, {}", cpu_model(SystemFiles()), threads_, kernels_.name);
  }
  int threads() const override { return threads_; }
  double mean_threads() const override { return fitting_.mean(); }
  std::size_t free_memory() const override { return host_memory_available(); }
  DeviceFacts facts() const override {
    DeviceFacts facts;
    facts.name = device_name();
    return facts;
  }

  Buffer allocate_device(std::size_t bytes, const std::string& purpose) override {
    return allocate_staging(bytes, purpose);
  }
  Buffer allocate_staging(std::size_t bytes, const std::string& purpose) override {
    return map_host_memory(bytes, purpose);
  }
  Buffer allocate_host(std::size_t bytes, HostMemory kind, const std::string& purpose) override {
    if (const auto refusal = refusal_of(kind, facts()))
      throw UsageError("host.memory: " + *refusal);
    return map_host_memory(bytes, purpose);
  }
  Buffer attach_host(std::byte* data, std::size_t bytes, HostMemory) override {
    return Buffer(data, bytes, [](std::byte*) {});
  }

  std::unique_ptr<Event> make_event() override { return std::make_unique<CpuEvent>(); }
  void record(Queue, Event& event) override { static_cast<CpuEvent&>(event).time = Clock::now(); }
  void wait(Queue, Event&) override {}
  void synchronize(Event&) override {}
  double seconds_between(Event& from, Event& to) override {
    const auto time = [](Event& e) { return static_cast<CpuEvent&>(e).time; };
    return std::chrono::duration<double>(time(to) - time(from)).count();
  }

  void copy_in(std::byte* device, const std::byte* host, std::size_t bytes) override {
    copy(device, host, bytes);
  }
  void copy_out(std::byte* host, const std::byte* device, std::size_t bytes) override {
    copy(host, device, bytes);
  }

  void copy_on_device(std::byte* to, const std::byte* from, std::size_t bytes) override {
    copy(to, from, bytes);
  }
  void update(const DeviceLattice& device, std::span<const UpdateLaunch> launches) override {
    const int threads = fitting_.now();
    for (std::size_t i = 0; i < launches.size(); ++i) {
      const auto pair =
          i + 1 < launches.size() ? pair_of(launches[i], launches[i + 1]) : std::nullopt;
      if (pair && pairs_.run(kernels_, device, *pair, threads)) {
        ++i;
      } else {
        update_all_rows(device, launches[i], threads);
      }
    }
  }

  void moments(const DeviceLattice& device, const PlaneState& plane, const CellRectangle& rectangle,
               float* fields) override {
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (int row = 0; row < rectangle.ny; ++row) {
      kernels_.of(device.lattice).moment_rows(device, plane, rectangle, row, row + 1, fields);
    }
  }

  void probe(const DeviceLattice& device, const UpdateLaunch& launch) override {
    visit_storage(device.lattice,
                  [&](auto storage) { probe_launch<decltype(storage)>(device, launch); });
  }

  void sample_flow(const DeviceLattice& device, std::span<const PlaneState> planes,
                   std::int64_t* record) override {
    const cpu::RowKernels& kernels = kernels_.of(device.lattice);
    for_pieces(planes, device.lattice.layout.ny, [&](const PlaneState& plane, int begin, int end) {
      kernels.sample_flow_rows(device, plane, begin, end, record);
    });
  }
  void sum_box(const DeviceLattice& device, std::span<const PlaneState> planes,
               const CellRectangle& rectangle, double scale, std::int64_t* sums) override {
    const cpu::RowKernels& kernels = kernels_.of(device.lattice);
    for_pieces(planes, rectangle.ny, [&](const PlaneState& plane, int begin, int end) {
      kernels.sum_rows(device, plane, rectangle, begin, end, scale, sums);
    });
  }

  void clear(Queue, std::byte* device, std::size_t bytes) override {
    std::memset(device, 0, bytes);
  }

 private:
  // Calls work(plane, row_begin, row_end) by all threads. Few pieces: each adds its sums to a
  // record, where threads wait for each other.
  template <class Work>
  void for_pieces(std::span<const PlaneState> planes, int rows, const Work& work) const {
    const int count = static_cast<int>(planes.size()), pieces = std::min(rows, threads_);
    const auto row = [&](int piece) {
      return static_cast<int>(std::int64_t{rows} * piece / pieces);
    };
#pragma omp parallel for collapse(2) schedule(static) num_threads(threads_)
    for (int plane = 0; plane < count; ++plane) {
      for (int i = 0; i < pieces; ++i) {
        work(planes[static_cast<std::size_t>(plane)], row(i), row(i + 1));
      }
    }
  }

  void update_all_rows(const DeviceLattice& device, const UpdateLaunch& launch, int threads) const {
    // Chunks of rows, y outermost: a thread has the same range of y in every launch, and finds the
    // rows that it wrote in its own cache and memory.
    const int ny = device.lattice.layout.ny;
    const bool stream = cpu::exceeds_caches(device.lattice);
    const cpu::RowKernels& kernels = kernels_.of(device.lattice);
    const int chunk = std::clamp(ny * launch.count / (4 * threads), 1, 8);
    const int chunks = (ny + chunk - 1) / chunk;
#pragma omp parallel num_threads(threads)
    {
      const cpu::FlushSubnormals flush;
#pragma omp for collapse(2) schedule(static)
      for (int c = 0; c < chunks; ++c) {
        for (int plane = 0; plane < launch.count; ++plane) {
          const int y = c * chunk;
          kernels.update_rows(device, launch, plane, y, std::min(y + chunk, ny), stream);
        }
      }
    }
  }

  // One thread cannot use the whole memory bandwidth. Each thread copies one long piece, so that
  // neighbouring pages belong to the same thread.
  void copy(std::byte* to, const std::byte* from, std::size_t bytes) const {
    constexpr std::size_t page = 4096;
    const std::size_t pages = (bytes + page - 1) / page;
#pragma omp parallel num_threads(threads_)
    {
      const auto thread = static_cast<std::size_t>(omp_get_thread_num());
      const auto team = static_cast<std::size_t>(omp_get_num_threads());
      const std::size_t begin = std::min(bytes, pages * thread / team * page);
      const std::size_t end = std::min(bytes, pages * (thread + 1) / team * page);
      copy_streaming(to + begin, from + begin, end - begin);
    }
  }

  int threads_;
  cpu::FittingThreads fitting_;
  const cpu::Kernels& kernels_;
  cpu::PairRunner pairs_;
};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend(int threads) {
  return std::make_unique<CpuBackend>(threads);
}

}  // namespace lbm
