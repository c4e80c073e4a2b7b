// SPDX-License-Identifier: Apache-2.0

// Valid and invalid STL files.
#include "io/surface/surface_reader.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "solver/core/error.hpp"
#include "tests/io/scratch.hpp"
#include "tests/io/surface/surface_support.hpp"

namespace {

namespace fs = std::filesystem;
using lbm::UsageError;
using lbm::io::read_surface;
using lbm::testing::contains;
using lbm::testing::message_of;
using lbm::testing::ScratchDirectory;

using StlFacet = std::array<std::array<float, 3>, 3>;

const std::vector<StlFacet> tetrahedron{
    {{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}}},
    {{{0, 0, 0}, {1, 0, 0}, {0, 0, 1.25F}}},
    {{{0, 0, 0}, {0, 0, 1.25F}, {0, 1, 0}}},
    {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1.25F}}},
};

std::string text_of(const std::vector<StlFacet>& facets, const std::string& name = "part") {
  std::string text = "solid " + name + "\n";
  for (const StlFacet& f : facets) {
    text += "  facet normal 0 0 0\n    outer loop\n";
    for (const auto& p : f) text += fmt::format("      vertex {} {} {}\n", p[0], p[1], p[2]);
    text += "    endloop\n  endfacet\n";
  }
  return text + "endsolid " + name + "\n";
}

void append_little_endian(std::string& bytes, std::uint32_t value, int count) {
  for (int n = 0; n < count; ++n) bytes += static_cast<char>(value >> (8 * n) & 0xffU);
}

std::string binary_of(const std::vector<StlFacet>& facets, std::string header = "made by a test") {
  header.resize(80, '\0');
  std::string bytes = header;
  append_little_endian(bytes, static_cast<std::uint32_t>(facets.size()), 4);
  for (const StlFacet& f : facets) {
    bytes.append(12, '\0');  // the normal
    for (const auto& p : f)
      for (const float x : p) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, &x, 4);
        append_little_endian(bytes, bits, 4);
      }
    bytes.append(2, '\0');
  }
  return bytes;
}

std::vector<StlFacet> facets_of(const lbm::io::Surface& surface) {
  std::vector<StlFacet> facets;
  for (const auto& triangle : surface.triangles) {
    StlFacet& facet = facets.emplace_back();
    for (std::size_t n = 0; n < 3; ++n)
      for (std::size_t a = 0; a < 3; ++a)
        facet[n][a] = static_cast<float>(surface.points.at(triangle[n])[a]);
  }
  return facets;
}

class Stl : public ::testing::Test {
 protected:
  fs::path file(const std::string& bytes) {
    const fs::path path = scratch_.path() / "part.stl";
    lbm::testing::write_text(path, bytes);
    return path;
  }
  // The message without the path.
  std::string error_of(const std::string& bytes) { return error_of(file(bytes)); }
  static std::string error_of(const fs::path& path) {
    const std::string line = message_of<UsageError>([&] { read_surface(path); });
    EXPECT_EQ(line.rfind(path.string() + ":", 0), 0U) << line;
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    return line.substr(std::min(line.size(), path.string().size() + 1));
  }
  void expect_read(const std::string& bytes, const std::vector<StlFacet>& facets) {
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(facets_of(read_surface(file(bytes))), facets);
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  }
  ScratchDirectory scratch_;
};

