// SPDX-License-Identifier: Apache-2.0

// How much of a sound wave comes back from each boundary condition, and from a sponge before it.
//
// A packet of plane waves goes to x_max and back. All its waves have the same wave number along y,
// which the periodic box repeats, and a Gaussian of wave numbers along x; density and velocity are
// those of waves that go to the right alone. When the packet is back where it began, the square
// root of its energy is compared with that of a packet that free slip has reflected: that loses
// nothing at the face, and as much on the way.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/verification/support/evidence.hpp"
#include "tests/verification/support/flow.hpp"

namespace lbm::verification {
namespace {

using std::numbers::pi;

const double sound = std::sqrt(1.0 / 3);

// The wave length of the packets, in cells: 32 along x and along y at 45 degrees.
const double wave_length = 32 / std::sqrt(2.0);

// A face, and a sponge of some thickness in cells before it; 0: none.
struct FarFace {
  BoundaryKind kind = BoundaryKind::slip;
  int thickness = 0;
  double strength = 3;
  double stream = 0;  // velocity of the fluid towards the face
  double along = 0;   // and along it
};

class Packet {
 public:
  // degrees: between the direction of the packet and the normal of the face.
  explicit Packet(double degrees) {
    const double angle = degrees * pi / 180, k = 2 * pi / wave_length;
    cosine_ = std::cos(angle);
    kx_ = k * cosine_;
    ky_ = k * std::sin(angle);
    ny_ = degrees > 0 ? static_cast<int>(std::lround(2 * pi / ky_)) : 1;
    ky_ = degrees > 0 ? 2 * pi / ny_ : 0;
    width_ = 2 * pi / kx_;
  }

  int ny() const { return ny_; }
  // Where the packet ends, 3.5 widths from its middle.
  int length() const { return static_cast<int>(std::ceil(7 * width_)); }
  // To the face of a box of nx cells, and back.
  std::int64_t steps(int nx, double stream) const {
    const double way = nx - length() / 2.0, along = sound * cosine_;
    return std::lround(way / (along + stream) + way / (along - stream));
  }

  InitialState state(double stream, double along) const {
    return [*this, stream, along](int y, int, const StateRow& row) {
      constexpr double height = 1e-4;
      constexpr int modes = 61;  // up to three standard deviations of the spectrum
      for (std::size_t x = 0; x < row.ux.size(); ++x) {
        const double at = static_cast<double>(x) + 0.5 - length() / 2.0;
        row.ux[x] = stream;
        row.uy[x] = along;
        if (std::abs(at) > 3.5 * width_) continue;
        for (int m = 0; m < modes; ++m) {
          const double off = 6.0 * (m - modes / 2) / (modes - 1);
          const double kx = kx_ + off / width_, size = std::hypot(kx, ky_);
          const double wave =
              height * 0.04 * std::exp(-off * off / 2) * std::cos(kx * at + ky_ * (y + 0.5));
          row.drho[x] += wave;
          row.ux[x] += sound * kx / size * wave;
          row.uy[x] += sound * ky_ / size * wave;
        }
      }
    };
  }

