// SPDX-License-Identifier: Apache-2.0

// Cases with a scalar, and their messages.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "cases/case/case.hpp"
#include "cases/case/validate/validate.hpp"
#include "tests/cases/case_support.hpp"

namespace lbm::cases {

// A duct: an inlet, an outlet, walls, periodic along z.
inline Case duct() {
  Case c;
  c.grid.cells = {16, 8, 4};
  c.fluid.reynolds = 10;
  c.run.steps = 10;
  c.faces[0].type = BoundaryKind::velocity;
  c.faces[0].velocity = {1, 0, 0};
  c.faces[1].type = BoundaryKind::outflow;
  c.faces[3].type = BoundaryKind::slip;
  c.faces[4].type = c.faces[5].type = BoundaryKind::periodic;
  ScalarKeys& smoke = c.scalars.emplace_back();
  smoke.name = "smoke";
  smoke.peclet = 20;
  return c;
}

inline void add_ball(Case& c, const std::string& name) {
  Body& ball = c.bodies.emplace_back();
  ball.name = name;
  ball.shape = BodyShape::sphere;
  ball.center = {8, 4, 2};
  ball.radius = 1.5;
}

// A box that is periodic along x and z, with a block in it.
inline Case heated_block() {
  Case c = duct();
  c.faces[0] = c.faces[1] = c.faces[4];
  add_ball(c, "block");
  c.scalars[0].conductors = {"block"};
  c.scalars[0].conductivities = {40};
  return c;
}

using Change = std::function<void(Case&)>;

inline void expect_refused(const Case& of, const Change& change, const std::string& start,
                           const std::string& part) {
  Case c = of;
  change(c);
  const std::string line = test::error_of([&] { validate(c); });
  EXPECT_EQ(line.find(start.starts_with("case: ") ? start : "case." + start), 0u) << line;
  EXPECT_NE(line.find(part), std::string::npos) << line;
}

inline bool warns(const Case& c, const std::string& key, const std::string& part) {
  for (const std::string& line : warnings(c, validate(c))) {
    if (line.starts_with("case.scalars.smoke." + key) && line.find(part) != std::string::npos)
      return true;
  }
  return false;
}

}  // namespace lbm::cases
