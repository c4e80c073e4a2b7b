#include <cmath>

#include "cases/geometry/mesh_file.hpp"
#include "io/stl/stl_reader.hpp"
#include "tests/fuzz/fuzzed_file.hpp"
#include "tests/fuzz/refusal.hpp"
#include "tests/fuzz/targets.hpp"

namespace lbm::fuzz {

void read_mesh(std::string_view bytes) {
  const auto path = file_of("mesh.stl", bytes);
  std::vector<io::StlFacet> facets;
  if (!accepts([&] { facets = io::read_stl(path); })) return;
  require(!facets.empty(), "a surface without triangles is accepted");
  for (const auto& facet : facets) {
    for (const auto& corner : facet) {
      for (const float x : corner) require(std::isfinite(x), "a corner is not finite");
    }
  }
  (void)accepts([&] { (void)geometry::load_mesh(path); });
}

}  // namespace lbm::fuzz
