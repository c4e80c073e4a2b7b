// SPDX-License-Identifier: Apache-2.0

// The cumulant collision against its definition: cumulants are the coefficients of the logarithm of
// the generating function of the populations.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "solver/collision/cumulant.hpp"
#include "solver/collision/general_collision.hpp"

namespace lbm {
namespace {

constexpr int n = 27;

double weight_of(int q) {
  return q == 0 ? 8.0 / 27 : (q <= 6 ? 2.0 / 27 : (q <= 18 ? 1.0 / 54 : 1.0 / 216));
}

// All of a storage policy that a collision reads.
template <class Number, int factor = 1>
struct Arithmetic {
  struct Set {
    static constexpr int directions = n;
  };
  using Real = Number;
  static constexpr Real scale = Real(factor);
};
template <class Storage>
using Collision = GeneralCollision<Storage, Cumulant>;

using Populations = double[n];
using Vector = std::array<double, 3>;

double c(int q, int axis) { return direction(q).c[axis]; }

CollisionSpec spec_of(double omega, const Vector& force = {}, double smagorinsky = 0) {
  CollisionSpec spec;
  spec.omega = omega;
  spec.force.mean = force;
  spec.smagorinsky = smagorinsky;
  return spec;
}

template <class Storage = Arithmetic<double>, class T>
void collide(const CollisionSpec& spec, T (&g)[n]) {
  Collision<Storage>::of(spec, 0)(g);
}

// Cumulants of second order 1/3, those beyond 0.
void maxwell(double drho, const Vector& u, Populations& g) {
  for (int q = 0; q < n; ++q) {
    g[q] = 1 + drho;
    for (int a = 0; a < 3; ++a) {
      const double square = 1.0 / 3 + u[a] * u[a];
      g[q] *= c(q, a) == 0 ? 1 - square : (square + c(q, a) * u[a]) / 2;
    }
    g[q] -= weight_of(q);
  }
}

// Any cell; amplitude: of its density, its velocity and what is not equilibrium.
struct Cell {
  Cell(unsigned seed, double amplitude) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> noise(-amplitude, amplitude);
    const double drho = noise(random);
    maxwell(drho, {5 * noise(random), 5 * noise(random), 5 * noise(random)}, g);
    for (double& value : g) value += noise(random) / 4;
  }
  Populations g;
};

// Power series in three variables with exponents up to 2: exponents (i, j, k) at i + 3 j + 9 k.
using Series = std::array<double, n>;

Series product(const Series& a, const Series& b) {
  Series result{};
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const bool kept = i % 3 + j % 3 < 3 && i / 3 % 3 + j / 3 % 3 < 3 && i / 9 + j / 9 < 3;
      if (kept) result[i + j] += a[i] * b[j];
    }
  }
  return result;
}

struct Cumulants {
  double rho = 1;
  Vector u{};
  Series values{};  // times rho
  double operator()(int i, int j, int k) const { return values[i + 3 * j + 9 * k]; }
};

Cumulants cumulants_of(const Populations& g) {
  Cumulants result;
  for (const double value : g) result.rho += value;
  for (int a = 0; a < 3; ++a) {
    for (int q = 0; q < n; ++q) result.u[a] += c(q, a) * g[q] / result.rho;
  }
  Series moments{}, factorials{};  // central moments over rho and factorials
  for (int i = 0; i < n; ++i) {
    const std::array<int, 3> powers{i % 3, i / 3 % 3, i / 9};
    factorials[i] = std::pow(2, std::count(powers.begin(), powers.end(), 2));
    for (int q = 0; q < n; ++q) {
      double term = g[q] + weight_of(q);
      for (int a = 0; a < 3; ++a) term *= std::pow(c(q, a) - result.u[a], powers[a]);
      moments[i] += term / (result.rho * factorials[i]);
    }
  }
  moments[0] = 0;
  Series power = moments;
  for (int order = 1; order <= 6; ++order) {
    for (int i = 0; i < n; ++i) result.values[i] += (order % 2 == 1 ? 1 : -1) * power[i] / order;
    power = product(power, moments);
  }
  for (int i = 0; i < n; ++i) result.values[i] *= factorials[i] * result.rho;
  return result;
}

