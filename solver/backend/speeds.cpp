// SPDX-License-Identifier: Apache-2.0
#include "solver/backend/speeds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "solver/core/error.hpp"
#include "solver/core/host_memory.hpp"
#include "solver/core/in_parts.hpp"
#include "solver/core/numa.hpp"
#include "solver/lattice/initial_state.hpp"

namespace lbm {
namespace {

constexpr const char* link_purpose = "the link's bandwidth";

// The near one first.
std::vector<int> host_node_numbers(const DeviceFacts& device, const std::vector<NumaNode>& nodes) {
  std::vector<int> numbers;
  for (const NumaNode& node : host_nodes(nodes)) {
    if (node.total > 0) numbers.push_back(node.number);
  }
  if (numbers.empty()) return {-1};
  const int near = nearest_host_node(nodes, device.numa_node);
  const auto first = std::find(numbers.begin(), numbers.end(), near);
  if (first != numbers.end()) std::rotate(numbers.begin(), first, first + 1);
  return numbers;
}

}  // namespace

std::string LinkPath::name() const {
  const std::string where = node < 0 ? "" : fmt::format(" on node {}", node);
  return fmt::format("{} memory{}, {}, {} at a time", to_string(memory), where, to_string(method),
                     human_bytes(copy_bytes));
}

std::vector<LinkPath> link_paths(const DeviceFacts& device, const std::vector<NumaNode>& nodes,
                                 std::span<const std::size_t> sizes) {
  std::vector<LinkPath> paths;
  if (device.backend == BackendKind::cpu) return paths;
  for (const std::size_t size : sizes) {
    for (const int node : host_node_numbers(device, nodes)) {
      paths.push_back({HostMemory::pinned, CopyMethod::engine, node, size});
      paths.push_back({HostMemory::pinned, CopyMethod::kernel, node, size});
      if (refusal_of(HostMemory::system, device)) continue;
      paths.push_back({HostMemory::system, CopyMethod::kernel, node, size});
    }
  }
  return paths;
}

LinkProbe::LinkProbe(Backend& backend, const LinkPath& path, std::size_t bytes)
    : backend_(backend),
      bytes_(bytes),
      copy_bytes_(path.copy_bytes),
      host_in_(allocate_host(path)),
      host_out_(allocate_host(path)),
      in_(backend.allocate_device(bytes, link_purpose)),
      out_(backend.allocate_device(bytes, link_purpose)) {
  copy(true, false);  // later reads must not find unwritten memory
  backend.copy_on_device(out_.data(), in_.data(), bytes);
}

// Untouched pages are not in memory, so they are written here.
LinkProbe::Host LinkProbe::allocate_host(const LinkPath& path) const {
  Host host;
  if (path.node < 0 && path.method == CopyMethod::engine) {
    host.memory = backend_.allocate_staging(bytes_, link_purpose);
    std::memset(host.memory.data(), 1, bytes_);
    return host;
  }
  host.memory = map_host_memory(bytes_, link_purpose);
  place_near(host.memory.data(), host.memory.size(), path.node);
  std::memset(host.memory.data(), 1, bytes_);
  host.attached = backend_.attach_host(host.memory.data(), bytes_, path.memory);
  // The kernel is what copies system memory; pinned memory may be copied by it, too.
  if (path.memory == HostMemory::pinned && path.method == CopyMethod::kernel) {
    host.seen_as = backend_.attach_host(host.memory.data(), bytes_, HostMemory::system);
  }
  return host;
}

void LinkProbe::copy(bool in, bool out) {
  for_parts(0, bytes_, copy_bytes_, [&](std::size_t at, std::size_t part) {
    if (in) backend_.copy_in(in_.data() + at, host_in_.memory.data() + at, part);
    if (out) backend_.copy_out(host_out_.memory.data() + at, out_.data() + at, part);
  });
}

void LinkProbe::alone(LinkSpeed& speed) {
  const double size = static_cast<double>(bytes_);
  speed.in = size / best_seconds(backend_, Queue::load, 4, [&] { copy(true, false); });
  speed.out = size / best_seconds(backend_, Queue::store, 4, [&] { copy(false, true); });
}

void LinkProbe::both(LinkSpeed& speed) {
  constexpr int times = 16;
  const double size = static_cast<double>(bytes_);
  const auto in_begin = backend_.make_event(), in_end = backend_.make_event();
  const auto out_begin = backend_.make_event(), out_end = backend_.make_event();
  backend_.record(Queue::load, *in_begin);
  backend_.record(Queue::store, *out_begin);
  for (int i = 0; i < times; ++i) copy(true, true);
  backend_.record(Queue::load, *in_end);
  backend_.record(Queue::store, *out_end);
  backend_.synchronize(*in_end);
  backend_.synchronize(*out_end);
  speed.in_both = times * size / backend_.seconds_between(*in_begin, *in_end);
  speed.out_both = times * size / backend_.seconds_between(*out_begin, *out_end);
}

LinkSpeed measure_link(Backend& backend, const LinkPath& path, std::size_t bytes) {
  LinkSpeed speed;
  if (backend.free_memory() < 4 * bytes) return speed;
  try {
    LinkProbe probe(backend, path, bytes);
    probe.alone(speed);
    probe.both(speed);
  } catch (const ResourceError&) {  // another process has taken the memory
    return {};
  }
  return speed;
}

bool system_memory_pays(const LinkSpeed& pinned, const LinkSpeed& system) {
  return pinned.measured() && system.measured() &&
         system.slower_of_both() > 1.2 * pinned.slower_of_both();
}

double measure_copy_bandwidth(Backend& backend) {
  // On a GPU far larger than any cache. On a CPU larger than the caches of its cores, and small
  // beside the memory that is free: the measurement must not be what a small machine runs out of.
  const bool gpu = backend.kind() == BackendKind::cuda;
  const std::size_t bytes = std::size_t{gpu ? 1024U : 64U} << 20;
  if (backend.free_memory() < (gpu ? 4 : 8) * bytes) return 0;
  try {
    const Buffer from = backend.allocate_device(bytes, "the copy bandwidth");
    const Buffer to = backend.allocate_device(bytes, "the copy bandwidth");
    // On a CPU, pages that were never written are not in memory.
    backend.clear(Queue::update, from.data(), bytes);
    backend.clear(Queue::update, to.data(), bytes);
    const double seconds = best_seconds(backend, Queue::update, 6, [&] {
      backend.copy_on_device(to.data(), from.data(), bytes);
      backend.copy_on_device(from.data(), to.data(), bytes);
    });
    return 4 * static_cast<double>(bytes) / seconds;
  } catch (const ResourceError&) {  // a limit (ulimit -v), or another process has taken the memory
    return 0;
  }
}

namespace {

// Far more than the host's caches hold: copies of cached memory are faster than those of a run.
constexpr std::size_t link_bytes = std::size_t{1} << 30;
// A CPU has no link: less memory suffices for these copies.
constexpr std::size_t copy_bytes = std::size_t{64} << 20;
constexpr std::size_t kernel_bytes = std::size_t{256} << 20;  // of the planes, on a CPU

void measure_links(Backend& backend, DeviceSpeeds& speeds) {
  const std::size_t bytes = speeds.queues_overlap ? link_bytes : copy_bytes;
  if (backend.free_memory() < 4 * bytes) return;
  LinkProbe probe(backend, {.copy_bytes = bytes}, bytes);
  LinkSpeed pinned;
  probe.alone(pinned);
  pinned.in_both = pinned.in;
  pinned.out_both = pinned.out;
  if (speeds.queues_overlap) probe.both(pinned);
  speeds.set_link(pinned);
  // Only a coherent link may be faster without the copy engines.
  const DeviceFacts device = backend.facts();
  if (device.pageable != PageableAccess::ats || device.integrated) return;
  speeds.system_link = measure_link(
      backend, {HostMemory::system, CopyMethod::kernel, device.numa_node, bytes}, bytes);
}

// A lattice in a ring of slots, advanced by launches of `count` planes: every launch writes the
// slots that the launch before has read, as in a run.
class KernelProbe {
 public:
  KernelProbe(Backend& backend, const Lattice& lattice, int slots)
      : backend_(backend), slots_(slots) {
    device_.lattice = lattice;
    const std::size_t bytes = device_.lattice.layout.bytes;
    memory_ =
        backend.allocate_device(bytes * static_cast<std::size_t>(slots), "the kernel's speed");
    device_.slots = memory_.data();
    const Buffer plane = backend.allocate_staging(bytes, "the kernel's speed");
    write_initial_plane(device_.lattice, wave(lattice.layout.nx), 0, plane.data());
    for (int i = 0; i < slots; ++i) {
      backend.copy_in(device_.slots + bytes * static_cast<std::size_t>(i), plane.data(), bytes);
    }
    best_seconds(backend, Queue::load, 1, [] {});  // waits for the copies
  }

