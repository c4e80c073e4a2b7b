// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "cases/cli/bench/bench.hpp"

namespace lbm::cases {
namespace {

using Cells = std::array<int, 3>;
using tiling::Scheme;
using enum BenchBox;
using enum StorageType;
using enum Representation;

struct Sizes {
  std::vector<Cells> in_core;    // the first one with every storage type and box
  int edge = 0, planes = 0;      // out of core: edge x edge x planes
  std::vector<int> steps;        // k, out of core
  std::vector<int> halo_steps;   // k of haloed tiles
  double seconds = 1;            // approximate duration of a measurement
  double chosen_seconds = 1;     // ... with k and B chosen by the model
  double reference_seconds = 1;  // ... of their in-core references
  bool reference_each = true;    // one for each; else one for all alike
  std::int64_t least_chosen_steps = 1;
};

Sizes whole_sizes(const BenchLimits& limits) {
  if (limits.backend == BackendKind::cuda) {
    if (limits.quick) return {{{512, 512, 512}}, 1024, 256, {16, 64}, {}, 1, 2, 0.7, false, 64};
    return {{{512, 512, 512}, {1024, 1024, 512}, {128, 128, 128}, {256, 256, 256}},
            1024,
            512,
            {8, 16, 32, 64},
            {8, 16, 32},
            5,
            5,
            1.2,
            true,
            128};
  }
  // Smaller grids: large ones take a small CPU too long.
  const int n = limits.threads >= 32 ? 512 : 256, m = n / 4 * 3;
  if (limits.quick) return {{{m, m, m}}, 128, 128, {8}, {}, 1, 1, 1, false, 8};
  return {{{n, n, n}, {n / 2, n / 2, n / 2}}, 256, 256, {8, 16, 32}, {8}, 2, 2, 1, true, 8};
}

double fp32_bytes(const Cells& cells) {
  return static_cast<double>(make_plane_layout(cells[0], cells[1], fp32).bytes) * cells[2];
}

// Halved until the smallest grids fit the limits: measurements for a GPU of 80 GB do not suit a
// laptop.
Sizes sizes_within(const BenchLimits& limits) {
  constexpr int least = 16;
  Sizes sizes = whole_sizes(limits);
  // Leaves room: a schedule needs some slots more than planes.
  const double device = 0.75 * static_cast<double>(limits.device_bytes);
  while (fp32_bytes(sizes.in_core[0]) > device && sizes.in_core[0][0] > least) {
    for (auto& cells : sizes.in_core) {
      for (int& n : cells) n = std::max(n / 2, least);
    }
  }
  const auto host = [&] {
    return fp32_bytes({sizes.edge, sizes.edge, sizes.planes + 2 * bench_pattern_planes});
  };
  while (host() > static_cast<double>(limits.host_bytes) && sizes.edge > least) {
    sizes.edge /= 2;
    sizes.planes = std::max(sizes.planes / 2, least);
  }
  return sizes;
}

int whole(double planes) { return std::max(8, static_cast<int>(planes) / 8 * 8); }

class List {
 public:
  List(const BenchLimits& limits, const DeviceSpeeds& speeds)
      : limits_(limits), speeds_(speeds), sizes_(sizes_within(limits)) {}

  void add_in_core() {
    for (const StorageType storage : {fp32, fp16, fp64}) {
      for (const auto& cells : sizes_.in_core) {
        const bool first = cells == sizes_.in_core[0];
        if (!first && storage == fp64) continue;
        // Small grids measure the size only, not the boxes.
        const bool small = fp32_bytes(cells) < fp32_bytes(sizes_.in_core[0]);
        for (const BenchBox box : {cavity, periodic, sphere, tunnel}) {
          const bool bodies = box == sphere || box == tunnel;
          if (bodies && (!first || storage == fp64)) continue;
          if (box != cavity && (small || (limits_.quick && storage != fp32))) continue;
          add_in_core(cells, storage, box, populations);
          // A few rows of moments suffice: all storage types, and the large grid in fp32.
          const bool large = !small && (first || storage == fp32);
          if (!bodies && large && (!limits_.quick || box == cavity)) {
            add_in_core(cells, storage, box, moments);
          }
        }
      }
    }
    add_in_core(sizes_.in_core[0], fp32, cumulant, populations);
  }

