#include <fmt/format.h>

#include <algorithm>

#include "cases/app/derived.hpp"
#include "cases/app/validate.hpp"

namespace lbm::app {
namespace {

// Below, BGK at the grid scale is barely damped; above, errors of the wall position grow.
constexpr double low_tau = 0.505;
constexpr double high_tau = 2;
constexpr double high_mach = 0.2;

class Warnings {
 public:
  explicit Warnings(const Case& lbm_case) : case_(lbm_case), derived_(derive(lbm_case)) {}

  std::vector<std::string> all() {
    fluid();
    grid();
    flow();
    output();
    return std::move(lines_);
  }

 private:
  void add(const std::string& key, const std::string& what) {
    lines_.push_back(where(case_, key) + ": " + what);
  }

  void fluid() {
    const std::string key = case_.fluid.tau ? "fluid.tau" : "fluid.reynolds";
    if (derived_.tau < low_tau) {
      add(key, fmt::format("tau = {:.6g} is below {}, the run may become unstable: lower the "
                           "Reynolds number or refine the grid",
                           derived_.tau, low_tau));
    }
    if (derived_.tau > high_tau) {
      add(key, fmt::format("tau = {:.6g} is above {}, walls lose accuracy: lower "
                           "fluid.lattice_velocity",
                           derived_.tau, high_tau));
    }
    if (derived_.mach > high_mach) {
      add("fluid.lattice_velocity",
          fmt::format("Mach {:.3g} is above {}, compressibility errors are visible", derived_.mach,
                      high_mach));
    }
  }

  void grid() {
    const auto& cells = case_.grid.cells;
    const int longest = *std::max_element(cells.begin(), cells.end());
    if (cells[2] < longest) {
      add("grid.cells", fmt::format("z is streamed through the device, but has {} cells and the "
                                    "longest axis {}: put the longest axis there",
                                    cells[2], longest));
    }
    if (derived_.length > longest) {
      add("fluid.length",
          fmt::format("the reference length of {} cells is larger than the grid", derived_.length));
    }
  }

  void flow() {
    const bool walls = std::any_of(case_.faces.begin(), case_.faces.begin() + 4,
                                   [](const Face& f) { return f.type == FaceType::wall; });
    if (case_.initial.flow == InitialFlow::taylor_green && walls) {
      add("initial.flow", "the Taylor-Green vortex does not meet walls: make the faces periodic");
    }
  }

  void output() {
    const auto& every = case_.output.every_steps;
    if (every && *every > derived_.steps) {
      add("output.every_steps",
          fmt::format("{} is more than the {} steps of the run, it writes nothing", *every,
                      derived_.steps));
    }
  }

  const Case& case_;
  Derived derived_;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> warnings(const Case& lbm_case) { return Warnings(lbm_case).all(); }

}  // namespace lbm::app