  // Average seconds of a launch of `count` planes.
  double launch_seconds(int count, int launches) {
    std::vector<UpdateLaunch> list;
    for (int i = 0; i < launches; ++i) {
      UpdateLaunch& launch = list.emplace_back();
      launch.first_plane = i * count % 1024;
      launch.count = count;
      for (int j = 0; j < count + 2; ++j) launch.in[j] = (i * count + j) % slots_;
      for (int j = 0; j < count; ++j) launch.out[j] = (i * count + j + slots_ - count) % slots_;
    }
    const bool gpu = backend_.threads() == 0;
    const auto run = [&] {
      if (gpu) return backend_.update(device_, list);
      for (const UpdateLaunch& launch : list) backend_.update(device_, {&launch, 1});
    };
    return best_seconds(backend_, Queue::update, 4, run) / launches;
  }

  // Bytes that the update of one plane must read and write.
  double plane_traffic() const {
    const PlaneLayout& layout = device_.lattice.layout;
    return 2.0 * static_cast<double>(layout.cells()) * layout.values_per_cell *
           static_cast<double>(bytes_per_value(device_.lattice.storage));
  }

 private:
  static InitialState wave(int edge) {
    return [edge](int y, int, const StateRow& row) {
      for (int x = 0; x < edge; ++x) {
        row.ux[x] = 0.05 * std::sin(0.07 * x + 0.11 * y);
        row.uy[x] = 0.05 * std::cos(0.13 * x - 0.05 * y);
        row.drho[x] = 0.01 * std::sin(0.03 * x * y);
      }
    };
  }

