// SPDX-License-Identifier: Apache-2.0

// Runs a lattice in slabs, each with a pipeline and a thread of its own that exchange planes.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <thread>

#include "tests/tiling/exchange/local_exchange.hpp"
#include "tests/tiling/pipeline/domains.hpp"
#include "tests/tiling/pipeline/run_lattice.hpp"
#include "tiling/pipeline/field_ring.hpp"

namespace lbm::tiling::test {

// Merges the records of all slabs, step by step.
inline Records merged(const std::vector<Records>& parts, const RecordShape& shape) {
  Records sum = parts[0];
  const auto values = static_cast<std::size_t>(shape.values() - flow_values);
  for (std::size_t r = 1; r < parts.size(); ++r) {
    EXPECT_EQ(parts[r].steps, sum.steps);
    for (std::size_t i = 0; i < sum.all.size(); ++i) sum.all[i] += parts[r].all[i];
    merge_record(sum.last_sample, parts[r].last_sample);
  }
  EXPECT_EQ(sum.all.size(), sum.steps.size() * values);
  return sum;
}

// make_backend: called by the thread of each slab. slabs: their planes.
inline State run_slabs(const std::function<std::unique_ptr<Backend>()>& make_backend,
                       const Domain& domain, const InitialState& initial,
                       const ScheduleOptions& options, int steps, const std::vector<int>& slabs,
                       Records& records) {
  const Lattice& lattice = domain.lattice;
  const std::size_t ranks = slabs.size(), bytes = lattice.layout.bytes;
  State state{lattice, std::vector<std::byte>(bytes * static_cast<std::size_t>(lattice.nz))};
  std::vector<std::unique_ptr<PlaneQueue>> queues;  // into each slab from above
  for (std::size_t r = 0; r < ranks; ++r) {
    queues.push_back(std::make_unique<PlaneQueue>(
        planes_in_ring(options, *std::ranges::max_element(slabs)), bytes));
  }
  std::vector<Records> parts(ranks);
  std::vector<std::string> errors(ranks);
  const auto run = [&](std::size_t r, int first) {
    PlaneExchange exchange = local_exchange(*queues[r], *queues[(r + ranks - 1) % ranks]);
    const SlabShare share{first, slabs[r]};
    const Boundaries boundaries = domain.boundaries;  // a pipeline may pin their memory
    const auto backend = make_backend();
    ScheduleOptions own = options;
    own.planes_per_visit = std::min(own.planes_per_visit, slabs[r]);
    auto store =
        make_store(*backend, lattice, options.scheme,
                   initial_planes(lattice, initial, &domain.boundaries), HostMemory::pinned, share);
    Pipeline pipeline({.backend = *backend,
                       .lattice = lattice,
                       .boundaries = boundaries,
                       .store = std::move(store),
                       .options = own,
                       .records = &parts[r],
                       .share = share,
                       .exchange = &exchange});
    // With a pause in the middle.
    for (const int stop : {steps / 3, steps}) {
      std::int64_t left = stop - (stop == steps ? steps / 3 : 0);
      pipeline.run(
          [&]() -> std::optional<Sweep> {
            const int next = next_sweep_steps(left, options.steps_per_visit);
            left -= next;
            if (next == 0) return std::nullopt;
            const bool last = left == 0 && stop == steps;
            return Sweep{next, false, last, {}, last};
          },
          {});
    }
    pipeline.read_planes([&](int z, std::span<const std::byte> planes) {
      std::copy(planes.begin(), planes.end(),
                state.planes.begin() + static_cast<std::ptrdiff_t>(bytes) * z);
    });
  };
  {
    std::vector<std::jthread> threads;
    int first = 0;
    for (std::size_t r = 0; r < ranks; first += slabs[r], ++r) {
      threads.emplace_back([&, r, first] {
        try {
          run(r, first);
        } catch (const std::exception& error) {
          errors[r] = error.what();
        }
      });
    }
  }
  for (const std::string& error : errors) EXPECT_EQ(error, "");
  const auto boxes = static_cast<int>(parts[0].boxes().size());
  records = merged(parts, {domain.boundaries.bodies(), 0, boxes, domain.lattice.scalar_count()});
  return state;
}

}  // namespace lbm::tiling::test
