// SPDX-License-Identifier: Apache-2.0

// The ways of copies between host and device, measured: the second part of the group `link`.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cases/cli/bench/bench_case.hpp"
#include "io/text/json.hpp"
#include "solver/backend/link_speed.hpp"

namespace lbm::cases {

struct BenchLink {
  LinkPath path;
  LinkSpeed speed;  // zeros where memory was short
};

// All ways (link_paths()) within the limits; with --quick only copies of the largest size. Calls
// told(link) after each, and ends early once stop() is true.
std::vector<BenchLink> measure_links(Backend& backend, const BenchLimits& limits,
                                     const std::function<void(const BenchLink&)>& told,
                                     const std::function<bool()>& stop);

// A line of the table.
std::string bench_link_text(const BenchLink& link);

io::Json bench_links_json(const std::vector<BenchLink>& links);

}  // namespace lbm::cases