TEST(Cumulant, EquilibriumIsAFixedPoint) {
  for (const double omega : {0.7, 1.5, 1.78, 1.9, 1.999}) {
    Populations before, g;
    maxwell(0.04, {0.1, -0.15, 0.05}, before);
    std::copy(std::begin(before), std::end(before), g);
    collide(spec_of(omega), g);
    for (int q = 0; q < n; ++q) EXPECT_NEAR(g[q], before[q], 3e-16) << q;
  }
}

TEST(Cumulant, ConservesMassAndAddsTheForceToTheMomentum) {
  for (const Vector& force : {Vector{}, Vector{3e-4, -2e-4, 5e-4}}) {
    for (const double smagorinsky : {0.0, 0.2}) {
      Cell cell(9, 0.01), before(9, 0.01);
      collide(spec_of(1.95, force, smagorinsky), cell.g);
      double mass = 0;
      Vector momentum{};
      for (int q = 0; q < n; ++q) {
        mass += cell.g[q] - before.g[q];
        for (int a = 0; a < 3; ++a) momentum[a] += c(q, a) * (cell.g[q] - before.g[q]);
      }
      EXPECT_NEAR(mass, 0, 1e-15);
      for (int a = 0; a < 3; ++a) EXPECT_NEAR(momentum[a], force[a], 1e-15);
    }
  }
}

// Single precision loses no momentum in the same way in each step.
TEST(Cumulant, ManyStepsChangeNeitherMassNorMomentum) {
  constexpr double force = 1e-5;
  constexpr int steps = 5000;
  Populations start;
  maxwell(0.003, {0.05, -0.03, 0.02}, start);
  float g[n];
  std::copy(std::begin(start), std::end(start), g);
  for (int step = 0; step < steps; ++step) {
    collide<Arithmetic<float>>(spec_of(1.96, {force, 0, 0}), g);
  }
  double drho = 0, jx = 0, jy = 0;
  for (int q = 0; q < n; ++q) {
    drho += double{g[q]};
    jx += cx(q) * double{g[q]};
    jy += cy(q) * double{g[q]};
  }
  EXPECT_NEAR(drho, 0.003, 1e-6);
  EXPECT_NEAR(jx, 1.003 * 0.05 + steps * force, 2e-6);
  EXPECT_NEAR(jy, 1.003 * -0.03, 2e-6);
}

TEST(Cumulant, AForceMovesAMaxwellianAsAWhole) {
  const Vector force{3e-3, -2e-3, 5e-3}, u{0.05, 0.1, -0.02};
  Populations g, expected;
  maxwell(0.02, u, g);
  collide(spec_of(1.9, force), g);
  Vector faster = u;
  for (int a = 0; a < 3; ++a) faster[a] += force[a] / 1.02;
  maxwell(0.02, faster, expected);
  for (int q = 0; q < n; ++q) EXPECT_NEAR(g[q], expected[q], 1e-15) << q;
}

// Turning or reflecting the cell before the collision or after it is the same.
TEST(Cumulant, HasTheSymmetriesOfTheCube) {
  for (unsigned code = 0; code < 48; ++code) {
    std::array<int, 3> axes{0, 1, 2};
    for (unsigned i = 0; i < code / 8; ++i) std::next_permutation(axes.begin(), axes.end());
    const auto moved = [&](int q) {
      for (int p = 0; p < n; ++p) {
        bool same = true;
        for (int a = 0; a < 3; ++a) {
          const double sign = (code >> a & 1U) != 0 ? -1 : 1;
          same = same && c(p, a) == sign * c(q, axes[a]);
        }
        if (same) return p;
      }
      return -1;
    };
    Cell cell(code, 0.01);
    Populations other;
    for (int q = 0; q < n; ++q) other[moved(q)] = cell.g[q];
    collide(spec_of(1.97), cell.g);
    collide(spec_of(1.97), other);
    for (int q = 0; q < n; ++q) EXPECT_NEAR(other[moved(q)], cell.g[q], 1e-15) << code;
  }
}