  void add_threads() {
    if (limits_.backend != BackendKind::cpu) return;
    std::set<int> counts = {1, limits_.threads};
    for (int n = 2; n < limits_.threads && !limits_.quick; n *= 2) counts.insert(n);
    for (const int threads : counts) {
      BenchCase wanted = in_core(BenchGroup::threads, sizes_.in_core[0]);
      wanted.threads = threads;
      add(wanted);
    }
  }

  void add_out_of_core() {
    const auto group = BenchGroup::out_of_core;
    for (const StorageType storage : {fp16, fp32}) {
      const BenchCase wanted = out_of_core(group, storage);
      for (const int k : steps_within(sizes_.steps)) add_fixed(wanted, k);
      add_chosen(wanted);
      add_chosen(wanted, small_device());
    }
    BenchCase wanted = out_of_core(group, fp32);
    wanted.representation = moments;
    add_chosen(wanted);
  }

  void add_halo() {
    const BenchCase halo = out_of_core(BenchGroup::halo, fp32, Scheme::halo);
    const BenchCase wavefront = out_of_core(BenchGroup::halo, fp32);
    // The group out_of_core already has wavefronts of the same steps.
    const bool both = !limits_.wants(BenchGroup::out_of_core);
    for (const int k : steps_within(sizes_.halo_steps)) {
      if (both) add_fixed(wavefront, k);
      add_fixed(halo, k);
    }
    if (both) add_chosen(wavefront);
    add_chosen(halo);
  }

  // In core up to the device memory, out of core up to the host memory: for the whole device and
  // for a small one.
  void add_sizes() {
    const std::uint64_t small = small_device();
    add_series(small, limits_.quick ? std::vector{0.9, 1.25} : std::vector{0.5, 0.9, 1.25, 2., 4.},
               false);
    if (limits_.quick || small >= limits_.device_bytes) return;
    add_series(limits_.device_bytes, {0.9, 1.1}, true);
  }

  std::vector<BenchCase> cases;

 private:
  Cells tall(int nz) const { return {sizes_.edge, sizes_.edge, nz}; }