TEST_F(Stl, ReadsText) { expect_read(text_of(tetrahedron), tetrahedron); }
TEST_F(Stl, ReadsTextWithoutLastNewline) {
  std::string text = text_of(tetrahedron);
  text.pop_back();
  expect_read(text, tetrahedron);
}
TEST_F(Stl, ReadsTextWithoutAName) { expect_read(text_of(tetrahedron, ""), tetrahedron); }
TEST_F(Stl, ReadsTextOfDos) {
  std::string text;
  for (const char c : text_of(tetrahedron))
    text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  expect_read(text, tetrahedron);
}
TEST_F(Stl, ReadsTextInCapitals) {
  std::string text = text_of(tetrahedron);
  for (char& c : text) c = static_cast<char>(std::toupper(c));
  expect_read(text, tetrahedron);
}
TEST_F(Stl, ReadsTextOfManyPrograms) {
  const std::string text = text_of(tetrahedron);
  expect_read("\xef\xbb\xbf" + text, tetrahedron);
  expect_read(lbm::testing::cr_lines(text), tetrahedron);
  for (const char* comment : {"# made by\n", "\n; made by\n# me\n\n", "// solid\r\n", "#\r"})
    expect_read(comment + text, tetrahedron);
  expect_read(text + "# the end\n", tetrahedron);
  expect_read(binary_of(tetrahedron, "\xef\xbb\xbf binary"), tetrahedron);
  std::string spaced = text;
  for (const char* word : {"loop", "facet", "solid"})
    for (std::size_t at = 0;
         (at = spaced.find(std::string("end") + word, at)) != std::string::npos;)
      spaced.insert(at + 3, " ");
  expect_read(spaced, tetrahedron);
  for (const bool big : {false, true})
    EXPECT_TRUE(contains(error_of(lbm::testing::utf16(text, big)), "is text in UTF-16"));
  EXPECT_TRUE(contains(error_of("made by\n" + text), "does not begin with 'solid'"));
}
// A building in metres of a map: single precision holds half metres there.
TEST_F(Stl, ReadsTextInDoublePrecision) {
  std::string text = text_of(tetrahedron);
  const std::string number = "vertex 0 1 0";
  text.replace(text.find(number), number.size(), "vertex 691260.5001 5334790.9003 529.4");
  EXPECT_EQ(read_surface(file(text)).points[1],
            (std::array<double, 3>{691260.5001, 5334790.9003, 529.4}));
}
TEST_F(Stl, ReadsSeveralSolids) {
  std::vector<StlFacet> twice = tetrahedron;
  twice.insert(twice.end(), tetrahedron.begin(), tetrahedron.end());
  expect_read(text_of(tetrahedron, "one") + text_of(tetrahedron, "two"), twice);
}
TEST_F(Stl, KeepsTheSolidsThatAreAskedFor) {
  std::vector<StlFacet> larger = tetrahedron;
  larger[3][0][0] = 2;
  const fs::path path = file(text_of(tetrahedron, "the hull") + text_of(larger, " keel\t\r") +
                             text_of(tetrahedron, ""));
  const lbm::io::Surface all = read_surface(path);
  EXPECT_EQ(all.solids, (std::vector<std::string>{"the hull", "keel"}));
  EXPECT_EQ(all.triangles.size(), 12U);
  const lbm::io::Surface keel = read_surface(path, {{"keel"}});
  EXPECT_EQ(facets_of(keel), larger);
  EXPECT_EQ(keel.points.size(), 12U);
  EXPECT_EQ(read_surface(path, {{"keel", "the hull"}}).triangles.size(), 8U);
}
TEST_F(Stl, NamesTheSolidsOfTheFile) {
  const auto error = [&](const std::string& bytes, const std::vector<std::string>& solids) {
    const fs::path path = file(bytes);
    const std::string line = message_of<UsageError>([&] { read_surface(path, {solids}); });
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    return line.substr(std::min(line.size(), path.string().size() + 2));
  };
  const std::string two = text_of(tetrahedron, "hull") + text_of(tetrahedron, "keel");
  EXPECT_EQ(error(two, {"hull", "rudder"}),
            "found no solid named rudder; the solids of the file are: hull, keel");
  EXPECT_TRUE(contains(error(binary_of(tetrahedron), {"hull"}), "the file has no named solids"));
  EXPECT_TRUE(contains(error(text_of({}, "empty") + two, {"empty"}), "hold no triangles"));
  std::string many;
  for (int n = 0; n < 100; ++n) many += text_of(tetrahedron, fmt::format("part_{}", n));
  EXPECT_TRUE(contains(error(many, {"x"}), "part_0, part_1, "));
  EXPECT_TRUE(contains(error(many, {"x"}), " more"));
  EXPECT_LT(error(many, {"x"}).size(), 500U);
}
TEST_F(Stl, EndsAtATimeLimit) {
  const fs::path path = file(text_of(tetrahedron));
  const lbm::TimeLimit over{std::chrono::duration<double>(-1)};
  EXPECT_THROW(read_surface(path, {{}, over}), lbm::TimeLimitReached);
}
TEST_F(Stl, ReadsBinary) { expect_read(binary_of(tetrahedron), tetrahedron); }
TEST_F(Stl, ReadsBinaryThatBeginsWithSolid) {
  expect_read(binary_of(tetrahedron, "solid part made by a program"), tetrahedron);
}
TEST_F(Stl, ReadsBinaryWithSpacesInItsHeader) {
  std::string header = "solid ";
  header.resize(80, ' ');
  expect_read(binary_of(tetrahedron, header), tetrahedron);
}
TEST_F(Stl, ReadsBinaryWithoutABytePastText) {
  std::vector<StlFacet> facets = tetrahedron;
  for (StlFacet& f : facets)
    for (auto& p : f)
      for (float& x : p) x = x != 0 ? 2 : 0;
  expect_read(binary_of(facets, "solid part"), facets);
}
TEST_F(Stl, KeepsTrianglesWithEqualCorners) {
  std::vector<StlFacet> facets = tetrahedron;
  facets.push_back({{{1, 0, 0}, {1, 0, 0}, {0, 1, 0}}});
  expect_read(binary_of(facets), facets);
}
TEST_F(Stl, ReadsLargeValuesOfEverySign) {
  std::vector<StlFacet> facets = tetrahedron;
  facets[1][2] = {-1.5e30F, 3.25e-30F, -0.1F};
  expect_read(binary_of(facets), facets);
  expect_read(text_of(facets), facets);
}

TEST_F(Stl, SaysWhatIsNoFile) {
  EXPECT_TRUE(contains(error_of(scratch_.path() / "none.stl"), "there is no such file"));
  EXPECT_TRUE(contains(error_of(scratch_.path()), "is a directory"));
  EXPECT_TRUE(contains(error_of(fs::path("/dev/null")), "is not a regular file"));
}