// The rates of the paper with omega_2 = 1, evaluated as fractions: omega_3 to omega_5, A, B.
TEST(Cumulant, RatesAreThoseOfThePaper) {
  struct Row {
    double omega, omega_3, omega_4, omega_5, a, b;
  };
  for (const Row& row : {Row{1.8, 184.0 / 263, 8.0 / 121, 976.0 / 2897, -53.0 / 140, 113.0 / 210},
                         Row{1.9, 128.0 / 311, 16.0 / 217, 1192.0 / 7379, -101.0 / 225, 74.0 / 225},
                         Row{1.99, 1328.0 / 27131, 256.0 / 26197, 107992.0 / 7133819,
                             -13001.0 / 26235, 4754.0 / 26235}}) {
    const auto r = cumulant_rates<double>(row.omega);
    EXPECT_NEAR(1 - r.kept_sum, row.omega_3, 1e-12);
    EXPECT_NEAR(1 - r.kept_difference, row.omega_4, 1e-12);
    EXPECT_NEAR(1 - r.kept_xyz, row.omega_5, 1e-12);
    EXPECT_NEAR(r.normal, (1 / row.omega - 0.5) * row.a / 3, 1e-12);
    EXPECT_NEAR(r.shear, (1 - row.omega / 2) * row.b, 1e-12);
  }
}

// At 7/4 and below all rates are 1; none jumps on the way there, or leaves [0, 1].
TEST(Cumulant, RatesPassToOneAtHighViscosities) {
  using Rates = CumulantRates<double>;
  Rates last = cumulant_rates<double>(2.0);
  for (double omega = 2; omega > 0.3; omega -= 1e-4) {
    const Rates r = cumulant_rates<double>(omega);
    for (const auto part : {&Rates::kept_sum, &Rates::kept_difference, &Rates::kept_xyz,
                            &Rates::normal, &Rates::shear}) {
      EXPECT_NEAR(r.*part, last.*part, 3e-3) << omega;
      EXPECT_TRUE(omega > 1.75 || r.*part == 0) << omega;
      EXPECT_LE(std::abs(r.*part), 1 + 1e-12) << omega;
    }
    EXPECT_GE(std::min({r.kept_sum, r.kept_difference, r.kept_xyz}), 0) << omega;
    last = r;
  }
}

