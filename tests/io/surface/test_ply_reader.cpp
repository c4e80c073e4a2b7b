// SPDX-License-Identifier: Apache-2.0

// Valid and invalid PLY files.
#include <fmt/format.h>

#include <bit>

#include "tests/io/surface/surface_support.hpp"

namespace {

using lbm::testing::contains, lbm::testing::cr_lines, lbm::testing::utf16;
using Triangles = std::vector<std::array<std::int32_t, 3>>;

std::string header(const std::string& format, const std::string& vertices = "4",
                   const std::string& faces = "2") {
  return "ply\nformat " + format + " 1.0\ncomment made by a test # \\\nelement vertex " + vertices +
         "\nproperty uchar red\nproperty double x\nproperty float y\nproperty short z\nelement "
         "face " +
         faces +
         "\nproperty list uchar uint vertex_indices\nproperty list int8 float more\nend_header\n";
}

const std::string values = "7 0 0 0\n7 1.5 0 0\n7 0 1.5 0\n7 0 0 -3\n3 0 1 2 1 0.5\n4 0 1 2 3 0\n";

template <class T>
std::string bytes_of(T value, bool big) {
  auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);  // little endian here
  std::string text(bytes.begin(), bytes.end());
  return big ? std::string(text.rbegin(), text.rend()) : text;
}

std::string binary_values(bool big) {
  std::string text;
  const std::array<std::array<double, 3>, 4> points{
      {{0, 0, 0}, {1.5, 0, 0}, {0, 1.5, 0}, {0, 0, -3}}};
  for (const auto& p : points)
    text += '\7' + bytes_of(p[0], big) + bytes_of(static_cast<float>(p[1]), big) +
            bytes_of(static_cast<std::int16_t>(p[2]), big);
  text += '\3';
  for (const std::uint32_t v : {0U, 1U, 2U}) text += bytes_of(v, big);
  text += '\1' + bytes_of(0.5F, big) + '\4';
  for (const std::uint32_t v : {0U, 1U, 2U, 3U}) text += bytes_of(v, big);
  return text + '\0';
}

class Ply : public lbm::testing::SurfaceFile {
 protected:
  void expect_read(const std::string& bytes) {
    const auto surface = read(bytes, "part.any");
    EXPECT_EQ(surface.points, (std::vector<std::array<double, 3>>{
                                  {0, 0, 0}, {1.5, 0, 0}, {0, 1.5, 0}, {0, 0, -3}}));
    ASSERT_EQ(surface.triangles.size(), 3U);
    EXPECT_EQ(surface.triangles[0], (std::array<std::int32_t, 3>{0, 1, 2}));
  }
  std::string error(const std::string& bytes) { return error_of(bytes, "part.ply"); }
};

TEST_F(Ply, ReadsText) { expect_read(header("ascii") + values); }
TEST_F(Ply, ReadsTextOfDos) {
  std::string text;
  for (const char c : header("ascii") + values)
    text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  expect_read(text);
}
TEST_F(Ply, ReadsBinaryOfBothByteOrders) {
  expect_read(header("binary_little_endian") + binary_values(false));
  expect_read(header("binary_big_endian") + binary_values(true));
}

TEST_F(Ply, ReadsTextOfManyPrograms) {
  expect_read("\xef\xbb\xbf" + header("ascii") + values);
  expect_read(cr_lines(header("ascii") + values));
  const std::string binary = "binary_little_endian";
  expect_read(cr_lines(header(binary)) + binary_values(false));
  for (const bool big : {false, true})
    EXPECT_TRUE(contains(error(utf16(header("ascii") + values, big)), "is text in UTF-16"));
}
TEST_F(Ply, ReadsFacesBeforeVertices) {
  const std::string text = header("ascii"), types = "property list uchar uint vertex_indices\n";
  const std::size_t vertex = text.find("element vertex"), face = text.find("element face"),
                    end = text.find("end_header");
  const std::string turned = text.substr(0, vertex) + text.substr(face, end - face) +
                             text.substr(vertex, face - vertex) + "end_header\n";
  const std::size_t lines = values.find("3 0 1 2");
  expect_read(turned + values.substr(lines) + values.substr(0, lines));
  EXPECT_TRUE(contains(error(turned + "3 0 1 4 1 0.5\n4 0 1 2 3 0\n" + values.substr(0, lines)),
                       "found point 4 in a face, must be one of 0 to 3"));
  EXPECT_TRUE(contains(error(turned + "2 0 1 1 0.5\n4 0 1 2 3 0\n" + values.substr(0, lines)),
                       "found a face of 2 corners"));
  EXPECT_TRUE(
      contains(error("ply\nformat ascii 1.0\nelement face 1\n" + types + "end_header\n3 0 1 2\n"),
               "holds faces and no vertices"));
}