  // Device memory of a smaller card: 16 GB, or part of a small lattice.
  std::uint64_t small_device() const {
    const double part = 0.4 * fp32_bytes(tall(sizes_.planes));
    return std::min(
        {std::uint64_t{16'000'000'000}, static_cast<std::uint64_t>(part), limits_.device_bytes});
  }

  // Leaves out sweeps of more steps than the measurement or more planes than the lattice.
  std::set<int> steps_within(const std::vector<int>& wanted) const {
    std::set<int> all;
    for (const int k : wanted) {
      const std::int64_t steps = limits_.steps.value_or(k);
      all.insert(static_cast<int>(std::min<std::int64_t>({k, steps, sizes_.planes})));
    }
    return all;
  }

  BenchCase in_core(BenchGroup group, const Cells& cells) const {
    return {.group = group,
            .cells = cells,
            .scheme = Scheme::in_core,
            .seconds = sizes_.reference_seconds,
            .least_steps = sizes_.least_chosen_steps};
  }

  BenchCase out_of_core(BenchGroup group, StorageType storage,
                        Scheme scheme = Scheme::wavefront) const {
    return {.group = group,
            .cells = tall(sizes_.planes),
            .storage = storage,
            .scheme = scheme,
            .seconds = sizes_.seconds};
  }

  // One step per visit before the program's choice shows the effect of blocking in the CPU's cache.
  void add_in_core(const Cells& cells, StorageType storage, BenchBox box,
                   Representation representation) {
    BenchCase wanted = in_core(BenchGroup::in_core, cells);
    wanted.storage = storage;
    wanted.box = box;
    wanted.representation = representation;
    add(wanted);
    if (cases.back().options.steps_per_visit == 1) return;
    wanted.k = 1;
    cases.insert(cases.end() - 1, completed(wanted, limits_, speeds_));
  }

  // The in-core measurement for "share of in core" of the next one: the same grid, or as much of it
  // as fits.
  void add_reference(BenchCase wanted) {
    const auto plane =
        make_plane_layout(sizes_.edge, sizes_.edge, wanted.storage, wanted.representation).bytes;
    const double fit = static_cast<double>(limits_.device_bytes) / static_cast<double>(plane) - 20;
    const bool there = !cases.empty() && cases.back().group == wanted.group &&
                       cases.back().storage == wanted.storage &&
                       cases.back().representation == wanted.representation &&
                       !sizes_.reference_each;
    if (there) return;
    wanted.cells = tall(std::min(sizes_.planes, whole(fit)));
    wanted.scheme = Scheme::in_core;
    wanted.seconds = sizes_.reference_seconds;
    add(wanted);
  }

  // A common number of planes per visit; haloed tiles are the better the larger.
  void add_fixed(BenchCase wanted, int k) {
    add_reference(wanted);
    wanted.k = k;
    for (int planes = wanted.scheme == Scheme::halo ? tiling::max_planes_per_visit : 8;;
         planes /= 2) {
      wanted.planes = std::min(planes, sizes_.planes);
      add(wanted);
      if (cases.back().fits() || planes == 1) return;
      cases.pop_back();
    }
  }

  // Filling and draining happen once per run. --quick runs to the end for the last line of the
  // table alone.
  void add_chosen(BenchCase wanted, std::uint64_t limit = ~std::uint64_t{0}) {
    add_reference(wanted);
    const bool last = wanted.storage == fp32 && wanted.representation == populations &&
                      limit >= limits_.device_bytes;
    wanted.device_limit = limit;
    wanted.seconds = sizes_.chosen_seconds;
    wanted.run_steps = 1000;
    wanted.whole_run = wanted.scheme == Scheme::wavefront && limits_.backend == BackendKind::cuda &&
                       (!limits_.quick || last);
    add(wanted);
  }

  // Grids of so many parts of a device with `limit` bytes. A host hardly larger than the device
  // limits the series; the small device continues it.
  void add_series(std::uint64_t limit, const std::vector<double>& parts, bool to_the_end) {
    const double plane = fp32_bytes(tall(1));
    const double fit = static_cast<double>(limit) / plane;
    const double most = static_cast<double>(limits_.host_bytes) / plane - bench_pattern_planes - 1;
    std::set<int> planes;
    for (const double part : parts) {
      if (part * fit <= most || part < 1) planes.insert(whole(part * fit));
    }
    if (to_the_end || most <= static_cast<double>(limits_.device_bytes) / plane) {
      planes.insert(whole(most));
    }
    for (const int nz : planes) {
      add({.group = BenchGroup::size,
           .cells = tall(nz),
           .device_limit = limit,
           .seconds = sizes_.seconds,
           .least_steps = sizes_.least_chosen_steps});
    }
  }

  void add(const BenchCase& wanted) { cases.push_back(completed(wanted, limits_, speeds_)); }

  const BenchLimits& limits_;
  const DeviceSpeeds& speeds_;
  Sizes sizes_;
};

}  // namespace

std::vector<BenchCase> bench_cases(const BenchLimits& limits, const DeviceSpeeds& speeds) {
  List list(limits, speeds);
  if (limits.wants(BenchGroup::in_core)) list.add_in_core();
  if (limits.wants(BenchGroup::threads)) list.add_threads();
  if (limits.wants(BenchGroup::out_of_core)) list.add_out_of_core();
  if (limits.wants(BenchGroup::halo)) list.add_halo();
  if (limits.wants(BenchGroup::size)) list.add_sizes();
  return list.cases;
}

}  // namespace lbm::cases
