// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/bench/bench_cases.hpp"

#include <algorithm>
#include <set>

#include "cases/cli/bench/bench_sizes.hpp"

namespace lbm::cases {
namespace {

using tiling::Scheme;
using enum StorageType;

double cells_of(const std::array<int, 3>& n) { return static_cast<double>(n[0]) * n[1] * n[2]; }

class List {
 public:
  List(const BenchLimits& limits, const DeviceSpeeds& speeds)
      : limits_(limits), speeds_(speeds), sizes_(bench_sizes(limits)) {}

  void add_in_core() {
    for (const StorageType storage : {fp32, fp16, fp64}) {
      for (const auto& cells : sizes_.in_core) {
        const bool first = cells == sizes_.in_core.front();
        if (!first && storage == fp64) continue;
        // Small grids measure the size only, not the boxes.
        const bool small = cells_of(cells) < cells_of(sizes_.in_core.front());
        for (const BenchBox box :
             {BenchBox::cavity, BenchBox::periodic, BenchBox::sphere, BenchBox::tunnel}) {
          const bool bodies = box == BenchBox::sphere || box == BenchBox::tunnel;
          if (bodies && (!first || storage == fp64)) continue;
          if (box != BenchBox::cavity && (small || (limits_.quick && storage != fp32))) continue;
          add_in_core(cells, storage, box);
          // A few rows of moments suffice: all storage types, and the large grid in fp32.
          const bool large = !small && (first || storage == fp32);
          const bool moments = !bodies && large && (!limits_.quick || box == BenchBox::cavity);
          if (moments) add_in_core(cells, storage, box, Representation::moments);
        }
      }
    }
  }

  void add_threads() {
    if (limits_.backend != BackendKind::cpu) return;
    std::set<int> counts = {1, limits_.threads};
    for (int n = 2; n < limits_.threads && !limits_.quick; n *= 2) counts.insert(n);
    for (const int threads : counts) {
      add({.group = BenchGroup::threads,
           .cells = sizes_.in_core.front(),
           .scheme = Scheme::in_core,
           .seconds = sizes_.reference_seconds,
           .least_steps = sizes_.least_chosen_steps,
           .threads = threads});
    }
  }

  void add_out_of_core() {
    const auto group = BenchGroup::out_of_core;
    for (const StorageType storage : {fp16, fp32}) {
      for (const int k : steps_within(sizes_.steps))
        add_fixed(group, storage, Scheme::wavefront, k);
      add_chosen(group, storage, Scheme::wavefront);
      add_chosen(group, storage, Scheme::wavefront, bench_small_device(limits_, sizes_));
    }
    add_chosen(group, fp32, Scheme::wavefront, ~std::uint64_t{0}, Representation::moments);
  }

  void add_halo() {
    const auto group = BenchGroup::halo;
    // The group out_of_core already has wavefronts of the same steps.
    const bool both = !limits_.wants(BenchGroup::out_of_core);
    for (const int k : steps_within(sizes_.halo_steps)) {
      if (both) add_fixed(group, fp32, Scheme::wavefront, k);
      add_fixed(group, fp32, Scheme::halo, k);
    }
    if (both) add_chosen(group, fp32, Scheme::wavefront);
    add_chosen(group, fp32, Scheme::halo);
  }

  // In core up to the device memory, out of core up to the host memory: for the whole device and
  // for a small one.
  void add_sizes() {
    const std::uint64_t small = bench_small_device(limits_, sizes_);
    const auto plane = static_cast<double>(make_plane_layout(sizes_.edge, sizes_.edge, fp32).bytes);
    const double most = static_cast<double>(limits_.host_bytes) / plane - bench_pattern_planes - 1;
    std::vector<double> parts = {0.5, 0.9, 1.25, 2, 4};
    if (limits_.quick) parts = {0.9, 1.25};
    add_series(small, static_cast<double>(small) / plane, most, parts, false);
    if (limits_.quick || small >= limits_.device_bytes) return;
    const double fit = static_cast<double>(limits_.device_bytes) / plane;
    add_series(limits_.device_bytes, fit, most, {0.9, 1.1}, true);
  }

  std::vector<BenchCase> finish() { return std::move(cases_); }

 private:
  std::array<int, 3> tall(int nz) const { return {sizes_.edge, sizes_.edge, nz}; }

  static int whole(double planes) { return std::max(8, static_cast<int>(planes) / 8 * 8); }

  // Leaves out sweeps of more steps than the measurement or more planes than the lattice.
  std::vector<int> steps_within(const std::vector<int>& wanted) const {
    std::set<int> all;
    for (const int k : wanted) {
      const std::int64_t steps = limits_.steps.value_or(k);
      all.insert(static_cast<int>(std::min<std::int64_t>({k, steps, sizes_.planes})));
    }
    return {all.begin(), all.end()};
  }

