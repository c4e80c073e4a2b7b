#include "cases/app/bench_cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "solver/core/error.hpp"
#include "solver/core/human_bytes.hpp"
#include "tiling/choose.hpp"

namespace lbm::app {
namespace {

using tiling::Scheme;

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;
constexpr int staging_planes = 8;

// What differs between the four kinds of session.
struct Sizes {
  std::vector<std::array<int, 3>> in_core;
  std::array<int, 3> sphere;  // no larger: its flags are made by one thread
  int edge;                  // of planes out of core
  int planes;                // of the groups steps and schemes
  std::vector<int> steps;    // k
  std::vector<int> schemes;  // k
  std::uint64_t size_device, size_host;
  double seconds;  // of one measurement, at least
  int sweeps;      // out of core, at least
};

Sizes sizes_of(const BenchLimits& limits) {
  constexpr auto all = ~std::uint64_t{0};
  const auto cube = [](int n) { return std::array<int, 3>{n, n, n}; };
  if (limits.backend == BackendKind::cuda) {
    if (limits.quick) {
      return {{cube(64), cube(256), cube(512)}, cube(256),
 1024, 256, {8, 16, 32, 64}, {32}, 16 * gibibyte, 32 * gibibyte, 0.4, 2};
    }
    return {{cube(64), cube(96), cube(128), cube(256), cube(384), cube(512), {1024, 1024, 512}}, cube(256),
            1024, 512, {8, 16, 32, 64, 128}, {16, 32}, all, all, 1.0, 2};
  }
  if (limits.quick) {
    return {{cube(32), cube(64)}, cube(64),
 64, 96, {8, 16, 32}, {8}, 24 * mebibyte, 128 * mebibyte, 0.2, 1};
  }
  return {{cube(32), cube(64), cube(128), cube(256)},
          128, 256, {8, 16, 32, 64, 128}, {8, 16}, 192 * mebibyte, gibibyte, 2.0, 2};
}

std::uint64_t plane_bytes(int edge, StorageType storage) {
  return make_plane_layout(edge, edge, storage).bytes;
}

double sphere_radius(const BenchCase& bench) {
  return *std::min_element(bench.cells.begin(), bench.cells.end()) / 6.0;
}

// An upper bound, without making them: the planes that the sphere touches, and two beside it.
std::uint64_t flag_bytes(const BenchCase& bench) {
  if (bench.box != BenchBox::sphere) return 0;
  const auto planes = static_cast<std::uint64_t>(2 * sphere_radius(bench)) + 5;
  return planes * static_cast<std::uint64_t>(bench.cells[0]) *
             static_cast<std::uint64_t>(bench.cells[1]) +
         sizeof(std::int32_t) * static_cast<std::uint64_t>(bench.cells[2]);
}

class List {
 public:
  explicit List(const BenchLimits& limits) : limits_(limits), sizes_(sizes_of(limits)) {}

  void add_in_core() {
    using enum StorageType;
    for (const StorageType storage : {fp32, fp16, fp64}) {
      for (const auto& cells : sizes_.in_core) {
        for (const BenchBox box : {BenchBox::cavity, BenchBox::periodic}) {
          const bool plain = storage == fp32 && box == BenchBox::cavity;
          if (limits_.quick && !plain && cells != sizes_.in_core.back()) continue;
          add(BenchGroup::in_core, cells, storage, box, fixed(Scheme::in_core));
        }
      }
      if (storage == fp64) continue;
      add(BenchGroup::in_core, sizes_.sphere, storage, BenchBox::sphere, fixed(Scheme::in_core));
    }
  }

  void add_steps() {
    for (const StorageType storage : {StorageType::fp16, StorageType::fp32}) {
      add_reference(BenchGroup::steps, storage);
      for (const int k : steps_within(sizes_.steps)) {
        add(BenchGroup::steps, tall(sizes_.planes), storage, BenchBox::cavity,
            fixed(Scheme::wavefront, k));
      }
    }
  }

