// SPDX-License-Identifier: Apache-2.0

// Runs a case inside a program of your own and reads its fields: docs/embedding.md.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <lbm/simulation.hpp>

int main(int argc, char** argv) try {
  const lbm::Case cavity =
      lbm::read_case(argc > 1 ? argv[1] : "lid_driven_cavity.yaml",
                     {"grid.cells=[32, 32, 32]", "run={steps: 200}", "output=null", "expect=null"});
  lbm::Simulation simulation(cavity, {.writes_files = false});
  while (!simulation.is_over()) {
    simulation.advance(std::min<std::int64_t>(100, simulation.end() - simulation.step()));
    const auto [nx, ny, nz] = simulation.lbm_case().grid.cells;
    const std::vector<float> u =  // [z][y][x][3], in units of the lid's velocity
        simulation.read(lbm::Field::velocity, {{0, ny / 2, 0}, {nx, ny / 2 + 1, nz}});
    float fastest = 0;
    for (std::size_t i = 0; i < u.size(); i += 3) {
      fastest = std::max(fastest, std::hypot(u[i], u[i + 1], u[i + 2]));
    }
    std::printf("step %d: %.3f\n", static_cast<int>(simulation.step()), fastest);
  }
} catch (const lbm::Error& error) {
  std::fprintf(stderr, "embed: %s\n", error.what());
  return error.exit_code();
}
