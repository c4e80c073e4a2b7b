// How much of a sound wave comes back from each boundary condition, and from a sponge before it.
//
// A packet of plane waves goes to x_max and back. All its waves have the same wave number along y,
// which the periodic box repeats, and a Gaussian of wave numbers along x; density and velocity are
// those of waves that go to the right alone. When the packet is back where it began, the square
// root of its energy is compared with that of a packet that free slip has reflected: that loses
// nothing at the face, and as much on the way.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
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

  InitialState state(double stream) const {
    return [*this, stream](int y, int, const StateRow& row) {
      constexpr double height = 1e-4;
      constexpr int modes = 61;  // up to three standard deviations of the spectrum
      for (std::size_t x = 0; x < row.ux.size(); ++x) {
        const double at = static_cast<double>(x) + 0.5 - length() / 2.0;
        row.ux[x] = stream;
        if (std::abs(at) > 3.5 * width_) continue;
        for (int m = 0; m < modes; ++m) {
          const double off = 6.0 * (m - modes / 2) / (modes - 1);
          const double kx = kx_ + off / width_, size = std::hypot(kx, ky_);
          const double wave =
              height * 0.04 * std::exp(-off * off / 2) * std::cos(kx * at + ky_ * (y + 0.5));
          row.density[x] += wave;
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
  if (face.thickness > 0) {
    const double most = sponge_share(face.strength, face.thickness);
    p.sponge = {x_max, static_cast<double>(face.thickness), most, {face.stream, 0, 0}, {}, 1};
  }
  p.collision.kind = CollisionKind::trt;
  p.collision.omega = 1 / 0.52;
  p.initial = packet.state(face.stream);
  Flow flow(p);
  flow.advance(packet.steps(nx, face.stream));
  double energy = 0;
  flow.for_each_cell([&](int, int, int, const Cell& c) {
    const double ux = c.ux - face.stream;
    energy += (c.rho - 1) * (c.rho - 1) / 3 + ux * ux + c.uy * c.uy;
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

constexpr std::array kinds{BoundaryKind::wall, BoundaryKind::velocity, BoundaryKind::slip,
                           BoundaryKind::pressure, BoundaryKind::outflow};

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
    if (kind == BoundaryKind::outflow) {
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

// The far field moves towards the face, or away from it.
TEST(FarField, ReflectionInAStream) {
  Evidence evidence("sound that comes back from a sponge in a stream", "a reflection at free slip");
  evidence.on("tau 0.52, 22.6 cells a wave, Mach 0.1");
  for (const FarFace& face :
       {FarFace{BoundaryKind::outflow, 48, 3, 0.058}, FarFace{BoundaryKind::velocity, 48, 3, 0.058},
        FarFace{BoundaryKind::velocity, 48, 3, -0.058}}) {
    const std::string what = fmt::format("sponge before {}, stream {} the face", name_of(face.kind),
                                         face.stream > 0 ? "towards" : "from");
    evidence.below(what + ", at 0 degrees", reflected(face, 0), 0.01, percent);
    evidence.below(what + ", at 45 degrees", reflected(face, 45), 0.05, percent);
  }
}

}  // namespace
}  // namespace lbm::verification
