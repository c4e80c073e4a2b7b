// SPDX-License-Identifier: Apache-2.0

// Prints the tables of docs/accuracy.md: errors of every collision model and representation in
// every storage type, on flows with known answers. Not a test: it holds no bounds. Takes some
// minutes.
#include <fmt/core.h>

#include <cmath>
#include <complex>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "solver/core/error.hpp"
#include "tests/verification/support/flow.hpp"
#include "tests/verification/support/profile.hpp"

namespace lbm::verification {
namespace {

constexpr double pi = std::numbers::pi;

// The choices that vary: one storage per table, one collision and representation per column.
struct Model {
  CollisionKind kind = CollisionKind::bgk;
  Representation representation = Representation::populations;
  StorageType storage = StorageType::fp64;
};

Problem problem(const Model& model, std::array<int, 3> cells, double tau) {
  Problem p;
  p.cells = cells;
  p.collision.kind = model.kind;
  p.collision.omega = 1 / tau;
  if (model.kind == CollisionKind::central_moments) p.collision.least_odd_rate = 1;
  p.storage = model.storage;
  p.representation = model.representation;
  return p;
}

// Adds up squares of errors and of exact values.
class L2 {
 public:
  void add(double found, double exact) {
    error_ += (found - exact) * (found - exact);
    exact_ += exact * exact;
    ++count_;
  }
  double relative() const { return std::sqrt(error_ / exact_); }
  double mean() const { return std::sqrt(error_ / count_); }

