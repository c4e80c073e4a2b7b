// SPDX-License-Identifier: Apache-2.0

// Valid and invalid OBJ files.
#include "tests/io/surface/surface_support.hpp"

namespace {

using lbm::testing::contains, lbm::testing::cr_lines, lbm::testing::utf16;
using Triangles = std::vector<std::array<std::int32_t, 3>>;

const std::string points = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0.5 0.5 2\n";

class Obj : public lbm::testing::SurfaceFile {
 protected:
  Triangles triangles_of(const std::string& text, const std::vector<std::string>& solids = {}) {
    return read(text, "part.obj", solids).triangles;
  }
  std::string error(const std::string& text) { return error_of(text, "part.obj"); }
};

TEST_F(Obj, ReadsFacesOfAllKinds) {
  EXPECT_EQ(triangles_of(points + "f 1 2 3\nf 1/7 2/8 3/9\nf 1//1 2//2 3//3\nf 1/7/1 2/8/2 3/9/3\n"
                                  "f -5 -4 -3\n"),
            Triangles(5, {0, 1, 2}));
  EXPECT_EQ(triangles_of(points + "f 1 2 3 4\n"), (Triangles{{0, 1, 2}, {0, 2, 3}}));
}
TEST_F(Obj, KeepsDoublePrecision) {
  const auto surface =
      read("v 4785613.1234567 +1e-3 -2 0.5 0.5 0.5\n" + points + "f 1 2 3\n", "a.obj");
  EXPECT_EQ(surface.points[0], (std::array<double, 3>{4785613.1234567, 1e-3, -2}));
}
TEST_F(Obj, ReadsTextOfManyPrograms) {
  const std::string text = points + "f 1 2 3\nf 1 2 4\n";
  const Triangles right{{0, 1, 2}, {0, 1, 3}};
  EXPECT_EQ(triangles_of("\xef\xbb\xbf# made by\n" + text), right);
  EXPECT_EQ(triangles_of(cr_lines("# made by\n" + text)), right);
  for (const char* joined : {"1 2\\\n 4", "1 2\\\n4", "1\\\r\n2 4", "1 \\ \n 2\\\t\n4"})
    EXPECT_EQ(triangles_of(points + "f 1 2 3\nf " + joined + "\n"), right) << joined;
  EXPECT_EQ(triangles_of(cr_lines(points + "f 1 2 3\nf 1 2\\\n4\n")), right);
  for (const bool big : {false, true}) {
    EXPECT_TRUE(contains(error(utf16(text, big)), "is text in UTF-16"));
    EXPECT_TRUE(contains(error(utf16(text, big).substr(2)), "is text in UTF-16"));
  }
}
TEST_F(Obj, SkipsWhatIsNoSurface) {
  EXPECT_EQ(
      triangles_of("# a comment\nmtllib a.mtl\n\n" + points +
                   "vn 0 0 1\nvt 0 0\nusemtl red\ns off\nl 1 2\np 1\nf 1 2 \\\n 3 # here\r\n"),
      Triangles(1, {0, 1, 2}));
}
TEST_F(Obj, PicksObjectsAndGroups) {
  const std::string text =
      points + "f 1 2 3\no car\nf 1 2 4\ng door left\nf 1 3 4\ng\no\nf 2 3 4\n";
  EXPECT_EQ(read(text, "a.obj").solids, (std::vector<std::string>{"car", "door", "left"}));
  EXPECT_EQ(triangles_of(text, {"car"}), (Triangles{{0, 1, 3}, {0, 2, 3}}));
  EXPECT_EQ(triangles_of(text, {"left"}), (Triangles{{0, 2, 3}}));
  EXPECT_EQ(triangles_of(text).size(), 4U);
  EXPECT_EQ(error_of(text, "a.obj", {"roof"}),
            " found no solid named roof; the solids of the file are: car, door, left");
}
TEST_F(Obj, IsKnownByItsNameInAnyCase) {
  EXPECT_EQ(read(points + "f 1 2 3\n", "PART.OBJ").triangles.size(), 1U);
  EXPECT_TRUE(contains(error_of(points + "f 1 2 3\n", "part.txt"), "it is no STL file"));
}

TEST_F(Obj, SaysWhereTextIsDamaged) {
  EXPECT_EQ(error("v 0 0\n"),
            "1: found '' where a coordinate belongs, must be a number below 3.4e38; export the "
            "file again");
  EXPECT_TRUE(contains(error("v 0 0 nan\n"), "1: found 'nan' where a coordinate"));
  EXPECT_TRUE(contains(error("v 0 0 1e999\n"), "1: found '1e999' where a coordinate"));
  EXPECT_TRUE(contains(error("v 0 0 -4e38\n"), "1: found '-4e38' where a coordinate"));
  EXPECT_TRUE(contains(error(points + "f 1 2 6\n"),
                       "6: found point 6 in a face, must be one of the 5 points above"));
  EXPECT_TRUE(contains(error(points + "f 1 2 0\n"), "found point 0 in a face"));
  EXPECT_TRUE(contains(error(points + "f 1 2 -6\n"), "found point -6 in a face"));
  EXPECT_TRUE(
      contains(error(points + "f 1 2 99999999999999999999\n"), "where the number of a point"));
  EXPECT_TRUE(contains(error(points + "f 1 2\n"), "6: found a face of 2 corners"));
  EXPECT_TRUE(
      contains(error(points + "f 1 2 \\\n x\n"), "6: found 'x' where the number of a point"));
  EXPECT_TRUE(contains(error("solid part\n"), "1: found 'solid' where a word of OBJ"));
  EXPECT_TRUE(contains(error(points + "surf 0 1 0 1 1 2 3\n"), "a free-form curve or surface"));
  EXPECT_TRUE(contains(error(points + "l 1 2\n"), "holds no triangles"));
  EXPECT_TRUE(contains(error(std::string("\x4c\x01\x00\x02", 4)), "1: found 'L?"));
}

}  // namespace
