// SPDX-License-Identifier: Apache-2.0

// A device: its memory, its three queues, and the kernels of the lattice.
//
// The work of a queue runs in the order of calls. Queues run concurrently where the device can;
// events order them. On the CPU every call finishes its work before it returns. One virtual call
// per launch, never per cell.
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

#include "solver/backend/device_facts.hpp"
#include "solver/boundary/boundaries.hpp"
#include "solver/core/host_memory.hpp"
#include "solver/lattice/lattice.hpp"
#include "solver/lattice/step_record.hpp"

namespace lbm {

// A one-way connection between the memories of two devices, each of a process of its own, on one
// host or on two.
enum class LinkEnd { sends, receives };

// One end. One thread at a time may call it.
class DeviceLink {
 public:
  DeviceLink() = default;
  DeviceLink(const DeviceLink&) = delete;
  DeviceLink& operator=(const DeviceLink&) = delete;
  // Gives up transfers that are not complete.
  virtual ~DeviceLink() = default;

  // Asynchronous. The n-th send of one end meets the n-th receive of the other, of as many bytes.
  // Sent memory must stay as it is, and received memory must not be read, before the transfer is
  // complete. A transfer occupies a part of the device until the other end has begun it, too.
  // Throw ResourceError, as completed() does, where the connection has failed.
  virtual void send(const std::byte* device, std::size_t bytes) = 0;
  virtual void receive(std::byte* device, std::size_t bytes) = 0;
  // The number of transfers that are complete.
  virtual std::int64_t completed() = 0;
};

// The three queues: host to device, compute, device to host.
enum class Queue { load = 0, update = 1, store = 2 };

// Memory, and the name by which another process opens it (one word).
struct ShareableBuffer {
  Buffer memory;
  std::string name;
};

// A point in the work of a queue.
class Event {
 public:
  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  virtual ~Event() = default;
};

inline constexpr int max_planes_per_launch = 64;

// One launch: advances `count` consecutive planes from first_plane on (modulo nz where z is
// periodic) by one step. A slot is room for one plane in a pool of device memory.
struct UpdateLaunch {
  int first_plane = 0;
  int count = 0;
  std::array<int, max_planes_per_launch + 2> in{};  // slots of planes first - 1 ... first + count
  std::array<int, max_planes_per_launch> out{};     // slots of planes first ... first + count - 1
  // Bit i: out[i] is read only by the next launch of the same call of Backend::update. It need not
  // be written where both run in one pass.
  std::uint64_t passing = 0;
  // Bit i: the forces on bodies in plane first_plane + i are counted. Planes that are computed
  // twice are counted once.
  std::uint64_t counted = 0;
  // The schedule keeps the slots of this launch and the next one apart, so that a GPU can run both
  // in one pass.
  bool together = false;
  // The step before the update; always 0 where nothing depends on it, so that equal launches
  // compare equal.
  std::int64_t step = 0;

  bool operator==(const UpdateLaunch&) const = default;
  // The place in the grid, which has nz planes, of plane i of the launch.
  LBM_HD int z_of(int i, int nz) const {
    const int z = first_plane + i;
    return z < nz ? z : z - nz;
  }
};

// A plane on the device: its slot, its z, the body force at its step, and a seed of random numbers
// that is the same for all planes of that step.
struct PlaneState {
  int slot = 0, z = 0;
  ForceVector<double> force;  // the same everywhere
  double factor = 0;          // of BoundaryView::forces
  std::uint32_t seed = 0;

  // The body force of a cell with these sums, which have all of it.
  template <class Real>
  LBM_HD ForceVector<double> force_at(const BoundaryView& boundaries, int x, int y,
                                      const Sums<Real>& sums) const {
    if (boundaries.forces == nullptr) return force;
    const ForceVector<double> field = boundaries.with_force(force, x, y, z, factor);
    const ZoneShare at = boundaries.zone_at(x, y, z);
    if (at.zone == nullptr) return field;
    const double j[3] = {double{sums.jx} - field.x / 2, double{sums.jy} - field.y / 2,
                         double{sums.jz} - field.z / 2};
    const auto of_zone = at.zone->on_fluid(double{at.share}, -0.5, 1 + double{sums.drho}, j);
    return {field.x + of_zone.x, field.y + of_zone.y, field.z + of_zone.z};
  }
};

// nx x ny cells of a plane, `stride` cells apart, the first one at (x, y). Positions are modulo the
// plane: a rectangle may extend across periodic faces.
struct CellRectangle {
  int x = 0, y = 0, nx = 0, ny = 0;
  int stride = 1;

