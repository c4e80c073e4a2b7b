// A device: its memory, its three queues of work, and the kernels of the lattice.
//
// Work of one queue runs in the order given. Queues run at the same time as each other where the
// device can; events order them. The CPU backend does everything at once, in the order of calls.
// One virtual call per launch, never per cell.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "solver/backend/backend_kind.hpp"
#include "solver/backend/device_facts.hpp"
#include "solver/boundary/boundaries.hpp"
#include "solver/core/buffer.hpp"
#include "solver/lattice/lattice.hpp"
#include "solver/lattice/probe_cells.hpp"
#include "solver/lattice/step_record.hpp"

namespace lbm {

// The three queues: host to device, compute, device to host.
enum class Queue { load = 0, update = 1, store = 2 };

// And its name for another process, a word.
struct ShareableBuffer {
  Buffer memory;
  std::string name;
};

// A point in a queue's work.
class Event {
 public:
  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  virtual ~Event() = default;
};

inline constexpr int max_planes_per_launch = 64;

// One launch: `count` consecutive planes from first_plane on (counted modulo nz where z is
// periodic) go one step further. Slots are planes of a pool in device memory.
struct UpdateLaunch {
  int first_plane = 0;
  int count = 0;
  std::array<int, max_planes_per_launch + 2> in{};  // slots of planes first - 1 ... first + count
  std::array<int, max_planes_per_launch> out{};     // slots of planes first ... first + count - 1
  // Bit i: only the launch right after this one, in the same call of Backend::update, reads what
  // this one writes to out[i]; where both run in one pass it need not be written.
  std::uint64_t passing = 0;
  // Bit i: the forces on bodies in plane first_plane + i count. A plane that is computed twice
  // counts once.
  std::uint64_t counted = 0;
  // The step that it begins with; 0 throughout where nothing depends on it, so that launches can be
  // told to be the same.
  std::int64_t step = 0;

  bool operator==(const UpdateLaunch&) const = default;
};

// A plane on the device and what it is: plane z, and the body force at the step it has reached.
struct PlaneState {
  int slot = 0, z = 0;
  double force[3] = {};
};

// After `step` steps.
inline PlaneState plane_state(const Lattice& lattice, int slot, int z, std::int64_t step) {
  const auto force = lattice.collision.force.at(static_cast<double>(step));
  return {slot, z, {force[0], force[1], force[2]}};
}

// nx x ny cells of a plane, `stride` cells apart, the first one at (x, y). Positions count modulo
// the plane, so that a rectangle may reach over periodic faces.
struct CellRectangle {
  int x = 0, y = 0, nx = 0, ny = 0;
  int stride = 1;

  std::int64_t cells() const { return static_cast<std::int64_t>(nx) * ny; }
};

// Where kernels find the lattice on the device.
struct DeviceLattice {
  Lattice lattice;
  std::byte* slots = nullptr;        // slot i starts at slots + i * lattice.layout.bytes
  BoundaryView boundaries;           // device pointers
  const Boundaries* host = nullptr;  // what they are a copy of; null: none
  // A ring of records (step_record.hpp), that of step s at (s % record_steps) * record_values;
  // null: forces are not wanted.
  std::int64_t* records = nullptr;
  int record_steps = 0, record_values = 0;
  ProbeView probes;  // device pointers

  bool operator==(const DeviceLattice&) const = default;
  std::int64_t* record(std::int64_t step) const {
    return records == nullptr ? nullptr : records + step % record_steps * record_values;
  }
};

// Where plane i of the launch adds its forces: those of body 0 in the record of the step that it
// completes; null where they do not count.
inline std::int64_t* bodies_of(const DeviceLattice& device, const UpdateLaunch& launch, int i) {
  if (device.boundaries.body_count == 0 || device.records == nullptr) return nullptr;
  if ((launch.counted >> i & 1U) == 0) return nullptr;
  return device.record(launch.step + 1) + flow_values;
}

class Backend {
 public:
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  virtual ~Backend() = default;

  virtual BackendKind kind() const = 0;
  virtual std::string device_name() const = 0;
  // Threads that share one launch; 0 where there are as many as cells.
  virtual int threads() const = 0;
  // Bytes that can still be allocated on the device.
  virtual std::size_t free_memory() const = 0;
  virtual DeviceFacts facts() const = 0;

