// SPDX-License-Identifier: Apache-2.0

// Patches of faces: each cell of a face lets in and out what its own rule says, on whichever face.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/verification/support/evidence.hpp"
#include "tests/verification/support/flow.hpp"

namespace lbm::verification {
namespace {

// Number of the cell x of a face, as the solver counts them.
std::size_t face_index(int face, const std::array<int, 3>& x, const std::array<int, 3>& cells) {
  const int a = face < 2 ? 1 : 0, b = face < 4 ? 2 : 1;
  return static_cast<std::size_t>(x[a] + x[b] * cells[a]);
}

// Calls visit(x) for the cells that touch a face.
template <class Visit>
void for_each_face_cell(int face, const std::array<int, 3>& cells, const Visit& visit) {
  std::array<int, 3> first{}, last = cells;
  const int axis = face / 2;
  first[axis] = face % 2 == 0 ? 0 : cells[axis] - 1;
  last[axis] = first[axis] + 1;
  std::array<int, 3> x;
  for (x[2] = first[2]; x[2] < last[2]; ++x[2]) {
    for (x[1] = first[1]; x[1] < last[1]; ++x[1]) {
      for (x[0] = first[0]; x[0] < last[0]; ++x[0]) visit(x);
    }
  }
}

// Cells lo <= x < hi (the normal of the face does not count) get a rule of their own.
void add_patch(Problem& p, int face, BoundaryCondition rule, std::array<int, 3> lo,
               std::array<int, 3> hi) {
  FaceBoundary& spec = p.faces[face];
  spec.patch_of.resize(
      static_cast<std::size_t>(face_cells(face, p.cells[0], p.cells[1], p.cells[2])));
  spec.patches.push_back(std::move(rule));
  for_each_face_cell(face, p.cells, [&](const std::array<int, 3>& x) {
    for (int a = 0; a < 3; ++a) {
      if (a != face / 2 && (x[a] < lo[a] || x[a] >= hi[a])) return;
    }
    spec.patch_of[face_index(face, x, p.cells)] = static_cast<std::uint8_t>(spec.patches.size());
  });
}

// Mass that enters a cell through the faces of the box in one step of a steady flow: the mass that
// the cell sends to its neighbours in the box minus the mass that they send to the cell.
double comes_in(Flow& flow, const std::array<int, 3>& x, const std::array<int, 3>& cells) {
  double net = 0;
  for (int q = 1; q < D3Q19::directions; ++q) {
    const std::array<int, 3> c{cx(q), cy(q), cz(q)};
    bool to = true, from = true;
    for (int a = 0; a < 3; ++a) {
      to = to && x[a] + c[a] >= 0 && x[a] + c[a] < cells[a];
      from = from && x[a] - c[a] >= 0 && x[a] - c[a] < cells[a];
    }
    if (to) net += flow.population(q, x[0], x[1], x[2]);
    if (from) net -= flow.population(q, x[0] - c[0], x[1] - c[1], x[2] - c[2]);
  }
  return net;
}

BoundaryCondition velocity_rule(const std::array<double, 3>& velocity) {
  BoundaryCondition rule;
  rule.kind = BoundaryKind::velocity;
  rule.velocity = velocity;
  return rule;
}

BoundaryCondition condition_of(BoundaryKind kind) {
  BoundaryCondition rule;
  rule.kind = kind;
  return rule;
}

struct Balance {
  double in = 0, out = 0;  // through the patches
  double inlet_cell = 0;   // largest deviation of a cell of the inlet from its velocity
  double wall = 0;         // largest flux through another cell of the faces
  double inside = 0;       // the same where there is no face: how far from steady
  double density = 0;      // mean
};

// Two jets through patches of a wall, one half as fast, and a way out in another wall.
Balance jet(int inlet, int outlet, BoundaryKind out) {
  const double speed = 0.01;
  Problem p;
  p.cells = {10, 8, 9};
  for (FaceBoundary& face : p.faces) face.condition.kind = BoundaryKind::wall;
  std::array<double, 3> velocity{};
  velocity[inlet / 2] = inlet % 2 == 0 ? speed : -speed;
  add_patch(p, inlet, velocity_rule(velocity), {3, 3, 1}, {6, 5, 4});
  for (double& u : velocity) u /= 2;
  add_patch(p, inlet, velocity_rule(velocity), {6, 5, 1}, {9, 7, 4});
  add_patch(p, outlet, condition_of(out), {4, 2, 4}, {8, 6, 8});
  p.collision.kind = CollisionKind::trt;
  p.collision.omega = 1 / 0.7;
  Flow flow(p);
  flow.advance(out == BoundaryKind::outflow ? 7000 : 1500);
  // Two steps together: what alternates from step to step dies out last.
  std::vector<double> net;
  for (int step = 0; step < 2; ++step, flow.advance(1)) {
    std::size_t i = 0;
    net.resize(std::size_t{10} * 8 * 9);
    flow.for_each_cell([&](int x, int y, int z, const Cell&) {
      net[i++] += comes_in(flow, {x, y, z}, p.cells) / 2 / speed;
    });
  }
  Balance b;
  b.density = 1 + flow.mass() / (10 * 8 * 9);
  std::size_t i = 0;
  flow.for_each_cell([&](int cx, int cy, int cz, const Cell&) {
    const std::array<int, 3> x{cx, cy, cz};
    bool at_outlet = false, at_face = false;
    double due = 0;  // of the inlet, in its speed
    for (int f = 0; f < 6; ++f) {
      if (x[f / 2] != (f % 2 == 0 ? 0 : p.cells[f / 2] - 1)) continue;
      const FaceBoundary& face = p.faces[f];
      const int patch = face.patch_of.empty() ? 0 : face.patch_of[face_index(f, x, p.cells)];
      if (f == inlet && patch != 0) due = patch == 1 ? 1 : 0.5;
      at_outlet = at_outlet || (patch != 0 && f == outlet);
      at_face = true;
    }
    const double here = net[i++];
    if (due > 0) {
      b.in += here;
      b.inlet_cell = std::fmax(b.inlet_cell, std::abs(here - due));
    } else if (at_outlet) {
      b.out -= here;
    } else {
      double& largest = at_face ? b.wall : b.inside;
      largest = std::fmax(largest, std::abs(here));
    }
  });
  return b;
}

TEST(Patches, LetOutWhatTheyLetInAndNothingBesideThem) {
  Evidence evidence("mass through patches of faces", "conservation of mass");
  Table& table = evidence.table(
      "two jets through patches of one face, out through a patch of another; cells "
      "against the inlet's velocity",
      {"in, out",
       "outlet",
       {"out / in - 1", "{:.1e}"},
       {"a cell of the inlet", "{:.1e}"},
       {"a cell of a wall", "{:.1e}"},
       {"a cell inside", "{:.1e}"},
       {"mean density", "{:.4f}"}});
  const char* names[] = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};
  evidence.on("10 x 8 x 9");
  for (const BoundaryKind out : {BoundaryKind::pressure, BoundaryKind::outflow}) {
    for (const auto& [inlet, outlet] : {std::array{0, 3}, {1, 0}, {2, 5}, {5, 4}}) {
      if (out == BoundaryKind::outflow && inlet % 2 != 0) continue;  // takes long to settle
      const Balance b = jet(inlet, outlet, out);
      table.row({std::string(names[inlet]) + ", " + names[outlet],
                 out == BoundaryKind::pressure ? "pressure" : "outflow", b.out / b.in - 1,
                 b.inlet_cell, b.wall, b.inside, b.density});
      evidence.within("out / in - 1", b.out / b.in - 1, 5e-6);
      evidence.below("flux through any cell of the inlet, off", b.inlet_cell, 1e-6);
      evidence.below("flux through any cell beside the patches", b.wall, 1e-6);
      evidence.within("mean density, off", b.density - 1, 0.03);
      EXPECT_LT(b.inside, 1e-6) << "the flow is not steady";
    }
  }
}

// Axis a of the first box is axis to[a] of the second, turned round where flip[a].
struct Mapping {
  std::array<int, 3> to;
  std::array<bool, 3> flip;