TEST_F(Stl, SaysWhatIsNotStl) {
  EXPECT_EQ(error_of(std::string()), " is empty; export or copy it again");
  EXPECT_EQ(
      error_of(std::string("PNG")),
      " has 3 bytes and does not begin with 'solid': it is no STL file, or cut short; export or "
      "copy it again");
  EXPECT_TRUE(contains(error_of(std::string(200, '\xfe')), "it is cut short or no STL file"));
  EXPECT_TRUE(contains(error_of(std::string("solid as a rock\nbut a poem\n")),
                       "2: found 'but' where 'facet' or 'endsolid' belongs"));
  EXPECT_TRUE(contains(error_of(binary_of({})), "holds no triangles"));
  EXPECT_TRUE(contains(error_of(text_of({})), "holds no triangles"));
}

TEST_F(Stl, SaysWhatIsCutShort) {
  std::string bytes = binary_of(tetrahedron);
  bytes.resize(bytes.size() - 30);
  EXPECT_EQ(
      error_of(bytes),
      " announces 4 triangles, which take 284 bytes, but has 254 bytes: it is cut short or no "
      "STL file; export or copy it again");
  bytes = binary_of(tetrahedron, "solid but binary");
  bytes.resize(bytes.size() - 50);
  EXPECT_TRUE(contains(error_of(bytes), "announces 4 triangles"));
  EXPECT_TRUE(contains(error_of(binary_of(tetrahedron) + "more"), "it is too long or no STL file"));

  const std::string text = text_of(tetrahedron);
  EXPECT_TRUE(contains(error_of(text.substr(0, text.find("endsolid"))),
                       "30: the file ends before 'endsolid': it is cut short"));
  EXPECT_TRUE(contains(error_of(text.substr(0, text.rfind("endloop"))),
                       "the file ends within a facet: it is cut short"));
}

TEST_F(Stl, SaysWhereTextIsDamaged) {
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = text_of(tetrahedron);
    return error_of(text.replace(text.find(from), from.size(), to));
  };
  EXPECT_TRUE(
      contains(with("vertex 0 1 0", "vertex 0 1"), "6: found 'vertex' where a number belongs"));
  EXPECT_TRUE(contains(with("vertex 0 1 0", "vertex 0 1,0 0"), "5: found '1,0' where a number"));
  EXPECT_TRUE(contains(with("      vertex 0 1 0\n", ""), "found 'endloop' where 'vertex' belongs"));
  EXPECT_TRUE(contains(with("endfacet", "endfact"), "8: found 'endfact' where 'endfacet' belongs"));
  EXPECT_TRUE(contains(with("vertex 0 1 0", "vertex 0 nan 0"),
                       "5: the coordinate 'nan' is no number below 3.4e38"));
  EXPECT_TRUE(contains(with("vertex 0 1 0", "vertex 0 1e99 0"),
                       "the coordinate '1e99' is no number below"));
}

TEST_F(Stl, SaysWhatIsNotFinite) {
  std::vector<StlFacet> facets = tetrahedron;
  facets[2][1][0] = std::numeric_limits<float>::quiet_NaN();
  facets[3][1][0] = -std::numeric_limits<float>::infinity();
  EXPECT_EQ(error_of(binary_of(facets)),
            " 2 of the coordinates are not finite (NaN or infinity); export the file again");
}

// Readers with a buffer of one line print and fail.
TEST_F(Stl, ReadsNamesAndNumbersOfAnyLength) {
  expect_read(text_of(tetrahedron, std::string(1'000'000, 'n')), tetrahedron);
  std::string text = text_of(tetrahedron);
  const std::string number = "vertex 0 1 0";
  text.replace(text.find(number), number.size(), "vertex 0 1." + std::string(100'000, '0') + " 0");
  expect_read(text, tetrahedron);
}

// To the bit, as std::from_chars rounds.
TEST_F(Stl, RoundsDecimalsToTheNearestDouble) {
  std::mt19937 random(5);
  std::string text = "solid\n";
  std::vector<std::array<double, 3>> points;
  const auto decimal = [&](double& x) {
    const std::string digits =
        fmt::format("{}.{:09}{:09}e{}", random() % 10, random() % 1'000'000'000,
                    random() % 1'000'000'000, static_cast<int>(random() % 60) - 30);
    std::from_chars(digits.data(), digits.data() + digits.size(), x);
    return digits;
  };
  for (int n = 0; n < 300; ++n) {
    text += "facet normal 0 0 0 outer loop";
    for (int corner = 0; corner < 3; ++corner) {
      text += " vertex";
      for (double& x : points.emplace_back()) text += " " + decimal(x);
    }
    text += " endloop endfacet\n";
  }
  EXPECT_EQ(read_surface(file(text + "endsolid\n")).points, points);
}

// More triangles than are read at a time.
TEST_F(Stl, ReadsLargeBinaryFiles) {
  std::vector<StlFacet> facets;
  for (int n = 0; n < 40'000; ++n) {
    const auto x = static_cast<float>(n);
    facets.push_back({{{x, 0, 1}, {x + 1, 0, 2}, {x, 1, 3}}});
  }
  expect_read(binary_of(facets), facets);
}

}  // namespace
