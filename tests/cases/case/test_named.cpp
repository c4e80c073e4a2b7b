// SPDX-License-Identifier: Apache-2.0

// Groups that map user-defined names to keys: bodies, patches of faces, expectations.
#include <gtest/gtest.h>

#include "cases/case/case_location.hpp"
#include "cases/case/read/read_case.hpp"
#include "cases/case/schema/keys.hpp"
#include "tests/cases/case_support.hpp"

namespace lbm::cases {
namespace {

using test::minimal;
using test::parse_error;

// In an order that is neither alphabetical nor that of the key table.
const std::string named =
    minimal +
    "bodies:\n"
    "  zeppelin:\n"
    "    radius: 2\n"
    "    center: [4, 4, 4]\n"
    "    shape: sphere\n"
    "  anvil: {shape: box, center: [4, 4, 2], size: [2, 2, 2]}\n"
    "  both:\n"
    "    shape: union\n"
    "    of: [zeppelin, anvil]\n"
    "    rotate: [[0, 0, 1, 30], [1, 0, 0, -5]]\n"
    "boundaries:\n"
    "  x_min:\n"
    "    type: wall\n"
    "    patches:\n"
    "      jet: {type: velocity, velocity: [1, 0, 0], center: [4, 5], radius: 2}\n"
    "      drain: {type: outflow, box: [0, 1, 0, 1]}\n"
    "expect:\n"
    "  drag: {quantity: force.x, body: zeppelin, value: 3, tolerance: 0.1}\n";

Case parse(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return parse_case(text, "c.yaml", overrides);
}

std::string names(const Case& c) {
  std::string all;
  for (const Body& body : c.bodies) all += body.name + " ";
  return all;
}

TEST(CaseNamed, ItemsAreReadInTheOrderOfTheFile) {
  const Case c = parse(named);
  EXPECT_EQ(names(c), "zeppelin anvil both ");
  EXPECT_EQ(c.bodies[0].shape, BodyShape::sphere);
  EXPECT_EQ(c.bodies[0].radius, 2);
  EXPECT_EQ(c.bodies[1].size, (Vec3{2, 2, 2}));
  EXPECT_EQ(c.bodies[2].of, (std::vector<std::string>{"zeppelin", "anvil"}));
  ASSERT_EQ(c.bodies[2].rotate.size(), 2u);
  EXPECT_EQ(c.bodies[2].rotate[1].axis, (Vec3{1, 0, 0}));
  EXPECT_EQ(c.bodies[2].rotate[1].degrees, -5);
  ASSERT_EQ(c.faces[0].patches.size(), 2u);
  EXPECT_EQ(c.faces[0].patches[0].name, "jet");
  EXPECT_EQ(c.faces[0].patches[0].type, BoundaryKind::velocity);
  EXPECT_EQ(c.faces[0].patches[1].box, (std::array<double, 4>{0, 1, 0, 1}));
  ASSERT_EQ(c.expect.size(), 1u);
  EXPECT_EQ(c.expect[0].measure, (Measure{Quantity::force, 0}));
}

TEST(CaseNamed, OverridesChangeAddAndReplaceItems) {
  const Case c =
      parse(named, {"bodies.zeppelin.radius=5", "bodies.new-1={shape: stl, file: x.stl}"});
  EXPECT_EQ(c.bodies[0].radius, 5);
  EXPECT_EQ(c.bodies[0].center, (Vec3{4, 4, 4}));
  EXPECT_EQ(names(c), "zeppelin anvil both new-1 ");
  const Case replaced = parse(named, {"bodies.zeppelin={shape: stl, file: x.stl}"});
  EXPECT_EQ(names(replaced), "zeppelin anvil both ");
  EXPECT_FALSE(replaced.bodies[0].radius);
  EXPECT_EQ(names(parse(named, {"bodies={b: {shape: stl, file: b}, a: {shape: stl, file: a}}",
                                "expect={}"})),
            "b a ");
}

TEST(CaseNamed, MessagesHaveLinesAndNearKeys) {
  EXPECT_EQ(parse_error(minimal + "bodies:\n  ball:\n    raduis: 3\n"),
            "c.yaml:9: bodies.ball.raduis: unknown key, did you mean bodies.ball.radius?");
  EXPECT_EQ(parse_error(minimal + "bodies:\n  ball:\n    radius: 0\n"),
            "c.yaml:9: bodies.ball.radius: found \"0\", must be a number > 0");
  EXPECT_EQ(
      parse_error(minimal + "bodies: 3\n"),
      "c.yaml:7: bodies: found \"3\", must be a map of names, each with a map of its own keys");
  EXPECT_EQ(parse_error(minimal + "bodies: {2nd: {shape: box}}\n"),
            "c.yaml:7: bodies.2nd: found \"2nd\" as a name, must be 1 to 64 letters, digits, `_` "
            "or `-`, the first a letter or `_`");
  for (const char* nothing : {"", " {}"}) {
    EXPECT_EQ(parse_error(minimal + "expect:\n  drag:" + nothing + "\n")
                  .find("c.yaml:8: expect.drag: found "),
              0u);
  }
  EXPECT_NE(
      parse_error(minimal, {"bodies.a={}"}).find("found an empty map, must be a map of shape"),
      std::string::npos);
  EXPECT_NE(parse_error(minimal, {"bodies..radius=3"}).find("found \"\" as a name"),
            std::string::npos);
  EXPECT_NE(parse_error(minimal, {"bodies.a.b.c=3"}).find("unknown key"), std::string::npos);
  EXPECT_EQ(where(parse(named), "bodies.zeppelin.size"), "c.yaml:9: bodies.zeppelin.size");
}

TEST(CaseNamed, NamesHaveALimit) {
  EXPECT_TRUE(is_item_name(std::string(64, 'x')));
  EXPECT_TRUE(is_item_name("_a-1"));
  for (const auto& bad : {std::string(65, 'x'), std::string("-a"), std::string("a b"),
                          std::string("a.b"), std::string("\xc3\xa9"), std::string("1a")}) {
    EXPECT_FALSE(is_item_name(bad)) << bad;
  }
}

TEST(CaseNamed, WrittenBackTheSame) {
  const Case c = parse(named);
  const std::string yaml = to_yaml(c);
  const Case back = parse(yaml);
  EXPECT_EQ(to_yaml(back), yaml);
  EXPECT_EQ(names(back), names(c));
  EXPECT_EQ(back.bodies[2].rotate[1].degrees, -5);
  EXPECT_EQ(back.faces[0].patches[1].name, "drain");
  EXPECT_EQ(back.faces[0].patches[0].radius, 2);
  EXPECT_EQ(back.expect[0].body, "zeppelin");
  EXPECT_EQ(yaml.find("NAME"), std::string::npos);
}

TEST(CaseNamed, TheTableKnowsThem) {
  EXPECT_EQ(find_key("bodies.ball.radius"), find_key("bodies.NAME.radius"));
  EXPECT_EQ(find_key("bodies.ball.radius")->path, "bodies.NAME.radius");
  EXPECT_FALSE(find_key("bodies.ball"));
  EXPECT_TRUE(is_group("boundaries.y_max.patches.jet.turbulence"));
  EXPECT_FALSE(is_group("bodies.2nd"));
  EXPECT_EQ(members("bodies"), std::vector<std::string>{"NAME"});
  EXPECT_EQ(named_item("bodies.ball.radius"), "bodies.ball");
  EXPECT_EQ(table_path("bodies.ball.radius"), "bodies.NAME.radius");
  EXPECT_EQ(table_path("fluid.tau"), "fluid.tau");
}

// A scalar's name is a word of keys that come before it.
const std::string with_scalars = minimal + R"(outputs:
  some: {fields: [velocity, heat, dye], every_steps: 5}
  all: {every_steps: 5}
quantities:
  mean: {kind: mean, field: dye}
  up: {kind: nusselt, scalar: heat}
pictures:
  cut: {slice: y, quantity: dye}
boundaries: {x_min: wall}
scalars:
  heat:
    prandtl: 1
    boundaries: {z_min: {type: value, value: 1}, z_max: {type: value, value: 0}}
  dye: {prandtl: 700}
)";

TEST(CaseNamed, ScalarsAreWords) {
  const Case c = parse(with_scalars);
  EXPECT_EQ(c.outputs[0].fields,
            (std::vector{FieldKind::velocity, fields::scalar_kind(0), fields::scalar_kind(1)}));
  EXPECT_EQ(fields_in(c.outputs[1], 2),
            (std::vector{FieldKind::density, FieldKind::velocity, fields::scalar_kind(0),
                         fields::scalar_kind(1)}));
  EXPECT_EQ(scalar_of(*c.quantities[0].field), 1U);
  const std::string yaml = to_yaml(c);
  for (const char* line : {"fields: [velocity, heat, dye]\n", "field: dye\n", "quantity: dye\n"}) {
    EXPECT_NE(yaml.find(line), std::string::npos) << line << yaml;
  }
  EXPECT_EQ(to_yaml(parse_case(yaml, "again.yaml")), yaml);
  EXPECT_EQ(checked_value("outputs.NAME.fields", "[density, anything]").yaml,
            "[density, anything]");
}

TEST(CaseNamed, MessagesListScalars) {
  const auto error = [](const std::string& override_text) {
    return parse_error(with_scalars, {override_text});
  };
  for (const char* unknown :
       {"outputs.some.fields=[colour]", "outputs.some.fields=['#1']", "quantities.mean.field=hea",
        "pictures.cut.quantity=heat2", "outputs.some.isosurface=solid"}) {
    EXPECT_NE(error(unknown).find(", heat, dye"), std::string::npos) << error(unknown);
  }
  const std::string without = parse_error(minimal + "outputs: {o: {fields: [heat]}}\n");
  EXPECT_TRUE(without.ends_with("wall_shear_stress, solid_fraction, solid")) << without;
}

TEST(CaseNamed, ANusseltNumberNeedsTwoFacesWithValues) {
  const auto error = [](const std::string& override_text) {
    return parse_error(with_scalars, {override_text});
  };
  for (const char* override_text :
       {"quantities.up.scalar=dye", "scalars.heat.boundaries.z_max=no_flux",
        "scalars.heat.boundaries.z_max.value=1"}) {
    EXPECT_NE(error(override_text).find("one pair of opposite faces"), std::string::npos)
        << error(override_text);
  }
  EXPECT_NE(error("scalars.heat.source=1").find("conflicts with scalars.heat.source"),
            std::string::npos);
  EXPECT_NE(error("scalars.heat.boundaries.x_min={type: flux, value: 1}")
                .find("nothing may pass the other faces"),
            std::string::npos);
  EXPECT_NE(error("quantities.up.scalar=cold").find("must be the name of a scalar"),
            std::string::npos);
  // The fluid of a patch carries the scalar through the face.
  const std::string jet =
      "boundaries.z_min={type: wall, patches: {jet: {type: velocity, velocity: [0, 0, 1], center: "
      "[4, 4], radius: 2}}}";
  EXPECT_NE(error(jet).find("nothing may pass the other faces"), std::string::npos);
  EXPECT_NE(parse_error(with_scalars, {jet, "quantities.up.face=z_min"}).find("must be a wall"),
            std::string::npos);
  const std::string strip = "boundaries.z_min={type: wall, patches: {strip: {box: [0, 4, 0, 4]}}}";
  const std::string patch = "scalars.heat.boundaries.z_min.";
  EXPECT_NE(
      parse_error(with_scalars, {strip, patch + "patches=[strip]", patch + "patch_types=[no_flux]"})
          .find("z_min.patches: a Nusselt number needs faces without patches"),
      std::string::npos);
  EXPECT_NE(error("quantities.up.face=x_min").find("must be one of the two faces across z"),
            std::string::npos);
  EXPECT_NE(
      parse_error(with_scalars + "bodies: {b: {shape: sphere, center: [4, 4, 4], radius: 2}}\n")
          .find("conflicts with bodies"),
      std::string::npos);
}

TEST(CaseNamed, ADissipationOfAScalarNeedsItsName) {
  const auto error = [](const std::string& override_text) {
    return parse_error(with_scalars, {override_text});
  };
  const std::string mean = "quantities.mean={kind: mean, field: dissipation, scalar: ";
  EXPECT_NE(error(mean + "cold}").find("must be the name of a scalar"), std::string::npos);
  EXPECT_NE(error("quantities.mean.scalar=heat").find("requires field: dissipation"),
            std::string::npos);
  EXPECT_NE(
      parse_error(with_scalars, {mean + "heat}", "scalars.heat.boundaries.z_max.value=cos(t)"})
          .find("needs faces without patches, whose values are numbers"),
      std::string::npos);
  EXPECT_NE(
      parse_error(with_scalars + "bodies: {b: {shape: sphere, center: [4, 4, 4], radius: 2}}\n",
                  {mean + "dye}", "quantities.up={kind: mean, field: dye}"})
          .find("the dissipation of a scalar is that of a box without solid bodies"),
      std::string::npos);
}

TEST(CaseNamed, AHeatFlowNeedsBodiesThatGive) {
  const std::string text = with_scalars + R"(bodies:
  warm: {shape: sphere, center: [2, 2, 2], radius: 1}
  other: {shape: sphere, center: [5, 5, 5], radius: 1}
)";
  const std::vector<std::string> good{
      "quantities.up={kind: heat_flow, scalar: dye, bodies: [warm]}", "scalars.dye.bodies=[warm]",
      "scalars.dye.body_values=[1]"};
  const auto error = [&](const std::string& override_text) {
    std::vector<std::string> all = good;
    all.push_back(override_text);
    return parse_error(text, all);
  };
  EXPECT_EQ(parse_case(text, "c.yaml", good).quantities[1].scalar, "dye");
  EXPECT_NE(error("quantities.up.bodies=[other]").find("others give nothing"), std::string::npos);
  EXPECT_NE(error("quantities.up.scalar=heat").find("must be in scalars.heat.bodies"),
            std::string::npos);
  EXPECT_NE(error("quantities.up={kind: heat_flow, bodies: [warm]}").find("missing: the name of"),
            std::string::npos);
  EXPECT_NE(error("quantities.up.direction=[1, 0, 0]").find("requires kind"), std::string::npos);
  EXPECT_NE(error("quantities.up.face=z_min").find("requires kind"), std::string::npos);
}

}  // namespace
}  // namespace lbm::cases