  void add_in_core(const std::array<int, 3>& cells, StorageType storage, BenchBox box,
                   Representation representation = Representation::populations) {
    BenchWanted wanted{.group = BenchGroup::in_core,
                       .cells = cells,
                       .storage = storage,
                       .representation = representation,
                       .box = box,
                       .scheme = Scheme::in_core,
                       .seconds = sizes_.reference_seconds,
                       .least_steps = sizes_.least_chosen_steps};
    add(wanted);
    // One step per visit before the program's choice shows the effect of blocking in the CPU's
    // cache.
    if (cases_.back().options.steps_per_visit == 1) return;
    BenchCase chosen = std::move(cases_.back());
    cases_.pop_back();
    wanted.k = 1;
    add(wanted);
    cases_.push_back(std::move(chosen));
  }

  // The in-core measurement for "share of in core" of the next one: the same grid, or as much of it
  // as fits.
  void add_reference(BenchGroup group, StorageType storage,
                     Representation representation = Representation::populations) {
    const std::uint64_t plane =
        make_plane_layout(sizes_.edge, sizes_.edge, storage, representation).bytes;
    const double fit = static_cast<double>(limits_.device_bytes) / static_cast<double>(plane) - 20;
    const int nz = std::min(sizes_.planes, whole(fit));
    const bool there = !cases_.empty() && cases_.back().group == group &&
                       cases_.back().storage == storage &&
                       cases_.back().representation == representation && !sizes_.reference_each;
    if (there) return;
    add({.group = group,
         .cells = tall(nz),
         .storage = storage,
         .representation = representation,
         .scheme = Scheme::in_core,
         .seconds = sizes_.reference_seconds});
  }

  // A common number of planes per visit; haloed tiles are the better the larger.
  void add_fixed(BenchGroup group, StorageType storage, Scheme scheme, int k) {
    add_reference(group, storage);
    const int most = scheme == Scheme::halo ? tiling::max_planes_per_visit : 8;
    for (int planes = most; planes >= 1; planes /= 2) {
      add({.group = group,
           .cells = tall(sizes_.planes),
           .storage = storage,
           .scheme = scheme,
           .k = k,
           .planes = std::min(planes, sizes_.planes),
           .seconds = sizes_.seconds});
      if (cases_.back().skipped.empty() || planes == 1) return;
      cases_.pop_back();
    }
  }

  void add_chosen(BenchGroup group, StorageType storage, Scheme scheme,
                  std::uint64_t limit = ~std::uint64_t{0},
                  Representation representation = Representation::populations) {
    add_reference(group, storage, representation);
    add({.group = group,
         .cells = tall(sizes_.planes),
         .storage = storage,
         .representation = representation,
         .scheme = scheme,
         .device_limit = limit,
         .seconds = sizes_.chosen_seconds,
         .run_steps = 1000,
         // Filling and draining happen once per run. --quick runs to the end for the last line of
         // the table alone.
         .whole_run = scheme == Scheme::wavefront && limits_.backend == BackendKind::cuda &&
                      (!limits_.quick || (storage == StorageType::fp32 &&
                                          representation == Representation::populations &&
                                          limit >= limits_.device_bytes))});
  }

  void add_series(std::uint64_t limit, double fit, double most, const std::vector<double>& parts,
                  bool to_the_end) {
    std::set<int> planes;
    for (const double part : parts) {
      if (part * fit <= most || part < 1) planes.insert(whole(part * fit));
    }
    // A host hardly larger than the device limits the series; the small device continues it.
    if (to_the_end ||
        most <= static_cast<double>(limits_.device_bytes) * fit / static_cast<double>(limit)) {
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

  void add(const BenchWanted& wanted) {
    cases_.push_back(make_bench_case(limits_, speeds_, wanted));
  }

  const BenchLimits& limits_;
  const DeviceSpeeds& speeds_;
  BenchSizes sizes_;
  std::vector<BenchCase> cases_;
};

}  // namespace

std::vector<BenchCase> bench_cases(const BenchLimits& limits, const DeviceSpeeds& speeds) {
  List list(limits, speeds);
  if (limits.wants(BenchGroup::in_core)) list.add_in_core();
  if (limits.wants(BenchGroup::threads)) list.add_threads();
  if (limits.wants(BenchGroup::out_of_core)) list.add_out_of_core();
  if (limits.wants(BenchGroup::halo)) list.add_halo();
  if (limits.wants(BenchGroup::size)) list.add_sizes();
  return list.finish();
}

}  // namespace lbm::cases
