// SPDX-License-Identifier: Apache-2.0

// Conditions of scalars at the surfaces of bodies, and formulas of values at faces: keys, units,
// refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/model/case_formulas.hpp"
#include "cases/case/model/case_model.hpp"
#include "cases/case/read/read_case.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/case/units.hpp"
#include "tests/cases/case_support.hpp"
#include "tests/cases/scalars/scalar_cases.hpp"

namespace lbm::cases {
namespace {

// Metres and seconds; a cell is 1 mm, a step 0.08 * 1e-3 / 0.1 = 8e-4 s.
constexpr const char* heater = R"yaml(
units: si
grid: {size: [0.03, 0.02, 0.02], spacing: 1e-3}
boundaries: {y_min: periodic, y_max: periodic}
fluid: {viscosity: 1.5e-5, velocity: 0.1, lattice_velocity: 0.08, length: 0.1}
bodies:
  rest: {shape: sphere, center: [0.024, 0.01, 0.01], radius: 0.003}
  warm: {shape: sphere, center: [0.008, 0.01, 0.01], radius: 0.004}
  cool: {shape: sphere, center: [0.016, 0.01, 0.01], radius: 0.003}
scalars:
  heat:
    diffusivity: 2.1e-5
    reference: 293
    difference: 10
    bodies: [cool, warm, rest]
    body_types: [convection, flux, value]
    body_values: [288, 0.01, 298]      # K, K m/s, K
    body_coefficients: [0.005, 0, 0]   # m/s
    boundaries:
      x_min: {type: value, value: "293 + 5*sin(2*pi*t/0.1)"}
      x_max: {type: flux, value: "0.01*y/ly"}
      z_min: {type: convection, value: "290 + 100*x", coefficient: 0.01}
run: {steps: 10}
)yaml";

Case heater_case(const std::vector<std::string>& overrides = {}) {
  return parse_case(heater, "heater.yaml", overrides);
}

constexpr double metre = 1e3, second = 1 / 8e-4;

TEST(ScalarSurfaces, OfBodiesInLatticeUnits) {
  const Case c = heater_case();
  const Lattice lattice = make_case_lattice(c, validate(c));
  const auto& bodies = lattice.scalars.at(0).bodies;
  ASSERT_EQ(bodies.size(), 3U);
  EXPECT_EQ(bodies[0].body, 2);
  EXPECT_EQ(bodies[0].kind, ScalarBoundary::convection);
  EXPECT_NEAR(bodies[0].value, -0.5, 1e-15);
  EXPECT_NEAR(bodies[0].coefficient, 0.005 * metre / second, 1e-15);
  EXPECT_EQ(bodies[1].kind, ScalarBoundary::flux);
  EXPECT_NEAR(bodies[1].value, 0.01 / 10 * metre / second, 1e-15);
  EXPECT_EQ(bodies[2], (ScalarBody{0, 0.5}));
}

// The slants of bodies with a flux or convection are those of their surfaces.
TEST(ScalarSurfaces, HaveSlantsWhereTheyCount) {
  const auto sums = [](const std::vector<std::string>& overrides) {
    const Case c = heater_case(overrides);
    const CaseModel model = make_case_model(c, validate(c));
    const BoundaryView view = model.boundaries.view();
    std::array<double, 3> sum{};
    for (int z = 0; z < c.grid.cells[2]; ++z) {
      const CellList* const list = view.list(z);
      for (int i = 0; list != nullptr && i < list->cells; ++i) {
        const LinkedCell& cell = view.cells[list->first_cell + i];
        const BlockedLink* link = view.links + list->first_link + cell.first;
        for (unsigned left = cell.blocked; left != 0; left &= left - 1, ++link) {
          if (list->to_slants > 0 && lowest_bit(left) <= 6)
            sum.at(static_cast<std::size_t>(body_of(*link))) += slant_of(link[list->to_slants]);
        }
      }
    }
    return sum;
  };
  const auto with = sums({});
  const double area = 4 * std::numbers::pi;
  EXPECT_GT(with[0], 1.3 * 9 * area) << "that of the cells";
  EXPECT_NEAR(with[1] / (16 * area), 1, 0.05);
  EXPECT_NEAR(with[2] / (9 * area), 1, 0.05);
  const auto without = sums({"scalars.heat.body_types=[value, value, value]",
                             "scalars.heat.body_values=[288, 290, 298]",
                             "scalars.heat.body_coefficients=[0, 0, 0]"});
  EXPECT_EQ(without, (std::array<double, 3>{}));
}

TEST(ScalarSurfaces, FormulasOfFaces) {
  const Case c = heater_case();
  const Derived d = validate(c);
  const Lattice lattice = make_case_lattice(c, d);
  const auto& faces = lattice.scalars.at(0).faces;
  ASSERT_NE(faces[0].function, nullptr);
  EXPECT_FALSE(faces[0].by_place);
  for (const double step : {0.0, 30.5, 77.0}) {
    EXPECT_NEAR(faces[0].function->at(step),
                0.5 * std::sin(2 * std::numbers::pi * step / second / 0.1), 1e-12);
  }
  EXPECT_EQ(faces[1].function, nullptr);
  EXPECT_TRUE(faces[1].by_place);
  EXPECT_TRUE(faces[4].by_place);
  const FaceBoundaries specs = full_faces(c, d, {});
  EXPECT_TRUE(specs[0].scalar_values.empty());
  const auto& flux = specs[1].scalar_values.at(0);
  ASSERT_EQ(flux.size(), 400U);
  EXPECT_NEAR(flux[3 + 20 * 7], 0.01 * 3.5 / 20 / 10 * metre / second, 1e-9);
  const auto& outside = specs[4].scalar_values.at(0);
  ASSERT_EQ(outside.size(), 600U);
  EXPECT_NEAR(outside[4 + 30 * 2], (290 + 100 * 0.0045 - 293) / 10, 1e-7);
}

TEST(ScalarSurfaces, FormulasOfFacesThatTravel) {
  const Case c = heater_case({"scalars.heat.boundaries.z_min.value=290 + 100*x - 10*t"});
  const Derived d = validate(c);
  const Lattice lattice = make_case_lattice(c, d);
  const ScalarSpec& heat = lattice.scalars.at(0);
  EXPECT_EQ(heat.face_functions[0], nullptr);
  ASSERT_NE(heat.face_functions[4], nullptr);
  EXPECT_TRUE(heat.faces[4].by_place);
  EXPECT_TRUE(heat.changes());
  std::vector<float> row(30);
  heat.face_functions[4]->fill(50.5, 2, row);
  EXPECT_NEAR(row[4], (290 + 100 * 0.0045 - 10 * 50.5 / second - 293) / 10, 1e-7);
  EXPECT_NEAR(full_faces(c, d, {})[4].scalar_values.at(0)[4 + 30 * 2], -0.255, 1e-7);
}

// Two patches of the flow, and one of scalars alone.
const std::vector<std::string> patched{
    "boundaries.x_min={patches: {jet: {box: [0.01, 0.02, 0, 0.01], type: velocity, velocity: "
    "[0.05, 0, 0]}, vent: {center: [0.005, 0.015], radius: 0.004, type: outflow}}}",
    "boundaries.z_max={type: wall, patches: {strip: {box: [0, 0.01, 0, 0.02]}}}",
    "scalars.heat.boundaries.x_min={type: no_flux, patches: [jet], patch_values: [298]}",
    "scalars.heat.boundaries.z_max={type: convection, value: 290, coefficient: 0.01, patches: "
    "[strip], patch_types: [flux], patch_values: [0.01*y/ly*(1 + sin(t))]}"};

TEST(ScalarSurfaces, PatchesOfFaces) {
  const Case c = heater_case(patched);
  const Derived d = validate(c);
  const ScalarSpec heat = make_case_lattice(c, d).scalars.at(0);
  EXPECT_EQ(heat.faces[0].kind, ScalarBoundary::no_flux);
  ASSERT_EQ(heat.patches[0].size(), 2U);
  EXPECT_EQ(heat.patches[0][0].kind, ScalarBoundary::value);
  EXPECT_NEAR(heat.patches[0][0].value, 0.5, 1e-15);
  EXPECT_EQ(heat.patches[0][1], heat.faces[0]) << "as the case says for the face";
  EXPECT_TRUE(heat.patches[1].empty());
  EXPECT_EQ(heat.faces[5].kind, ScalarBoundary::convection);
  EXPECT_FALSE(heat.faces[5].by_place);
  ASSERT_EQ(heat.patches[5].size(), 1U);
  EXPECT_EQ(heat.patches[5][0].kind, ScalarBoundary::flux);
  EXPECT_TRUE(heat.patches[5][0].by_place);
  ASSERT_NE(heat.face_functions[5], nullptr);
  std::vector<float> row(30);
  heat.face_functions[5]->fill(0, 7, row);
  EXPECT_NEAR(row[9], 0.01 * 7.5 / 20 / 10 * metre / second, 1e-9);
  EXPECT_EQ(row[10], 0) << "beside the patch";
  const FaceBoundaries faces = full_faces(c, d, {});
  EXPECT_TRUE(faces[0].needs_boundary_pass());
  EXPECT_FALSE(faces[5].needs_boundary_pass()) << "the strip is a wall as the others";
}

// Without a condition of the face each part has the one that its flow implies.
TEST(ScalarSurfaces, PatchesOfTheFlowImplyConditions) {
  std::vector<std::string> overrides(patched.begin(), patched.begin() + 2);
  Case c = heater_case(overrides);
  c.scalars[0].faces = {};
  const ScalarSpec heat = make_case_lattice(c, validate(c)).scalars.at(0);
  EXPECT_EQ(heat.faces[0].kind, ScalarBoundary::no_flux);
  ASSERT_EQ(heat.patches[0].size(), 2U);
  EXPECT_EQ(heat.patches[0][0].kind, ScalarBoundary::no_flux);
  EXPECT_EQ(heat.patches[0][1].kind, ScalarBoundary::open);
  EXPECT_TRUE(heat.patches[5].empty()) << "all of the face is a wall";
}

TEST(ScalarSurfaces, AreWrittenAsTheyAreRead) {
  const std::string text = to_yaml(heater_case());
  EXPECT_EQ(to_yaml(parse_case(text, "again.yaml")), text);
  EXPECT_NE(text.find("body_types: [convection, flux, value]"), std::string::npos) << text;
  const std::string with_patches = to_yaml(heater_case(patched));
  EXPECT_EQ(to_yaml(parse_case(with_patches, "again.yaml")), with_patches);
  EXPECT_NE(with_patches.find("patches: [strip]"), std::string::npos) << with_patches;
}

TEST(ScalarSurfaces, Refused) {
  const std::string heat = "scalars.heat.";
  const auto refused = [&](std::vector<std::string> overrides, const std::string& part) {
    for (std::string& override : overrides) override = heat + override;
    const std::string line = test::error_of([&] {
      const Case c = heater_case(overrides);
      make_case_model(c, validate(c));
    });
    EXPECT_NE(line.find(part), std::string::npos) << line;
  };
  refused({"body_types=[flux]"}, "body_types: found 1 values for 3 bodies");
  refused({"body_types=[flux, open, value]"}, "value, flux, convection");
  refused({"body_coefficients=[0, 0, 0]"},
          "body_coefficients: found 0 for cool, whose type is convection: must be > 0");
  refused({"body_coefficients=[1, 1, 0]"}, "found 1 for warm, whose type is flux: must be 0");
  refused({"body_coefficients=[1]"}, "body_coefficients: found 1 values for 3 bodies");
  refused({"boundaries.x_max=no_flux", "bounds=[280, 400]"}, "conflicts with the flux of warm");
  refused({"boundaries.x_min.value=293 + x"}, "must be y, z or t");
  refused({"boundaries.x_min.value=293 + y/(t - t)"}, "it is inf at y = 0.0005, z = 0.0005, t = 0");
  refused({"boundaries.x_min.value=1/(t - t)"}, "it is inf at t = 0");
  refused({"boundaries.z_min.value=1/(x - x)"}, "it is inf at x = 0.0005, y = 0.0005");
  refused({"boundaries.x_min.value=293 + 2e4*cos(t)"},
          "gives 20293 at t = 0, must be at most 1000 times the difference");
  const std::vector<std::string> bounded{
      "body_types=[value, value, value]", "body_coefficients=[0, 0, 0]",
      "body_values=[290, 290, 290]", "boundaries.x_max=no_flux", "bounds=[289, 294]"};
  refused(bounded, "x_min.value: gives 29");
  EXPECT_NE(test::error_of([&] {
              validate(heater_case({"quantities.nu={kind: nusselt}",
                                    heat + "boundaries.x_max={type: value, value: 290}"}));
            }).find("Nusselt number needs"),
            std::string::npos);
}

TEST(ScalarSurfaces, PatchesRefused) {
  const std::string face = "scalars.heat.boundaries.x_min.";
  const auto refused = [&](const std::string& override, const std::string& part) {
    std::vector<std::string> overrides = patched;
    overrides.push_back(override);
    const std::string line = test::error_of([&] { validate(heater_case(overrides)); });
    EXPECT_NE(line.find(part), std::string::npos) << line;
  };
  refused(
      face + "patches=[hose]",
      "x_min.patches: found hose, must be a patch of the flow: add boundaries.x_min.patches.hose");
  refused(face + "patches=[jet, jet]", "found 1 values for 2 patches");
  refused(face + "patch_types=[value, open]", "patch_types: found 2 values for 1 patches");
  refused(face + "patch_types=[periodic]", "value, flux, convection, no_flux, open");
  refused(face + "patch_types=[convection]",
          "patch_types: found 0 for jet, whose type is convection: must be > 0");
  refused(face + "patch_types=[open]", "found 298 for jet, whose type is open: must be 0");
  refused(face + "patch_values=[y - x]", "must be y, z or t");
  refused(face + "patch_values=[1e6]", "must be at most 1000 times the difference");
  refused("scalars.heat.bounds=[280, 300]", "bounds: conflicts with boundaries.x_max: flux");
}

TEST(ScalarSurfaces, WarnOfCoarseCellsAtConvection) {
  Case c = duct();
  add_ball(c, "ball");
  c.scalars[0].bodies = {"ball"};
  c.scalars[0].body_types = {ScalarBoundary::convection};
  c.scalars[0].body_values = {1};
  c.scalars[0].body_coefficients = {1};  // of a velocity of 0.1; the diffusivity is 0.08
  EXPECT_FALSE(warns(c, "body_coefficients", ""));
  c.scalars[0].body_coefficients = {2};
  EXPECT_TRUE(warns(c, "body_coefficients", "= 2.5 at ball is above 2"));
}

// A value at a time of which it has none ends the run.
TEST(ScalarSurfaces, FormulasOfTheTimeAreCheckedAtEachStep) {
  const Case c = heater_case({"scalars.heat.boundaries.x_min.value=293 + 1/(t - 0.004)"});
  const Derived d = derive(c);
  const TimeFormulas formulas(c, d);
  EXPECT_NO_THROW(formulas.check(0, 4));
  EXPECT_NE(test::error_of([&] { formulas.check(4, 6); }).find("x_min.value: it is inf at t"),
            std::string::npos);
}

// Bounds hold at each step, too, where a value depends on the time or on the place as well.
TEST(ScalarSurfaces, FormulasKeepTheBoundsAtEachStep) {
  const std::string bounds = "scalars.heat.bounds=[280, 300]";
  const std::string value = "scalars.heat.boundaries.x_min.value=\"293 + ";
  const std::string x_max = "scalars.heat.boundaries.x_max={type: no_flux}";
  const std::string window = "(t > 0.0043 && t < 0.0045 ? 10 : 0)\"";  // steps 5.375 to 5.625
  const Case c = heater_case({bounds, x_max, value + window});
  const TimeFormulas formulas(c, derive(c));
  EXPECT_NO_THROW(formulas.check(0, 5));
  EXPECT_NE(test::error_of([&] { formulas.check(5, 6); }).find("gives 303 at t = 0.0044, must be"),
            std::string::npos);
  const Case along = heater_case({bounds, x_max, value + "(y > 0.01 ? 1 : 0)*" + window});
  const ScalarFaceValues values(along, derive(along), along.scalars[0], 0);
  std::vector<float> row(20);
  EXPECT_NO_THROW(values.fill(4.5, 0, row));
  EXPECT_NE(test::error_of([&] { values.fill(5.5, 0, row); }).find("must be within [280, 300]"),
            std::string::npos);
}

TEST(ScalarSurfaces, WarnOfPatchesWithoutACell) {
  const auto warned = [](const std::string& box) {
    const Case c = heater_case(
        {"boundaries.x_min={patches: {first: {box: [0, 0.01, 0, 0.02]}, jet: {box: " + box + "}}}",
         "scalars.heat.boundaries.x_min={type: no_flux, patches: [jet], patch_values: [298]}"});
    const std::vector<std::string> lines = warnings(c, validate(c));
    return std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
      return line.find("x_min.patches: jet has no cell of the face") != std::string::npos;
    });
  };
  EXPECT_FALSE(warned("[0.009, 0.011, 0, 0.01]"));
  EXPECT_TRUE(warned("[0.008, 0.0099, 0, 0.01]")) << "covered";
  EXPECT_TRUE(warned("[0.0101, 0.0103, 0, 0.01]")) << "between the centres of cells";
}

}  // namespace
}  // namespace lbm::cases