  Backend& backend_;
  int slots_;
  DeviceLattice device_;
  Buffer memory_;
};

// kind: bgk of moments is regularised.
DeviceSpeeds::Update measure_update(Backend& backend, StorageType storage, const CellValues& cell,
                                    std::size_t budget, CollisionKind kind = CollisionKind::bgk) {
  const bool gpu = backend.threads() == 0;
  // On a CPU the planes must not all fit the cache.
  const int edge = gpu ? 1024 : 256, small = gpu ? 2 : 8, large = 16;
  std::array<WallFace, 6> faces;
  for (WallFace& face : faces) face.wall = false;
  Lattice lattice = make_lattice(edge, edge, 1 << 20, storage, 0.6, faces, cell);
  if (kind != CollisionKind::bgk) lattice.collision.kind = kind;
  const auto fill = static_cast<int>(kernel_bytes / lattice.layout.bytes);
  const int slots = gpu ? 40 : std::clamp(fill, 3 * small, 200);
  if (lattice.layout.bytes * static_cast<std::size_t>(slots) > budget) return {};
  KernelProbe probe(backend, lattice, slots);
  const double few = probe.launch_seconds(small, slots / small);
  if (!gpu) return {small * probe.plane_traffic() / few, 0, 0};
  const double many = probe.launch_seconds(large, 8);
  const double plane = (many - few) / (large - small);
  return {probe.plane_traffic() / plane, std::max(0.0, few - small * plane), 0};
}

std::string name_of_model(VelocitySet set, CollisionKind kind) {
  return fmt::format("{} {}", to_string(set), to_string(kind));
}

// Besides bgk on D3Q19, in fp32.
void measure_models(Backend& backend, std::size_t budget, DeviceSpeeds& speeds) {
  using enum CollisionKind;
  using enum VelocitySet;
  constexpr std::pair<VelocitySet, CollisionKind> models[] = {{D3Q19, trt},
                                                              {D3Q19, regularised},
                                                              {D3Q19, regularised_filtered},
                                                              {D3Q19, central_moments},
                                                              {D3Q27, bgk},
                                                              {D3Q27, trt},
                                                              {D3Q27, cumulant}};
  for (const auto& [set, kind] : models) {
    const CellValues cell(Representation::populations, set);
    speeds.models[name_of_model(set, kind)] =
        measure_update(backend, StorageType::fp32, cell, budget, kind).bytes_per_second;
  }
}

}  // namespace

DeviceSpeeds::Update DeviceSpeeds::update(const Lattice& lattice) const {
  Update speed = update(lattice.storage, lattice.representation);
  if (lattice.representation == Representation::moments || fp32.bytes_per_second <= 0) return speed;
  const auto own = models.find(name_of_model(lattice.velocities, lattice.collision.kind));
  if (own == models.end() || own->second <= 0) return speed;
  const double relative = own->second / fp32.bytes_per_second;
  speed.bytes_per_second *= relative;
  speed.blocked_bytes_per_second *= relative;
  return speed;
}

bool DeviceSpeeds::measured(StorageType storage, Representation representation) const {
  return copy > 0 && link_in > 0 && link_out > 0 && link_in_both > 0 && link_out_both > 0 &&
         update(storage, representation).bytes_per_second > 0;
}

const DeviceSpeeds::Update& DeviceSpeeds::update(StorageType storage,
                                                 Representation representation) const {
  const Update* const all[2][3]{{&fp32, &fp16, &fp64},
                                {&moments_fp32, &moments_fp16, &moments_fp64}};
  return *all[static_cast<int>(representation)][static_cast<int>(storage)];
}

DeviceSpeeds::Update& DeviceSpeeds::update(StorageType storage, Representation representation) {
  return const_cast<Update&>(std::as_const(*this).update(storage, representation));
}

LinkSpeed DeviceSpeeds::link() const { return {link_in, link_out, link_in_both, link_out_both}; }

void DeviceSpeeds::set_link(const LinkSpeed& link) {
  link_in = link.in;
  link_out = link.out;
  link_in_both = link.in_both;
  link_out_both = link.out_both;
}

HostMemory DeviceSpeeds::fastest_host_memory() const {
  return system_memory_pays(link(), system_link) ? HostMemory::system : HostMemory::pinned;
}

DeviceSpeeds DeviceSpeeds::with_host_memory(HostMemory kind) const {
  DeviceSpeeds speeds = *this;
  if (kind != HostMemory::system || !system_link.measured()) return speeds;
  speeds.host_memory = kind;
  speeds.set_link(system_link);
  return speeds;
}

DeviceSpeeds measure_speeds(Backend& backend, std::size_t budget) {
  DeviceSpeeds speeds;
  speeds.device = backend.device_name();
  speeds.queues_overlap = backend.kind() == BackendKind::cuda;
  // Another process may take memory meanwhile: that must not end the run.
  const auto where_it_fits = [](const auto& measure) {
    try {
      measure();
    } catch (const ResourceError&) {
    }
  };
  where_it_fits([&] { speeds.copy = measure_copy_bandwidth(backend); });
  where_it_fits([&] { measure_links(backend, speeds); });
  for_each_kernel([&](StorageType storage, Representation representation) {
    where_it_fits([&] {
      speeds.update(storage, representation) =
          measure_update(backend, storage, representation, budget);
    });
  });
  if (!speeds.queues_overlap) where_it_fits([&] { measure_models(backend, budget, speeds); });
  return speeds;
}

void measure_link_of_both(Backend& backend, DeviceSpeeds& speeds,
                          const std::function<void()>& begin) {
  std::optional<LinkProbe> probe;
  try {
    if (backend.free_memory() >= 4 * link_bytes) {
      probe.emplace(backend, LinkPath{.copy_bytes = link_bytes}, link_bytes);
    }
  } catch (const ResourceError&) {
  }
  begin();
  if (!probe) return;
  LinkSpeed link = speeds.link();
  probe->both(link);
  speeds.set_link(link);
}

}  // namespace lbm