  std::int64_t cells() const { return static_cast<std::int64_t>(nx) * ny; }
};

// The lattice on the device, as kernels are given it.
struct DeviceLattice {
  Lattice lattice;
  std::byte* slots = nullptr;        // slot i starts at slots + i * lattice.layout.bytes
  BoundaryView boundaries;           // device pointers
  const Boundaries* host = nullptr;  // their original; null: none
  // The planes whose boundaries are on the device at a time (BoundaryWindow); 0: all.
  int boundary_planes = 0;
  // A ring of records (step_record.hpp): that of step s is at (s % record_steps) * record_values.
  // Null: no records.
  std::int64_t* records = nullptr;
  int record_steps = 0, record_values = 0;
  ProbeView probes;  // device pointers

  bool operator==(const DeviceLattice&) const = default;
  std::int64_t* record(std::int64_t step) const {
    return records == nullptr ? nullptr : records + step % record_steps * record_values;
  }
};

// The state of a plane after `step` steps.
inline PlaneState plane_state(const DeviceLattice& device, int slot, int z, std::int64_t step) {
  const auto time = static_cast<double>(step);
  const auto force = device.lattice.collision.force.at(time);
  return {slot,
          z,
          {force[0], force[1], force[2]},
          device.host == nullptr ? 0 : device.host->force_factor(time),
          static_cast<std::uint32_t>(step)};
}

// Where plane i of the launch adds its forces: the values of body 0 in the record of the step that
// the launch completes; null where they are not counted.
inline std::int64_t* bodies_of(const DeviceLattice& device, const UpdateLaunch& launch, int i) {
  if (device.boundaries.body_count == 0 || device.records == nullptr) return nullptr;
  if ((launch.counted >> i & 1U) == 0) return nullptr;
  return device.record(launch.step + 1) + flow_values;
}
// The same for the heat that bodies give (GivenHeat).
inline std::int64_t* heat_of(const DeviceLattice& device, const UpdateLaunch& launch, int i) {
  std::int64_t* const bodies = bodies_of(device, launch, i);
  if (bodies == nullptr || !device.lattice.counts_heat) return nullptr;
  return bodies + 6 * device.boundaries.body_count;
}

class Backend {
 public:
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  virtual ~Backend() = default;

  virtual BackendKind kind() const = 0;
  virtual std::string device_name() const = 0;
  // Threads that share one launch; 0: a thread for every cell.
  virtual int threads() const = 0;
  // The mean number of threads that updates used so far: fewer than threads() where other programs
  // use the cores.
  virtual double mean_threads() const { return threads(); }
  // Steps of such a lattice that a GPU should make in one pass over its memory, as far as its size,
  // its storage type and the chip tell: 1 or 2. Measured speeds may tell better.
  virtual int steps_per_pass(const Lattice& /*lattice*/) const { return 1; }
  // Does, before the first launch, what passes of several steps need once for a lattice: with
  // bodies that takes some seconds in large grids.
  virtual void prepare_passes(const DeviceLattice& /*device*/) {}
  // Bytes that can still be allocated on the device.
  virtual std::size_t free_memory() const = 0;
  virtual DeviceFacts facts() const = 0;

  // Both throw ResourceError where memory is short. Device memory of a GPU is filled with NaN (all
  // bits set), so that a value which is used before it is written shows in the results. That of a
  // CPU is not touched: the thread that writes a page first decides its NUMA node.
  virtual Buffer allocate_device(std::size_t bytes, const std::string& purpose) = 0;
  // Pinned host memory, for asynchronous copies; zeroed.
  virtual Buffer allocate_staging(std::size_t bytes, const std::string& purpose) = 0;
  // Host memory for the lattice, not touched yet, on the NUMA node next to the device; zero unless
  // it is managed. Managed memory must fit the device. Throws UsageError where the device does not
  // support the kind (refusal_of), ResourceError where memory is short.
  virtual Buffer allocate_host(std::size_t bytes, HostMemory kind, const std::string& purpose) = 0;
  // Makes copies from and to memory of allocate_host asynchronous, for as long as the result lives
  // (pins it, or registers it with the device). Call it after the memory has been filled. The
  // backend must outlive the result. Throws ResourceError.
  virtual Buffer attach_host(std::byte* data, std::size_t bytes, HostMemory kind) = 0;

