// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/bench/bench_links.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace lbm::cases {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;
// Planes of 166 x 166, 525 x 525 and 1050 x 1050 cells with populations in fp32.
constexpr std::array sizes{2 * mebibyte, 20 * mebibyte, 80 * mebibyte};
constexpr std::size_t bytes_each_way = 4 * sizes.back();

}  // namespace

std::vector<BenchLink> measure_links(Backend& backend, const BenchLimits& limits,
                                     const std::function<void(const BenchLink&)>& told,
                                     const std::function<bool()>& stop) {
  std::vector<BenchLink> links;
  if (!limits.wants(BenchGroup::link)) return links;
  const auto measured = limits.quick ? std::span(sizes).last(1) : std::span(sizes);
  const bool enough =
      limits.host_bytes >= 2 * bytes_each_way && limits.device_bytes >= 4 * bytes_each_way;
  for (const LinkPath& path :
       link_paths(backend.facts(), numa_nodes(SystemFiles::here()), measured)) {
    if (stop()) break;
    links.push_back({path, enough ? measure_link(backend, path, bytes_each_way) : LinkSpeed{}});
    told(links.back());
  }
  return links;
}

std::string bench_link_text(const BenchLink& link) {
  const LinkSpeed& s = link.speed;
  if (!s.measured()) return fmt::format("link     {}: too little memory\n", link.path.name());
  return fmt::format("link     {:<62} in {:5.1f}, out {:5.1f}, both {:5.1f} + {:.1f} GB/s\n",
                     link.path.name(), 1e-9 * s.in, 1e-9 * s.out, 1e-9 * s.in_both,
                     1e-9 * s.out_both);
}

io::Json bench_links_json(const std::vector<BenchLink>& links) {
  io::Json json = io::Json::array();
  for (const auto& [path, speed] : links) {
    io::Json item = {{"host_memory", to_string(path.memory)},
                     {"method", to_string(path.method)},
                     {"node", path.node < 0 ? io::Json() : io::Json(path.node)},
                     {"copy_bytes", path.copy_bytes}};
    if (speed.measured()) {
      item["in_gb_per_s"] = 1e-9 * speed.in;
      item["out_gb_per_s"] = 1e-9 * speed.out;
      item["in_both_gb_per_s"] = 1e-9 * speed.in_both;
      item["out_both_gb_per_s"] = 1e-9 * speed.out_both;
    } else {
      item["skipped"] = "too little memory to measure it";
    }
    json.push_back(std::move(item));
  }
  return json;
}

}  // namespace lbm::cases