// Any cell. Second order with the term of u^3, third order with limiter, fourth order to the
// velocity gradients, the rest to 0.
TEST(Cumulant, AllOrdersRelaxAsThePaperSays) {
  for (const double omega : {1.4, 1.78, 1.9, 1.998}) {
    const auto r = cumulant_rates<double>(omega);
    Cell cell(11, 0.01);
    const Cumulants b = cumulants_of(cell.g);
    collide(spec_of(omega), cell.g);
    const Cumulants a = cumulants_of(cell.g);
    const auto kept = [&](double cumulant, double share) {
      const double rate =
          1 - share + share * std::abs(cumulant) / (0.01 * b.rho + std::abs(cumulant));
      return (1 - rate) * cumulant;
    };
    EXPECT_NEAR(a(1, 1, 1), kept(b(1, 1, 1), r.kept_xyz), 1e-15);
    EXPECT_NEAR(a(1, 2, 0) + a(1, 0, 2), kept(b(1, 2, 0) + b(1, 0, 2), r.kept_sum), 1e-15);
    EXPECT_NEAR(a(1, 2, 0) - a(1, 0, 2), kept(b(1, 2, 0) - b(1, 0, 2), r.kept_difference), 1e-15);
    EXPECT_NEAR(a(2, 1, 0) - a(0, 1, 2), kept(b(2, 1, 0) - b(0, 1, 2), r.kept_difference), 1e-15);
    EXPECT_NEAR(a(2, 0, 1) + a(0, 2, 1), kept(b(2, 0, 1) + b(0, 2, 1), r.kept_sum), 1e-15);
    // rho du/dx, with half of the term of u^2 du/dx taken from N.
    Vector normal{b(2, 0, 0) - b.rho / 3, b(0, 2, 0) - b.rho / 3, b(0, 0, 2) - b.rho / 3};
    const auto gradient = [&](const Vector& v, int axis) {
      return -((1 - omega) * (v[0] + v[1] + v[2]) + 3 * omega * v[axis]) / 2;
    };
    Vector less = normal, d{};
    for (int i = 0; i < 3; ++i) less[i] -= 1.5 * b.u[i] * b.u[i] * gradient(normal, i);
    for (int i = 0; i < 3; ++i) d[i] = gradient(less, i);
    Vector lost{};
    for (int i = 0; i < 3; ++i) lost[i] = 3 * b.u[i] * b.u[i] * d[i];
    const double mean = (normal[0] + normal[1] + normal[2]) / 3;
    const double lost_mean = (lost[0] + lost[1] + lost[2]) / 3;
    const auto relaxed = [&](int i) {
      return b.rho / 3 + (1 - omega) * (normal[i] - mean) -
             (1 - omega / 2) * (lost[i] - lost_mean) - lost_mean / 2;
    };
    EXPECT_NEAR(a(1, 1, 0), (1 - omega) * b(1, 1, 0), 1e-15);
    EXPECT_NEAR(a(1, 0, 1), (1 - omega) * b(1, 0, 1), 1e-15);
    EXPECT_NEAR(a(0, 1, 1), (1 - omega) * b(0, 1, 1), 1e-15);
    EXPECT_NEAR(a(2, 0, 0), relaxed(0), 1e-15);
    EXPECT_NEAR(a(0, 2, 0), relaxed(1), 1e-15);
    EXPECT_NEAR(a(0, 0, 2), relaxed(2), 1e-15);
    EXPECT_NEAR(a(2, 2, 0), -2 * r.normal * (d[0] + d[1]), 1e-15);
    EXPECT_NEAR(a(2, 0, 2), -2 * r.normal * (d[0] + d[2]), 1e-15);
    EXPECT_NEAR(a(0, 2, 2), -2 * r.normal * (d[1] + d[2]), 1e-15);
    EXPECT_NEAR(a(2, 1, 1), r.shear * b(0, 1, 1), 1e-15);
    EXPECT_NEAR(a(1, 2, 1), r.shear * b(1, 0, 1), 1e-15);
    EXPECT_NEAR(a(1, 1, 2), r.shear * b(1, 1, 0), 1e-15);
    for (const double high : {a(1, 2, 2), a(2, 1, 2), a(2, 2, 1), a(2, 2, 2)}) {
      EXPECT_NEAR(high, 0, 1e-15);
    }
  }
}

TEST(Cumulant, CumulantsOfThirdOrderVanishWhereTheyAreDamped) {
  for (const double smagorinsky : {0.0, 0.1}) {
    CollisionSpec spec = spec_of(1.95, {}, smagorinsky);
    for (const bool damped : {false, true}) {
      spec.damps_third_order = damped;
      Cell cell(3, 0.02);
      collide(spec, cell.g);
      const Cumulants after = cumulants_of(cell.g);
      const double third[] = {after(1, 2, 0), after(1, 0, 2), after(2, 1, 0), after(0, 1, 2),
                              after(2, 0, 1), after(0, 2, 1), after(1, 1, 1)};
      for (const double value : third) {
        damped ? EXPECT_NEAR(value, 0, 1e-15) : EXPECT_GT(std::abs(value), 1e-7);
      }
    }
  }
}

