// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/init/numerics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/case/read/read_case.hpp"
#include "cases/case/validate/stability.hpp"
#include "cases/case/validate/validate.hpp"
#include "cases/cli/init/case_text.hpp"

namespace lbm::cases::init {
namespace {

constexpr double smagorinsky = 0.1;  // the constant that docs/stability.md measured
constexpr double most_factor = 1e12;

class Choice {
 public:
  Choice(const NumericsRequest& request, const TextOf& text) : request_(request), text_(text) {
    n_.lattice_velocity = request.lattice_velocity;
  }

  Numerics choose() {
    slow_down();
    if (stable(1)) {
      n_.why_collision =
          "two relaxation times: walls stay in their places at any viscosity" + room();
      return n_;
    }
    const std::string trt = limit();
    n_.collision = CollisionKind::regularised_filtered;
    slow_down();
    if (stable(1)) {
      n_.why_collision =
          "the flow is too fast for trt on this grid (" + trt + "): this model is stable" + room();
      return n_;
    }
    n_.why_collision = "bears the fastest flow for its grid of all models" + room();
    if (request_.keep_viscosity) {
      n_.smagorinsky = smagorinsky;
      stable(1);
      n_.why_viscosity = "beyond what is known to be stable (" + limit() + "): lbm check warns";
      return n_;
    }
    raise_viscosity();
    return n_;
  }

 private:
  // True if no instability is expected at this viscosity factor. Keeps the resolved case in n_.
  bool stable(double factor) {
    n_.viscosity_factor = factor;
    resolve(n_, text_(n_), request_.file);
    return expected_instabilities(n_.lbm_case, n_.derived).empty();
  }

  // tau is 1/2 + a constant x the lattice velocity.
  void slow_down() {
    n_.lattice_velocity = request_.lattice_velocity;
    stable(1);
    n_.why_velocity = fmt::format("errors of compression are of the order of Mach^2, {:.1g} %",
                                  100 * n_.derived.mach * n_.derived.mach);
    if (n_.derived.tau <= request_.most_tau) return;
    n_.lattice_velocity =
        rounded_down(n_.lattice_velocity * (request_.most_tau - 0.5) / (n_.derived.tau - 0.5), 3);
    n_.why_velocity =
        fmt::format("so slow that tau is {:.3g}, as larger ones lose accuracy", request_.most_tau);
  }

  // ", cell Reynolds number 5 of 9", or of the relaxation time.
  std::string limit() const {
    const auto numbers = cell_reynolds_numbers(n_.lbm_case, n_.derived);
    if (numbers.empty()) return fmt::format("tau {:.6g}", n_.derived.tau);
    const auto& worst = *std::max_element(
        numbers.begin(), numbers.end(),
        [](const auto& a, const auto& b) { return a.number / a.stable < b.number / b.stable; });
    return fmt::format("cell Reynolds number {:.3g}, stable up to {:.3g}", worst.number,
                       worst.stable);
  }

  std::string room() const { return "; " + limit(); }

  void raise_viscosity() {
    double low = 1;
    double high = 2;
    while (!stable(high) && high < most_factor) low = high, high *= 4;
    while (high / low > 1.001) {
      const double middle = std::sqrt(low * high);
      (stable(middle) ? high : low) = middle;
    }
    const double factor = rounded_up(high, 3);
    stable(factor);
    n_.why_viscosity = fmt::format(
        "a grid {:.6g} times finer in each direction would bear the viscosity that was asked for; "
        "this one bears {:.6g} times as much",
        factor, factor);
    n_.why_collision = "bears the fastest flow for its grid of all models" + room();
  }

  const NumericsRequest& request_;
  const TextOf& text_;
  Numerics n_;
};

}  // namespace

void resolve(Numerics& numerics, const std::string& text, const std::string& file) {
  numerics.lbm_case = parse_case(text, file);
  validate_structure(numerics.lbm_case);
  numerics.derived = derive(numerics.lbm_case);
  numerics.units = make_units(numerics.lbm_case, numerics.derived);
}

Numerics choose_numerics(const NumericsRequest& request, const TextOf& text) {
  return Choice(request, text).choose();
}

}  // namespace lbm::cases::init