  int face(int f) const { return 2 * to[f / 2] + (flip[f / 2] ? 1 - f % 2 : f % 2); }
  template <class T>
  std::array<T, 3> vector(const std::array<T, 3>& v) const {
    std::array<T, 3> w{};
    for (int a = 0; a < 3; ++a) w[to[a]] = flip[a] ? -v[a] : v[a];
    return w;
  }
  std::array<int, 3> sizes(const std::array<int, 3>& cells) const {
    std::array<int, 3> w{};
    for (int a = 0; a < 3; ++a) w[to[a]] = cells[a];
    return w;
  }
  std::array<int, 3> cell(const std::array<int, 3>& x, const std::array<int, 3>& cells) const {
    std::array<int, 3> w{};
    for (int a = 0; a < 3; ++a) w[to[a]] = flip[a] ? cells[a] - 1 - x[a] : x[a];
    return w;
  }
};

BoundaryCondition mapped(const BoundaryCondition& rule, int face, const Mapping& m,
                         const std::array<int, 3>& cells) {
  BoundaryCondition r = rule;
  r.velocity = m.vector(rule.velocity);
  if (rule.profile.empty()) return r;
  for_each_face_cell(face, cells, [&](const std::array<int, 3>& x) {
    const float* u = &rule.profile[3 * face_index(face, x, cells)];
    const auto v = m.vector(std::array<float, 3>{u[0], u[1], u[2]});
    const std::size_t to = face_index(m.face(face), m.cell(x, cells), m.sizes(cells));
    std::copy(v.begin(), v.end(), &r.profile[3 * to]);
  });
  return r;
}

Problem mapped(const Problem& p, const Mapping& m) {
  Problem q;
  q.cells = m.sizes(p.cells);
  q.collision = p.collision;
  q.collision.force.mean = m.vector(p.collision.force.mean);
  for (int f = 0; f < 6; ++f) {
    FaceBoundary& to = q.faces[m.face(f)];
    to.condition = mapped(p.faces[f].condition, f, m, p.cells);
    for (const BoundaryCondition& patch : p.faces[f].patches) {
      to.patches.push_back(mapped(patch, f, m, p.cells));
    }
    to.patch_of.resize(p.faces[f].patch_of.size());
    if (to.patch_of.empty()) continue;
    for_each_face_cell(f, p.cells, [&](const std::array<int, 3>& x) {
      to.patch_of[face_index(m.face(f), m.cell(x, p.cells), q.cells)] =
          p.faces[f].patch_of[face_index(f, x, p.cells)];
    });
  }
  return q;
}

// Every rule on a patch or a face of its own, some up to the edges of the box and round a corner.
Problem mixed() {
  Problem p;
  p.cells = {11, 9, 10};
  for (FaceBoundary& face : p.faces) face.condition.kind = BoundaryKind::wall;
  p.collision.kind = CollisionKind::trt;
  p.collision.omega = 1 / 0.6;
  p.collision.force.mean = {2e-6, -1e-6, 3e-6};
  add_patch(p, 0, velocity_rule({0.03, 0.01, 0}), {0, 2, 3}, {0, 5, 8});
  BoundaryCondition profile = velocity_rule({});
  for (int i = 0; i < 90; ++i) {
    profile.profile.insert(profile.profile.end(),
                           {0.001F * static_cast<float>(i % 7), 0.002F * static_cast<float>(i % 5),
                            -0.001F * static_cast<float>(i % 11)});
  }
  add_patch(p, 0, profile, {0, 5, 5}, {0, 9, 10});
  add_patch(p, 1, condition_of(BoundaryKind::pressure), {0, 0, 0}, {0, 6, 7});
  p.faces[2].condition.kind = BoundaryKind::slip;
  add_patch(p, 3, condition_of(BoundaryKind::outflow), {4, 0, 4}, {11, 0, 10});
  p.faces[4].condition.velocity = {0.02, -0.03, 0};
  BoundaryCondition suction = velocity_rule({0.01, 0, 0.02});
  add_patch(p, 5, suction, {2, 0, 0}, {6, 4, 0});
  return p;
}

TEST(Patches, AreTheSameOnAnyFace) {
  const Problem first = mixed();
  const int steps = 150;
  Flow base(first);
  base.advance(steps);
  const double speed = base.largest_speed();
  double largest = 0;
  int cases = 0;
  for (const std::array<int, 3>& to :
       {std::array{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}) {
    for (int flips = 0; flips < 8; ++flips) {
      // Two of the four signs for each order: all faces and all pairs of them are met.
      if ((flips + to[0]) % 2 != 0) continue;
      const Mapping m{to, {(flips & 1) != 0, (flips & 2) != 0, (flips & 4) != 0}};
      Flow flow(mapped(first, m));
      flow.advance(steps);
      base.for_each_cell([&](int x, int y, int z, const Cell& c) {
        const auto at = m.cell({x, y, z}, first.cells);
        const Cell d = flow.cell(at[0], at[1], at[2]);
        const auto want = m.vector(std::array{c.ux, c.uy, c.uz});
        largest = std::fmax(largest, std::abs(d.ux - want[0]));
        largest = std::fmax(largest, std::abs(d.uy - want[1]));
        largest = std::fmax(largest, std::abs(d.uz - want[2]));
        largest = std::fmax(largest, std::abs(d.drho - c.drho));
      });
      ++cases;
    }
  }
  EXPECT_GT(speed, 0.02);
  Evidence evidence("patches and faces of every kind, turned and mirrored",
                    "the same box as it was");
  evidence.on("11 x 9 x 10, " + std::to_string(cases) + " orientations, 150 steps");
  evidence.below("largest difference of velocity and density", largest, 1e-14);
}

}  // namespace
}  // namespace lbm::verification