  void add_sizes() {
    const std::uint64_t limit = bench_size_limit(limits_);
    const std::uint64_t plane = plane_bytes(sizes_.edge, StorageType::fp32);
    const std::uint64_t host = std::min(host_for_lattice(limit), sizes_.size_host);
    const auto in_core = static_cast<double>(limit / plane);
    const auto most = static_cast<double>(host / plane);
    std::set<int> all;  // both branches need the order and no doubles
    for (const double part : {0.25, 0.5, 0.75, 0.95, 1.05, 1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0}) {
      if (part * in_core > most) break;
      if (limits_.quick && (part == 0.25 || part == 0.75 || part == 1.05)) continue;
      all.insert(whole(part * in_core));
    }
    if (most > in_core) all.insert(whole(most));
    for (const int nz : all) {
      add(BenchGroup::size, tall(nz), StorageType::fp32, BenchBox::cavity, {}, limit);
    }
  }

  void add_schemes() {
    add_reference(BenchGroup::schemes, StorageType::fp32);
    for (const int k : steps_within(sizes_.schemes)) {
      add(BenchGroup::schemes, tall(sizes_.planes), StorageType::fp32, BenchBox::cavity,
          fixed(Scheme::wavefront, k));
      add_halo(k);
    }
  }

  std::vector<BenchCase> finish() {
    share_stores();
    return std::move(cases_);
  }

 private:
  static tiling::PlanRequest fixed(Scheme scheme, std::optional<int> k = {}) {
    tiling::PlanRequest request;
    request.scheme = scheme;
    request.steps_per_visit = k;
    return request;
  }

  std::array<int, 3> tall(int nz) const { return {sizes_.edge, sizes_.edge, nz}; }

  static int whole(double planes) { return std::max(8, static_cast<int>(planes) / 8 * 8); }

  // Sweeps of more steps than the measurement has would all be the same one.
  std::vector<int> steps_within(const std::vector<int>& wanted) const {
    std::set<int> all;
    for (const int k : wanted) {
      all.insert(static_cast<int>(std::min<std::int64_t>(k, limits_.steps.value_or(k))));
    }
    return {all.begin(), all.end()};
  }

  std::uint64_t host_for_lattice(std::uint64_t device) const {
    if (limits_.backend == BackendKind::cuda) return limits_.host_bytes;
    return limits_.host_bytes - std::min(device, limits_.host_bytes);
  }

  // What "share of in core" of the group means: the same grid, or as many of its planes as fit.
  void add_reference(BenchGroup group, StorageType storage) {
    const std::uint64_t fit = limits_.device_bytes / plane_bytes(sizes_.edge, storage);
    int nz = sizes_.planes;
    if (static_cast<std::uint64_t>(nz) + 8 > fit) nz = whole(static_cast<double>(fit) - 8);
    add(group, tall(nz), storage, BenchBox::cavity, fixed(Scheme::in_core));
  }

  // The largest tiles that fit: they have the smallest share of halo.
  void add_halo(int k) {
    for (int planes = tiling::max_planes_per_visit; planes >= 8; planes /= 2) {
      tiling::PlanRequest request = fixed(Scheme::halo, k);
      request.planes_per_visit = std::min(planes, sizes_.planes);
      add(BenchGroup::schemes, tall(sizes_.planes), StorageType::fp32, BenchBox::cavity, request);
      if (cases_.back().skipped.empty() || planes == 8) return;
      cases_.pop_back();
    }
  }

  void add(BenchGroup group, const std::array<int, 3>& cells, StorageType storage, BenchBox box,
           tiling::PlanRequest request, std::optional<std::uint64_t> device_limit = {}) {
    BenchCase& bench = cases_.emplace_back();
    bench.group = group;
    bench.cells = cells;
    bench.storage = storage;
    bench.box = box;
    bench.name = fmt::format("{} {} {} x {} x {}", to_string(storage), to_string(box), cells[0],
                             cells[1], cells[2]);
    bench.least_seconds = sizes_.seconds;
    bench.steps = limits_.steps;
    request.steps = limits_.steps.value_or(1 << 20);
    request.emits = false;
    request.threads = limits_.threads;
    plan(bench, request, device_limit.value_or(limits_.device_bytes));
    check_host(bench);
  }