 private:
  double cosine_, kx_, ky_, width_;
  int ny_;
};

// Energy of the sound that is left when the packet is back. thickness: by how much the box is
// longer than the packet.
double energy_back(const FarFace& face, double degrees, int thickness) {
  const Packet packet(degrees);
  const int nx = packet.length() + thickness;
  Problem p;
  p.cells = {nx, packet.ny(), 1};
  set_faces(p.faces, 0, BoundaryKind::slip);
  BoundaryCondition& far = p.faces[1].condition;
  far.kind = face.kind;
  if (face.stream != 0) {
    p.faces[0].condition.kind = BoundaryKind::velocity;
    p.faces[0].condition.velocity[0] = face.stream;
    if (face.kind == BoundaryKind::velocity) far.velocity[0] = face.stream;
  }
  if (face.kind == BoundaryKind::far_field) far.velocity = {face.stream, face.along, 0};
  if (face.thickness > 0) {
    const double most = sponge_share(face.strength, face.thickness);
    p.sponge = {x_max, static_cast<double>(face.thickness), most, {face.stream, 0, 0}, {}, 0};
  }
  p.collision.kind = CollisionKind::trt;
  p.collision.omega = 1 / 0.52;
  p.initial = packet.state(face.stream, face.along);
  Flow flow(p);
  flow.advance(packet.steps(nx, face.stream));
  double energy = 0;
  flow.for_each_cell([&](int, int, int, const Cell& c) {
    const double ux = c.ux - face.stream, uy = c.uy - face.along;
    energy += (c.drho) * (c.drho) / 3 + ux * ux + uy * uy;
  });
  return energy;
}

// Amplitude of what comes back, relative to a reflection at free slip.
double reflected(const FarFace& face, double degrees) {
  const int room = std::max(face.thickness, 48);
  static std::map<std::pair<double, int>, double> references;
  double& reference = references[{degrees, room}];
  if (reference == 0) reference = energy_back({}, degrees, room);
  return std::sqrt(energy_back(face, degrees, room) / reference);
}

const char* name_of(BoundaryKind kind) {
  return enum_names(BoundaryKind{})[static_cast<std::size_t>(kind)];
}

constexpr std::array kinds{BoundaryKind::wall,     BoundaryKind::velocity, BoundaryKind::slip,
                           BoundaryKind::pressure, BoundaryKind::outflow,  BoundaryKind::far_field};

TEST(FarField, ReflectionOfEachBoundaryCondition) {
  Evidence evidence("sound that comes back from a face", "a reflection at free slip");
  evidence.on("tau 0.52, 22.6 cells a wave");
  Table& table = evidence.table(
      "amplitude that comes back, waves of 22.6 cells, sponge of 48 cells, strength 3",
      {"face",
       {"0 degrees", "{:.2f} %"},
       {"45 degrees", "{:.2f} %"},
       {"60 degrees", "{:.2f} %"},
       {"sponge, 0", "{:.2f} %"},
       {"sponge, 45", "{:.2f} %"},
       {"sponge, 60", "{:.2f} %"}});
  for (const BoundaryKind kind : kinds) {
    double bare[3], soft[3];
    for (int i = 0; i < 3; ++i) {
      const double degrees = std::array{0.0, 45.0, 60.0}[static_cast<std::size_t>(i)];
      bare[i] = reflected({kind}, degrees);
      soft[i] = reflected({kind, 48}, degrees);
    }
    table.row({name_of(kind), 100 * bare[0], 100 * bare[1], 100 * bare[2], 100 * soft[0],
               100 * soft[1], 100 * soft[2]});
    evidence.headline().below("behind a sponge, at 0 degrees", soft[0], 0.01, percent);
    evidence.below("behind a sponge, at 45 degrees", soft[1], 0.05, percent);
    if (kind == BoundaryKind::far_field) {
      evidence.below("far field alone, at 0 degrees", bare[0], 0.01, percent);
      evidence.below("far field alone, at 45 degrees", bare[1], 0.05, percent);
    } else if (kind == BoundaryKind::outflow) {
      evidence.below("outflow alone, at 0 degrees", bare[0], 0.1, percent);
    } else {
      evidence.above("a face alone that reflects, at 0 degrees", bare[0], 0.7, percent);
    }
  }
}

TEST(FarField, ReflectionOfSponges) {
  Evidence evidence("sound that comes back from a sponge before free slip",
                    "a reflection at free slip");
  evidence.on("tau 0.52, 22.6 cells a wave");
  Table& table = evidence.table("amplitude that comes back from a sponge before free slip",
                                {"cells",
                                 {"wave lengths", "{:.2f}"},
                                 "strength",
                                 {"exp(-2 strength)", "{:.2f} %"},
                                 {"0 degrees", "{:.2f} %"},
                                 {"45 degrees", "{:.2f} %"},
                                 {"60 degrees", "{:.2f} %"}});
  for (const int thickness : {16, 24, 32, 48, 96}) {
    for (const double strength : {2.0, 3.0, 4.0}) {
      if (sponge_share(strength, thickness) > most_sponge_share) continue;
      double back[3];
      for (int i = 0; i < 3; ++i) {
        const double degrees = std::array{0.0, 45.0, 60.0}[static_cast<std::size_t>(i)];
        back[i] = reflected({BoundaryKind::slip, thickness, strength}, degrees);
      }
      const double expected = std::exp(-2 * strength);
      table.row({thickness, thickness / wave_length, strength, 100 * expected, 100 * back[0],
                 100 * back[1], 100 * back[2]});
      evidence.within("at 0 degrees, beyond exp(-2 strength)", back[0] - expected, 0.01, percent);
      if (thickness >= 1.4 * wave_length && strength == 3) {
        evidence.below("at 45 degrees, from 1.4 wave lengths on, strength 3", back[1], 0.05,
                       percent);
      }
    }
  }
}

// The far field moves towards the face, away from it, or along it.
TEST(FarField, ReflectionInAStream) {
  Evidence evidence("sound that comes back from a far field in a stream",
                    "a reflection at free slip");
  evidence.on("tau 0.52, 22.6 cells a wave, Mach 0.1");
  constexpr double u = 0.058;
  for (const FarFace& face :
       {FarFace{BoundaryKind::outflow, 48, 3, u}, FarFace{BoundaryKind::velocity, 48, 3, u},
        FarFace{BoundaryKind::velocity, 48, 3, -u}, FarFace{BoundaryKind::far_field, 0, 0, u},
        FarFace{BoundaryKind::far_field, 0, 0, -u}, FarFace{BoundaryKind::far_field, 0, 0, 0, u},
        FarFace{BoundaryKind::far_field, 0, 0, 0, -u}}) {
    const std::string what = fmt::format(
        "{}{}, stream {} the face", face.thickness > 0 ? "sponge before " : "", name_of(face.kind),
        face.along > 0    ? "along"
        : face.along < 0  ? "against the wave along"
        : face.stream > 0 ? "towards"
                          : "from");
    evidence.below(what + ", at 0 degrees", reflected(face, 0), 0.01, percent);
    // A far field through which fluid enters absorbs sound at right angles alone.
    const bool enters = face.kind == BoundaryKind::far_field && face.stream < 0;
    evidence.below(what + ", at 45 degrees", reflected(face, 45), enters ? 0.25 : 0.05, percent);
  }
}

// The largest deviation from a stream after some steps in a box that begins with random velocities
// of 0.01. far: axes whose faces are far fields; the others are periodic.
double disturbance_left(const std::array<int, 3>& cells, const std::array<bool, 3>& far,
                        const std::array<double, 3>& stream, int steps) {
  Problem p;
  p.cells = cells;
  for (std::size_t f = 0; f < 6; ++f) {
    BoundaryCondition& face = p.faces[f].condition;
    face.kind = far[f / 2] ? BoundaryKind::far_field : BoundaryKind::periodic;
    if (face.kind == BoundaryKind::far_field) face.velocity = stream;
  }
  p.collision.kind = CollisionKind::trt;
  p.collision.omega = 1 / 0.52;
  p.initial = [&](int y, int z, const StateRow& row) {
    std::minstd_rand random(static_cast<unsigned>(1 + y + 100 * z));
    std::normal_distribution<double> noise(0, 0.01);
    for (std::size_t x = 0; x < row.ux.size(); ++x) {
      row.ux[x] = stream[0] + noise(random);
      row.uy[x] = stream[1] + noise(random);
      row.uz[x] = stream[2] + noise(random);
    }
  };
  Flow flow(p);
  flow.advance(steps);
  double most = 0;
  flow.for_each_cell([&](int, int, int, const Cell& c) {
    most = std::max({most, std::abs(c.ux - stream[0]), std::abs(c.uy - stream[1]),
                     std::abs(c.uz - stream[2]), std::abs(c.drho)});
  });
  return most;
}

// They leave, whatever the direction of the stream, and the stream stays.
TEST(FarField, DisturbancesLeaveAnOpenBox) {
  Evidence evidence("velocities at random between far fields", "the stream");
  evidence.on("TRT, tau 0.52");
  struct Case {
    std::array<int, 3> cells;
    std::array<bool, 3> far;  // axes whose faces are far fields; the others are periodic
    std::array<double, 3> stream;
    int steps;
  };
  constexpr std::array<bool, 3> all{true, true, true};
  for (const Case& c : {Case{{20, 20, 24}, all, {0, 0, 0.055}, 1500},
                        Case{{20, 20, 20}, all, {0.04, 0.03, 0.02}, 1500},
                        Case{{20, 20, 20}, {true, false, false}, {0, 0, 0.055}, 1500},
                        Case{{20, 20, 20}, {false, false, true}, {0, 0, 0.055}, 1500},
                        Case{{48, 1, 60}, {true, false, true}, {0, 0, 0.055}, 4000}}) {
    const double left = disturbance_left(c.cells, c.far, c.stream, c.steps);
    evidence.headline().below(
        fmt::format(
            "largest deviation, {} x {} x {} cells, far fields at the ends of{}{}{}, stream "
            "[{}, {}, {}], {} steps",
            c.cells[0], c.cells[1], c.cells[2], c.far[0] ? " x" : "", c.far[1] ? " y" : "",
            c.far[2] ? " z" : "", c.stream[0], c.stream[1], c.stream[2], c.steps),
        left, 0.002);
  }
}

}  // namespace
}  // namespace lbm::verification