  // Both throw ResourceError where there is not enough. Device memory is uninitialised.
  virtual Buffer allocate_device(std::size_t bytes, const std::string& purpose) = 0;
  // Host memory that copies run on asynchronously (pinned); zeroed.
  virtual Buffer allocate_staging(std::size_t bytes, const std::string& purpose) = 0;
  // Memory for the lattice on the host, not touched yet, on the NUMA node of the device where there
  // are several; zero unless it is managed. Throws UsageError where the device has no use for that
  // kind (refusal_of), ResourceError where there is not enough; managed memory must fit the device.
  virtual Buffer allocate_host(std::size_t bytes, HostMemory kind, const std::string& purpose) = 0;
  // Makes memory of allocate_host, now filled, fit for copy_in and copy_out that do not block, as
  // long as the result lives; the backend must outlive it. Throws ResourceError.
  virtual Buffer attach_host(std::byte* data, std::size_t bytes, HostMemory kind) = 0;

  // Device memory that other processes of this host may open, in copies as host memory of copy_in
  // and copy_out; they must let go of it before it goes. Both are empty where the device, the
  // driver or the memory left do not allow it.
  virtual std::optional<ShareableBuffer> allocate_shareable(std::size_t /*bytes*/) {
    return std::nullopt;
  }
  virtual std::optional<Buffer> open_shareable(const std::string& /*name*/, std::size_t /*bytes*/) {
    return std::nullopt;
  }

  virtual std::unique_ptr<Event> make_event() = 0;
  virtual void record(Queue queue, Event& event) = 0;
  virtual void wait(Queue queue, Event& event) = 0;  // the queue waits, not the caller
  virtual void synchronize(Event& event) = 0;        // the caller waits
  // Seconds from one recorded event to another; both must have happened.
  virtual double seconds_between(Event& from, Event& to) = 0;

  // Copies on Queue::load and Queue::store. Inside managed and system memory that is attached: host
  // and bytes are multiples of 16.
  virtual void copy_in(std::byte* device, const std::byte* host, std::size_t bytes) = 0;
  virtual void copy_out(std::byte* host, const std::byte* device, std::size_t bytes) = 0;

  // Kernels, all on Queue::update.
  virtual void copy_on_device(std::byte* to, const std::byte* from, std::size_t bytes) = 0;
  // The launches one after the other; each may read what those before it wrote. The backend may run
  // several in one pass where that changes no result.
  virtual void update(const DeviceLattice& lattice, std::span<const UpdateLaunch> launches) = 0;
  // Density [ny][nx] and velocity [ny][nx][3] of a rectangle of a plane, float, lattice units.
  // Solid cells: density 1, velocity 0.
  virtual void moments(const DeviceLattice& lattice, const PlaneState& plane,
                       const CellRectangle& rectangle, float* density, float* velocity) = 0;
  // Writes the density and velocity of the probes in the planes that the launch has written and
  // that count to the record of the step that it completes. The lattice must have records.
  virtual void probe(const DeviceLattice& lattice, const UpdateLaunch& launch) = 0;
  // Adds the plane's flow sums and extremes, and its cells outside the limits, to a record
  // (device).
  virtual void sample_flow(const DeviceLattice& lattice, const PlaneState& plane,
                           std::int64_t* record) = 0;
  // Sets device memory to zero, in that queue.
  virtual void clear(Queue queue, std::byte* device, std::size_t bytes) = 0;
};

// threads 0: all that OpenMP would use.
std::unique_ptr<Backend> make_cpu_backend(int threads = 0);

// Host memory is pinned in pieces of this many bytes, by several threads at once.
inline constexpr std::size_t default_pin_piece = std::size_t{2} << 30;

// Throws UsageError where the program was built without CUDA or has no such device. pin_piece: a
// multiple of 2 MiB; small ones are for tests.
std::unique_ptr<Backend> make_cuda_backend(int device = 0,
                                           std::size_t pin_piece = default_pin_piece);

// GPUs that can be used; 0 without CUDA in the build, without a driver, or without a device.
int cuda_device_count();
// Of each, up to the first that does not answer, a name that every process has for it, whatever
// part of the GPUs it sees.
std::vector<std::string> cuda_device_names();

}  // namespace lbm
