// SPDX-License-Identifier: Apache-2.0

// Profiles of inlets: as wide as the face or the patch, with symmetry at slip faces.
#include "cases/case/model/case_formulas.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "cases/case/units.hpp"
#include "cases/case/validate/validate.hpp"
#include "tests/cases/case_support.hpp"

namespace lbm::cases {
namespace {

// 12 x 8 cells across the flow.
const std::string channel =
    "grid: {cells: [12, 8, 20]}\nfluid: {reynolds: 10}\nrun: {steps: 10}\n"
    "boundaries: {z_max: outflow}\n";
const std::string inlet = "type: velocity, velocity: [0, 0, 1], profile: ";

Case case_with(const std::vector<std::string>& sets) {
  Case lbm_case = parse_case(channel, "c.yaml", sets);
  validate(lbm_case);
  return lbm_case;
}

// Normal velocity in cell (x, y) of the face z_min or of its first patch, relative to the peak.
double share(const Case& c, int x, int y) {
  const Face& face = c.faces[4];
  const Patch* patch = face.patches.empty() ? nullptr : &face.patches[0];
  const FaceCondition& condition =
      patch != nullptr ? *patch : static_cast<const FaceCondition&>(face);
  const auto values = inlet_profile(c, condition, 4, make_units(c, derive(c)), {0, 0, 1}, patch);
  return values[3 * (static_cast<std::size_t>(y) * 12 + static_cast<std::size_t>(x)) + 2];
}

double parabola(double distance, double half) { return 1 - distance * distance / (half * half); }

TEST(InletProfile, ADuctIsAsWideAsTheFace) {
  const Case c = case_with({"boundaries.z_min={" + inlet + "duct}"});
  for (const auto& [x, y] : {std::pair{0, 0}, {5, 3}, {11, 4}, {6, 7}}) {
    EXPECT_NEAR(share(c, x, y), duct_velocity(x + 0.5 - 6, y + 0.5 - 4, 6, 4), 1e-6);
    EXPECT_EQ(share(c, x, y), share(c, 11 - x, 7 - y));
  }
}

TEST(InletProfile, ADuctInAPatchIsAsWideAsThePatch) {
  const Case plane =
      case_with({"boundaries.y_min=periodic", "boundaries.y_max=periodic",
                 "boundaries.z_min={patches: {in: {box: [2, 8, 0, 8], " + inlet + "duct}}}"});
  for (int x = 2; x < 8; ++x) EXPECT_NEAR(share(plane, x, 1), parabola(x + 0.5 - 5, 3), 1e-6) << x;
  const Case box =
      case_with({"boundaries.z_min={patches: {in: {box: [0, 5, 3, 7], " + inlet + "duct}}}"});
  for (int x = 0; x < 5; ++x) {
    EXPECT_NEAR(share(box, x, 4), duct_velocity(x + 0.5 - 2.5, 4.5 - 5, 2.5, 2), 1e-6) << x;
  }
  // A cell belongs to a patch that has its centre.
  const Case cut =
      case_with({"boundaries.y_min=periodic", "boundaries.y_max=periodic",
                 "boundaries.z_min={patches: {in: {box: [1.7, 8.4, 0, 8], " + inlet + "duct}}}"});
  EXPECT_EQ(share(cut, 3, 2), share(plane, 3, 2));
}

TEST(InletProfile, SlipFacesAreSymmetryPlanes) {
  const Case half = case_with({"boundaries.y_min=slip", "boundaries.y_max=slip",
                               "boundaries.x_min=slip", "boundaries.z_min={" + inlet + "duct}"});
  for (int x = 0; x < 12; ++x) EXPECT_NEAR(share(half, x, 2), parabola(x + 0.5, 12), 1e-6) << x;
  const Case other = case_with({"boundaries.y_min=slip", "boundaries.y_max=slip",
                                "boundaries.x_max=slip", "boundaries.z_min={" + inlet + "duct}"});
  for (int x = 0; x < 12; ++x) EXPECT_EQ(share(other, x, 2), share(half, 11 - x, 2)) << x;
  const Case patch =
      case_with({"boundaries.y_min=slip", "boundaries.y_max=slip", "boundaries.x_min=slip",
                 "boundaries.z_min={patches: {in: {box: [0, 5, 0, 8], " + inlet + "duct}}}"});
  for (int x = 0; x < 5; ++x) EXPECT_NEAR(share(patch, x, 2), parabola(x + 0.5, 5), 1e-6) << x;
}

TEST(InletProfile, APipeInARoundPatchIsThatCircle) {
  const Case c = case_with(
      {"boundaries.z_min={patches: {in: {center: [5, 4], radius: 3, " + inlet + "pipe}}}"});
  EXPECT_NEAR(share(c, 4, 3), 1 - 0.5 / 9, 1e-6);
  EXPECT_NEAR(share(c, 6, 3), 1 - 2.5 / 9, 1e-6);
  EXPECT_EQ(share(c, 9, 3), 0);
}

TEST(InletProfile, RefusesADuctInARoundPatch) {
  const std::string line = test::error_of([] {
    case_with({"boundaries.z_min={patches: {in: {center: [5, 4], radius: 3, " + inlet + "duct}}}"});
  });
  EXPECT_NE(line.find("boundaries.z_min.patches.in.center: conflicts with profile: duct"),
            std::string::npos)
      << line;
}

}  // namespace
}  // namespace lbm::cases