TEST(Cumulant, VectorsOfCellsGiveTheBitsOfOne) {
  constexpr int cells = 4;
  using Pack = float __attribute__((vector_size(cells * sizeof(float))));
  for (const double smagorinsky : {0.0, 0.2}) {
    const CollisionSpec spec = spec_of(1.93, {1e-4, 2e-4, -1e-4}, smagorinsky);
    Pack packed[n];
    float single[cells][n];
    for (int i = 0; i < cells; ++i) {
      Cell cell(static_cast<unsigned>(i), 0.01);
      for (int q = 0; q < n; ++q) packed[q][i] = single[i][q] = static_cast<float>(cell.g[q]);
      collide<Arithmetic<float>>(spec, single[i]);
    }
    collide<Arithmetic<float>>(spec, packed);
    for (int i = 0; i < cells; ++i) {
      for (int q = 0; q < n; ++q) EXPECT_EQ(packed[q][i], single[i][q]) << q;
    }
  }
}

TEST(Cumulant, TheScaleOfTheStorageChangesNoBit) {
  for (const double smagorinsky : {0.0, 0.2}) {
    const CollisionSpec spec = spec_of(1.93, {1e-4, 2e-4, -1e-4}, smagorinsky);
    Cell cell(2, 0.01);
    float plain[n], scaled[n];
    for (int q = 0; q < n; ++q) {
      plain[q] = static_cast<float>(cell.g[q]);
      scaled[q] = plain[q] * 32768.0F;
    }
    collide<Arithmetic<float>>(spec, plain);
    collide<Arithmetic<float, 32768>>(spec, scaled);
    for (int q = 0; q < n; ++q) EXPECT_EQ(scaled[q], plain[q] * 32768.0F) << q;
  }
}

// The viscosity of a weak shear wave, relative to (tau - 1/2) / 3, less 1. One wave in a periodic
// box of `size` cells along x, or along x and y, in the plane; flow across it.
double viscosity_error(int size, double tau, bool diagonal) {
  const int ny = diagonal ? size : 1, cells = size * ny;
  const double k = 2 * 3.14159265358979 / size, kk = diagonal ? 2 * k * k : k * k;
  const double viscosity = (tau - 0.5) / 3;
  struct Stored {
    Populations g;
  };
  std::vector<Stored> now(cells), next(cells);
  const auto phase = [&](int i) { return k * (i % size + (diagonal ? i / size : 0)); };
  for (int i = 0; i < cells; ++i) {
    const double u = 1e-5 * std::sin(phase(i));
    maxwell(0, {diagonal ? u : 0, diagonal ? -u : u, 0}, now[i].g);
  }
  const auto collision = Collision<Arithmetic<double>>::of(spec_of(1 / tau), 0);
  const auto amplitude = [&] {
    double sum = 0;
    for (int i = 0; i < cells; ++i) {
      for (int q = 0; q < n; ++q) sum += cy(q) * now[i].g[q] * std::sin(phase(i));
    }
    return sum;
  };
  const auto run = [&](int steps) {
    for (int step = 0; step < steps; ++step) {
      for (int i = 0; i < cells; ++i) {
        for (int q = 0; q < n; ++q) {
          const int x = (i % size - cx(q) + size) % size, y = (i / size - cy(q) + ny) % ny;
          next[i].g[q] = now[x + size * y].g[q];
        }
        collision(next[i].g);
      }
      now.swap(next);
    }
  };
  constexpr int steps = 400;
  run(steps);  // what is not the wave decays
  const double first = amplitude();
  run(steps);
  return std::log(first / amplitude()) / (viscosity * kk * steps) - 1;
}

// The errors that the eigenvalues of the linear equations give, and those of rates of 1 at the same
// viscosity, which are of second order: 1e-3 and more.
TEST(Cumulant, TheViscosityIsExactToFourthOrder) {
  const double along = viscosity_error(32, 0.55, false), across = viscosity_error(24, 0.55, true);
  EXPECT_NEAR(along, 3.63e-5, 3e-6);
  EXPECT_LT(std::abs(across), 1.5e-4);
  EXPECT_GT(viscosity_error(32, 0.6, false), 1e-3);
}

}  // namespace
}  // namespace lbm