TEST_F(Ply, SaysWhatIsDamaged) {
  EXPECT_TRUE(contains(error("ply\nformat asci 1.0\n"), "2: found 'asci' where ascii, binary_"));
  EXPECT_TRUE(contains(error("ply\nformat ascii 2.0\n"), "found '2.0' where version 1.0 belongs"));
  EXPECT_TRUE(contains(error("ply\nformat ascii 1.0\nelement vertex -1\n"), "3: found '-1' where"));
  EXPECT_TRUE(
      contains(error("ply\nformat ascii 1.0\nproperty float x\n"), "before the first element"));
  EXPECT_TRUE(contains(error("ply\nformat ascii 1.0\nelement vertex 3\nproperty half x\n"),
                       "4: found 'half' where a type such as float"));
  EXPECT_TRUE(contains(error("ply\nformat ascii 1.0\nelement vertex 3\n"), "before 'end_header'"));
  EXPECT_TRUE(
      contains(error(header("ascii", "4", "0") + values), "holds no faces (vertex: 4, face: 0)"));
  EXPECT_TRUE(contains(error(header("ascii") + values.substr(0, 60)), "is cut short"));
  EXPECT_TRUE(contains(error(header("ascii", "4", "2") + "7 0 0 x"), "announces 4 of 'vertex'"));
  EXPECT_TRUE(contains(error(header("ascii", "1", "1") + "7 0 0 x 3 0 0 0 0"),
                       "13: found 'x' where a number"));
  EXPECT_TRUE(contains(error(header("ascii", "1", "1") + "7 0 nan 1 3 0 0 0 0"), "point 0 has a"));
  EXPECT_TRUE(
      contains(error(header("ascii", "4", "1") + "7 0 0 0 7 0 0 0 7 0 0 0 7 0 0 0 3 0 1 4 0"),
               "found point 4 in a face, must be one of 0 to 3"));
  EXPECT_TRUE(
      contains(error(header("ascii", "4", "1") + "7 0 0 0 7 0 0 0 7 0 0 0 7 0 0 0 3 0 1 .5 0"),
               "found point 0.5 in a face"));
  EXPECT_TRUE(
      contains(error(header("ascii", "4", "1") + "7 0 0 0 7 0 0 0 7 0 0 0 7 0 0 0 2 0 1 0 0"),
               "found a face of 2 corners"));
  const std::string binary = header("binary_little_endian") + binary_values(false);
  EXPECT_TRUE(
      contains(error(binary.substr(0, binary.size() - 1)), "the file ends within its values"));
}

// Counts are compared with the bytes that are there before memory is taken.
TEST_F(Ply, BelievesNoCount) {
  EXPECT_TRUE(
      contains(error(header("binary_little_endian", "9000000000000000000") + binary_values(false)),
               "announces 9000000000000000000 of 'vertex', which take 15 bytes or more each"));
  EXPECT_TRUE(
      contains(error("ply\nformat binary_little_endian 1.0\nelement nothing 9000000000000000000\n"
                     "end_header\n"),
               "holds no faces"));
  const std::string list =
      "ply\nformat binary_little_endian 1.0\nelement a 1\nproperty list uint char b\n"
      "end_header\n\xff\xff\xff\xff";
  EXPECT_TRUE(contains(error(list), "found a list of 4294967295 values, 0 bytes are left"));
}

}  // namespace