  // Device memory that other processes of this host can open and use as the host side of copy_in
  // and copy_out; they must release it before its owner does. Both functions return nothing where
  // the device, the driver or the free memory do not allow it.
  virtual std::optional<ShareableBuffer> allocate_shareable(std::size_t /*bytes*/) {
    return std::nullopt;
  }
  virtual std::optional<Buffer> open_shareable(const std::string& /*name*/, std::size_t /*bytes*/) {
    return std::nullopt;
  }

  // Connections to devices of other processes, also of other hosts. make_link_name: a new name, one
  // word, for both ends of a connection; empty where the device has none. open_link waits until the
  // other process opens the other end, for a minute at most; null where they cannot be connected.
  // Any thread may call them. The backend must outlive the result.
  virtual std::string make_link_name() { return ""; }
  virtual std::unique_ptr<DeviceLink> open_link(const std::string& /*name*/, LinkEnd /*end*/) {
    return nullptr;
  }

  virtual std::unique_ptr<Event> make_event() = 0;
  virtual void record(Queue queue, Event& event) = 0;
  virtual void wait(Queue queue, Event& event) = 0;  // the queue waits, not the caller
  virtual void synchronize(Event& event) = 0;        // the caller waits
  // Seconds from one recorded event to another; both must have happened.
  virtual double seconds_between(Event& from, Event& to) = 0;

  // Copies on Queue::load and Queue::store. For attached managed and system memory `host` and
  // `bytes` are multiples of 16.
  virtual void copy_in(std::byte* device, const std::byte* host, std::size_t bytes) = 0;
  virtual void copy_out(std::byte* host, const std::byte* device, std::size_t bytes) = 0;

  // Kernels, all on Queue::update.
  virtual void copy_on_device(std::byte* to, const std::byte* from, std::size_t bytes) = 0;
  // Runs the launches one after the other; each may read planes that earlier ones wrote. The
  // backend may run several in one pass if the results stay the same.
  virtual void update(const DeviceLattice& lattice, std::span<const UpdateLaunch> launches) = 0;
  // Writes the macroscopic fields of a rectangle of a plane (FieldPlane). Solid cells: 0.
  virtual void moments(const DeviceLattice& lattice, const PlaneState& plane,
                       const CellRectangle& rectangle, float* fields) = 0;
  // Records the probes in those planes of the launch that are counted, in the record of the step
  // that the launch completes. The lattice must have records.
  virtual void probe(const DeviceLattice& lattice, const UpdateLaunch& launch) = 0;
  // The next two take at most max_planes_per_launch planes, all at the same step.
  //
  // Adds the flow sums, extremes and cells outside the limits to a record (on the device).
  virtual void sample_flow(const DeviceLattice& lattice, std::span<const PlaneState> planes,
                           std::int64_t* record) = 0;
  // Adds sums over the fluid cells of a rectangle of each plane (BoxValue, on the device).
  virtual void sum_box(const DeviceLattice& lattice, std::span<const PlaneState> planes,
                       const CellRectangle& rectangle, double scale, std::int64_t* sums) = 0;
  // Sets device memory to zero, as work of the queue.
  virtual void clear(Queue queue, std::byte* device, std::size_t bytes) = 0;
};

// threads 0: as many as OpenMP would use.
std::unique_ptr<Backend> make_cpu_backend(int threads = 0);

// Host memory is pinned in pieces of this many bytes, by several threads at once.
inline constexpr std::size_t default_pin_piece = std::size_t{2} << 30;

// Throws UsageError where the program was built without CUDA or the device does not exist.
// pin_piece: a multiple of 2 MiB; tests use small ones.
std::unique_ptr<Backend> make_cuda_backend(int device = 0,
                                           std::size_t pin_piece = default_pin_piece);

// Number of usable GPUs; 0 without CUDA in the build, without a driver, or without a device.
int cuda_device_count();
// Names of the GPUs, up to the first that does not answer. All processes of a host know a GPU by
// the same name, whichever GPUs they see.
std::vector<std::string> cuda_device_names();

}  // namespace lbm