 private:
  double error_ = 0, exact_ = 0;
  int count_ = 0;
};

// A wave u_z = U sin(k (x + y)) falls as exp(-2 nu k^2 t): error of that rate.
double shear_wave(const Model& model, int n, double tau) {
  const double k = 2 * pi / n, amplitude = 0.01, rate = 2 * viscosity_of(tau) * k * k;
  const auto shape = [=](int x, int y) { return std::sin(k * (x + y + 1)); };
  Problem p = problem(model, {n, n, 2}, tau);
  p.initial = [=](int y, int, const StateRow& row) {
    for (int x = 0; x < n; ++x) row.uz[x] = amplitude * shape(x, y);
  };
  Flow flow(p);
  const auto now = [&] {
    double sum = 0;
    flow.for_each_cell([&](int x, int y, int, const Cell& c) { sum += c.uz * shape(x, y); });
    return sum;
  };
  flow.advance(std::llround(0.5 / rate));
  const double before = now();
  const auto steps = std::llround(1 / rate);
  flow.advance(steps);
  return std::abs(std::log(before / now()) / static_cast<double>(steps) / rate - 1);
}

// u = U sin X cos Y, v = -U cos X sin Y: relative error when velocities have fallen to 1/e.
double taylor_green(const Model& model, int n, double tau, double velocity) {
  const double k = 2 * pi / n, rate = 2 * viscosity_of(tau) * k * k;
  const auto u = [=](int x, int y) { return std::sin(k * (x + 0.5)) * std::cos(k * (y + 0.5)); };
  Problem p = problem(model, {n, n, 2}, tau);
  p.initial = [=](int y, int, const StateRow& row) {
    for (int x = 0; x < n; ++x) {
      row.ux[x] = velocity * u(x, y);
      row.uy[x] = -velocity * u(y, x);
      const double a = 2 * k * (x + 0.5), b = 2 * k * (y + 0.5);
      row.drho[x] = 0.75 * velocity * velocity * (std::cos(a) + std::cos(b));
    }
  };
  Flow flow(p);
  const auto steps = std::llround(1 / rate);
  flow.advance(steps);
  const double share = velocity * std::exp(-rate * static_cast<double>(steps));
  L2 l2;
  flow.for_each_cell([&](int x, int y, int, const Cell& c) {
    l2.add(c.ux, share * u(x, y));
    l2.add(c.uy, -share * u(y, x));
  });
  return l2.relative();
}

Problem channel(const Model& model, int n, double tau) {
  Problem p = problem(model, {4, n, 2}, tau);
  set_faces(p.faces, 1, BoundaryKind::wall);
  return p;
}

// RMS error of the velocity of the steady flow, reached from rest, relative to U (`top`).
double steady_channel(const Problem& p, int n, double top, const std::function<double(double)>& u) {
  Flow flow(p);
  const double viscosity = viscosity_of(1 / p.collision.omega);
  flow.advance(std::llround(3 * n * n / viscosity));  // nothing of the start is left in fp64
  L2 l2;
  flow.for_each_cell([&](int, int y, int, const Cell& c) { l2.add(c.ux / top, u((y + 0.5) / n)); });
  return l2.mean();
}

double poiseuille(const Model& model, int n, double tau, double top) {
  Problem p = channel(model, n, tau);
  p.collision.force.mean[0] = 8 * viscosity_of(tau) * top / (double(n) * n);
  return steady_channel(p, n, top, [](double y) { return 4 * y * (1 - y); });
}

double couette(const Model& model, int n, double tau, double top) {
  Problem p = channel(model, n, tau);
  p.faces[3].condition.velocity[0] = top;
  return steady_channel(p, n, top, [](double y) { return y; });
}

// An oscillating force between two plates: the largest of eight moments of a period.
double womersley(const Model& model, int n, double tau, double top) {
  using Complex = std::complex<double>;
  const double period = 4.0 * n * n, omega = 2 * pi / period, force = top * omega;
  const Complex k = std::sqrt(Complex(0, omega / viscosity_of(tau)));
  const auto exact = [=](int y, double step) {
    const Complex shape = 1.0 - std::cosh(k * (y + 0.5 - n / 2.0)) / std::cosh(k * (n / 2.0));
    return (Complex(0, -top) * shape * std::exp(Complex(0, omega * step))).real();
  };
  Problem p = channel(model, n, tau);
  p.collision.force.amplitude[0] = force;
  p.collision.force.period = period;
  p.initial = [=](int y, int, const StateRow& row) {
    for (double& u : row.ux) u = exact(y, 0);
  };
  Flow flow(p);
  flow.advance(std::llround(5 * period));
  double largest = 0;
  for (int i = 0; i < 8; ++i) {
    flow.advance(std::llround(period / 8));
    L2 l2;
    flow.for_each_cell([&](int, int y, int, const Cell& c) {
      l2.add(c.ux / top, exact(y, static_cast<double>(flow.step())) / top);
    });
    largest = larger(largest, l2.mean());
  }
  return largest;
}

// Largest deviation on the centre lines from the table of Ghia, Ghia & Shin (1982), in lid
// velocities.
double cavity(const Model& model, int n, int reynolds, double times) {
  constexpr double lid = 0.1;
  Problem p = problem(model, {n, 2, n}, tau_of(lid * n / reynolds));
  set_faces(p.faces, 0, BoundaryKind::wall);
  set_faces(p.faces, 2, BoundaryKind::wall);
  p.faces[5].condition.velocity[0] = lid;
  Flow flow(p);
  flow.advance(std::llround(times * n / lid));
  std::vector<double> ux_over_z, uz_over_x;
  for (int i = 0; i < n; ++i) {
    ux_over_z.push_back((flow.cell(n / 2 - 1, 0, i).ux + flow.cell(n / 2, 0, i).ux) / 2 / lid);
    uz_over_x.push_back((flow.cell(i, 0, n / 2 - 1).uz + flow.cell(i, 0, n / 2).uz) / 2 / lid);
  }
  const Profile u{0, ux_over_z, 1}, v{0, uz_over_x, 0};
  double largest = 0;
  const std::string table =
      fmt::format("{}/tests/verification/data/ghia1982_re{}.csv", LBM_SOURCE_DIR, reynolds);
  for (const auto& row : read_table(table)) {
    largest = larger(largest, std::abs(u(row.at(0)) - row.at(1)));
    if (!std::isnan(row.at(3))) largest = larger(largest, std::abs(v(row.at(2)) - row.at(3)));
  }
  return largest;
}

struct Row {
  const char* name;
  std::function<double(const Model&)> error;
};

const std::vector<Row> rows = {
    {"shear wave, 16 cells, tau 0.6", [](const Model& m) { return shear_wave(m, 16, 0.6); }},
    {"shear wave, 16 cells, tau 0.8", [](const Model& m) { return shear_wave(m, 16, 0.8); }},
    {"Taylor-Green vortex, 32 cells, tau 0.52, U 0.02",
     [](const Model& m) { return taylor_green(m, 32, 0.52, 0.02); }},
    {"Taylor-Green vortex, 32 cells, tau 0.8, U 0.02",
     [](const Model& m) { return taylor_green(m, 32, 0.8, 0.02); }},
    {"Poiseuille flow, 16 cells, tau 0.52, U 0.05",
     [](const Model& m) { return poiseuille(m, 16, 0.52, 0.05); }},
    {"Poiseuille flow, 16 cells, tau 0.8, U 0.05",
     [](const Model& m) { return poiseuille(m, 16, 0.8, 0.05); }},
    {"Couette flow, 16 cells, tau 0.6, U 0.05",
     [](const Model& m) { return couette(m, 16, 0.6, 0.05); }},
    {"Womersley flow, 16 cells, tau 0.55, U 0.025",
     [](const Model& m) { return womersley(m, 16, 0.55, 0.025); }},
    {"Womersley flow, 16 cells, tau 0.8, U 0.025",
     [](const Model& m) { return womersley(m, 16, 0.8, 0.025); }},
    {"cavity, Re 100, 32 cells", [](const Model& m) { return cavity(m, 32, 100, 20); }},
    {"cavity, Re 1000, 64 cells", [](const Model& m) { return cavity(m, 64, 1000, 60); }},
};

std::string text_of(const Row& row, const Model& model) {
  try {
    const double error = row.error(model);
    return std::isfinite(error) ? fmt::format("{:.1e}", error) : "diverges";
  } catch (const DivergedError&) {
    return "diverges";
  }
}

void print_table(StorageType storage) {
  using enum CollisionKind;
  fmt::print(
      "\n| {} | bgk | trt | central_moments | cumulant | regularised, populations | regularised, "
      "moments | "
      "regularised_filtered, populations | regularised_filtered, moments |\n"
      "|---|---|---|---|---|---|---|---|---|\n",
      to_string(storage));
  for (const Row& row : rows) {
    fmt::print("| {} |", row.name);
    for (const CollisionKind kind :
         {bgk, trt, central_moments, cumulant, regularised, regularised_filtered}) {
      for (const Representation representation : all_representations) {
        if (representation == Representation::moments && !is_regularised(kind)) continue;
        fmt::print(" {} |", text_of(row, {kind, representation, storage}));
      }
    }
    fmt::print("\n");
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace lbm::verification

int main() {
  for (const auto storage :
       {lbm::StorageType::fp64, lbm::StorageType::fp32, lbm::StorageType::fp16}) {
    lbm::verification::print_table(storage);
  }
}