  void plan(BenchCase& bench, const tiling::PlanRequest& request, std::uint64_t limit) {
    const std::uint64_t flags = flag_bytes(bench);
    const Lattice lattice = bench_lattice(bench);
    bench.host_bytes = staging_planes * lattice.layout.bytes;
    if (request.scheme) bench.options.scheme = *request.scheme;
    try {
      const auto choice =
          tiling::choose_plan(lattice, {}, request, limit - std::min(flags, limit));
      bench.options = choice.options;
      bench.device_bytes = choice.device_bytes + flags;
    } catch (const ResourceError& error) {
      bench.skipped =
          fmt::format("does not fit {} of device memory", human_bytes(limit));
      return;
    }
    if (bench.options.scheme == Scheme::in_core) return;
    bench.least_sweeps = sizes_.sweeps;
    bench.store_planes = bench.cells[2];
    bench.host_bytes = static_cast<std::uint64_t>(bench.cells[2]) * lattice.layout.bytes;
  }

  std::uint64_t taken_on_host(const BenchCase& bench, std::uint64_t host_bytes) const {
    return host_bytes + (limits_.backend == BackendKind::cpu ? bench.device_bytes : 0);
  }

  void check_host(BenchCase& bench) const {
    const std::uint64_t needed = taken_on_host(bench, bench.host_bytes);
    if (!bench.skipped.empty() || needed <= limits_.host_bytes) return;
    bench.skipped = fmt::format("needs {} of host memory, {} allowed", human_bytes(needed),
                                human_bytes(limits_.host_bytes));
  }

  void share_stores() {
    for (BenchCase& bench : cases_) {
      if (bench.store_planes == 0 || !bench.skipped.empty()) continue;
      for (const BenchCase& other : cases_) {
        const bool alike = other.storage == bench.storage && other.cells[0] == bench.cells[0] &&
                           other.cells[1] == bench.cells[1] && other.skipped.empty() &&
                           other.options.scheme != Scheme::in_core;
        if (!alike || other.cells[2] <= bench.store_planes) continue;
        const auto bytes = static_cast<std::uint64_t>(other.cells[2]) *
                           plane_bytes(other.cells[0], other.storage);
        if (taken_on_host(bench, bytes) > limits_.host_bytes) continue;
        bench.store_planes = other.cells[2];
        bench.host_bytes = bytes;
      }
    }
  }

  const BenchLimits& limits_;
  Sizes sizes_;
  std::vector<BenchCase> cases_;
};

}  // namespace

const char* to_string(BenchGroup group) {
  constexpr const char* names[] = {"copy", "link", "in_core", "steps", "size", "schemes"};
  return names[static_cast<int>(group)];
}

const char* to_string(BenchBox box) {
  constexpr const char* names[] = {"periodic", "cavity", "sphere"};
  return names[static_cast<int>(box)];
}

bool BenchLimits::wants(BenchGroup group) const {
  return std::find(groups.begin(), groups.end(), group) != groups.end();
}

std::uint64_t bench_size_limit(const BenchLimits& limits) {
  return std::min(limits.device_bytes, sizes_of(limits).size_device);
}

std::vector<BenchCase> bench_cases(const BenchLimits& limits) {
  List list(limits);
  if (limits.wants(BenchGroup::in_core)) list.add_in_core();
  if (limits.wants(BenchGroup::steps)) list.add_steps();
  if (limits.wants(BenchGroup::size)) list.add_sizes();
  if (limits.wants(BenchGroup::schemes)) list.add_schemes();
  return list.finish();
}

Lattice bench_lattice(const BenchCase& bench) {
  std::array<WallFace, 6> faces;
  for (WallFace& face : faces) face.wall = bench.box == BenchBox::cavity;
  if (bench.box == BenchBox::cavity) faces[5].velocity = {0.05, 0, 0};
  const auto& [nx, ny, nz] = bench.cells;
  return make_lattice(nx, ny, nz, bench.storage, 0.6, faces);
}

Flags bench_flags(const BenchCase& bench) {
  if (bench.box != BenchBox::sphere) return {};
  const auto& [nx, ny, nz] = bench.cells;
  const double radius = sphere_radius(bench);
  return {nx, ny, nz, {true, true, true}, [&](int z, std::span<std::uint8_t> solid) {
            const double dz = z + 0.5 - nz / 2.0;
            if (dz * dz > radius * radius) return;
            for (int y = 0; y < ny; ++y) {
              for (int x = 0; x < nx; ++x) {
                const double dx = x + 0.5 - nx / 2.0, dy = y + 0.5 - ny / 2.0;
                const bool inside = dx * dx + dy * dy + dz * dz < radius * radius;
                solid[static_cast<std::size_t>(y) * nx + x] = inside ? 1 : 0;
              }
            }
          }};
}

}  // namespace lbm::app
