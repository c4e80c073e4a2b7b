// SPDX-License-Identifier: Apache-2.0

// The key table: agreement of texts and readers, the reference page, misspelt keys, scalars.
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <set>
#include <sstream>

#include "cases/case/scalars.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/case/validate/validate.hpp"
#include "tests/cases/case_support.hpp"

namespace lbm::cases {
namespace {

// The cells of a row of the reference page: type, default, allowed values, meaning.
using Cells = std::vector<std::string>;

Cells cells_of(const std::string& row) {
  std::istringstream page(case_reference_markdown());
  for (std::string line; std::getline(page, line);) {
    const std::string start = "| `" + row + "` | ";
    if (!line.starts_with(start)) continue;
    Cells cells;
    for (std::size_t at = start.size(); at < line.size();) {
      const std::size_t end = line.find(" |", at);
      cells.push_back(line.substr(at, end - at));
      at = end + 3;
    }
    return cells;
  }
  return {"no row", "", "", ""};
}

TEST(CaseKeys, DefaultsOnThePageAreTheDefaultsOfTheCase) {
  for (const Key& key : keys()) {
    // "required", "nx", "this or tau", ...: not a value, and not written.
    if (key.write(Case{}).empty()) continue;
    std::string text = cells_of(key.row)[1];
    std::erase(text, '`');
    Case read_back;
    ASSERT_TRUE(key.read(YAML::Load(text), read_back)) << key.path;
    EXPECT_EQ(key.write(read_back), key.write(Case{})) << key.path;
  }
}

TEST(CaseKeys, KeysWithADefaultAreWrittenOthersAreNot) {
  for (const char* path : {"name", "lattice.magic", "run.density_range", "output.forces",
                           "boundaries.x_min.type", "bodies.NAME.solid", "bodies.NAME.walls"}) {
    EXPECT_NE(find_key(path)->write(Case{}), "") << path;
  }
  for (const char* path : {"grid.cells", "fluid.tau", "boundaries.x_min", "bodies.NAME.radius"}) {
    EXPECT_EQ(find_key(path)->write(Case{}), "") << path;
  }
}

TEST(CaseKeys, PathsAreUnique) {
  std::set<std::string> paths;
  for (const Key& key : keys()) EXPECT_TRUE(paths.insert(key.path).second) << key.path;
}

// The page has a row for each key, in the order of the table, and no other.
TEST(CaseKeys, ReferencePage) {
  std::string rows;
  std::set<std::string> done;
  for (const Key& key : keys()) {
    if (!done.insert(key.row).second) continue;
    const Cells cells = cells_of(key.row);
    ASSERT_EQ(cells.size(), 4U) << key.row;
    EXPECT_EQ(cells[0], key.type) << key.row;
    EXPECT_EQ(cells[2], key.allowed) << key.row;
    EXPECT_GT(cells[3].size(), 10U) << key.row;
    rows += "| `" + key.row + "` |\n";
  }
  const std::string page = case_reference_markdown();
  std::string rows_of_page;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("| `")) rows_of_page += line.substr(0, line.find(" |") + 2) + "\n";
  }
  EXPECT_EQ(rows_of_page, rows);
  for (const std::string& group : members("")) {
    const bool has_section = page.find("\n## " + group + "\n") != std::string::npos;
    EXPECT_EQ(has_section, is_group(group)) << group;
  }
}

TEST(CaseKeys, RulesNameAllowedWords) {
  for (const Key& key : keys()) {
    for (const Rule& rule : key.rules) {
      for (const std::string& word : rule.words) {
        Case scratch;
        EXPECT_TRUE(rule.others.front()->read(YAML::Load(word), scratch)) << key.path << word;
        EXPECT_EQ(rule.others.front()->write(scratch), word) << key.path;
      }
    }
  }
}

TEST(CaseKeys, ExampleOfTheReferencePageIsValid) {
  const std::string page = case_reference_markdown(), start = "```yaml\n";
  const auto begin = page.find(start) + start.size();
  const Case c = parse_case(page.substr(begin, page.find("```\n", begin) - begin), "example.yaml");
  EXPECT_NO_THROW(validate(c));
  EXPECT_EQ(warnings(c, derive(c)), std::vector<std::string>{});
}

TEST(CaseKeys, NearestKey) {
  EXPECT_EQ(nearest_key("fluid.reynold"), "fluid.reynolds");
  EXPECT_EQ(nearest_key("fluid.Reynolds"), "fluid.reynolds");
  EXPECT_EQ(nearest_key("reynolds"), "fluid.reynolds");
  EXPECT_EQ(nearest_key("lattice.lattice_velocity"), "fluid.lattice_velocity");
  EXPECT_EQ(nearest_key("grid.clels"), "grid.cells");
  EXPECT_EQ(nearest_key("fluids"), "fluid");
  EXPECT_EQ(nearest_key("boundaries.z_mx"), "boundaries.z_max");
  EXPECT_EQ(nearest_key("boundaries.y_min.veloctiy"), "boundaries.y_min.velocity");
  EXPECT_EQ(nearest_key("tiling.device"), "device");
  EXPECT_EQ(nearest_key("host.memroy"), "host.memory");
  EXPECT_EQ(nearest_key("turbulence.smagorinsky"), "lattice.smagorinsky");
  EXPECT_EQ(nearest_key("bodies.ball.raduis"), "bodies.ball.radius");
  EXPECT_EQ(nearest_key("body.ball.radius"), "bodies.ball.radius");
  EXPECT_EQ(nearest_key("boundaries.x_min.patch.jet.type"), "boundaries.x_min.patches.jet.type");
  EXPECT_EQ(nearest_key("expect.drag.boddy"), "expect.drag.body");
  EXPECT_EQ(nearest_key("chemistry.wavelength"), "");
  EXPECT_EQ(nearest_key(std::string(100000, 'x')), "");
}

TEST(CaseKeys, Numbers) {
  EXPECT_EQ(parse_number("-1.5e3"), -1500);
  EXPECT_EQ(parse_number("+2"), 2);
  for (const char* bad : {"", "+", "+-1", "1 ", " 1", "1x", "nan", "inf", ".inf", "-inf", "1e999",
                          "0x10", "1,5", "1_000", "--1"}) {
    EXPECT_FALSE(parse_number(bad)) << bad;
  }
  EXPECT_EQ(parse_whole("9007199254740993"), 9007199254740993);
  EXPECT_EQ(parse_whole("1e6"), 1000000);
  for (const char* bad : {"1.5", "1e30", "99999999999999999999", "nan", ""}) {
    EXPECT_FALSE(parse_whole(bad)) << bad;
  }
}

TEST(CaseKeys, Bytes) {
  EXPECT_EQ(parse_bytes("1000"), 1000u);
  EXPECT_EQ(parse_bytes("8e9"), 8'000'000'000u);
  EXPECT_EQ(parse_bytes("8 GB"), 8'000'000'000u);
  EXPECT_EQ(parse_bytes("8gib"), 8ull << 30);
  EXPECT_EQ(parse_bytes("1.5 TiB"), 3ull << 39);
  EXPECT_EQ(parse_bytes("64 kB"), 64'000u);
  for (const char* bad :
       {"", "GB", "8 G", "8 XB", "-8 GB", "0", "0.5", "nan GB", "1e30", "8 8 GB", "8e9 e", "inf"}) {
    EXPECT_FALSE(parse_bytes(bad)) << bad;
  }
}

TEST(CaseKeys, MessagesAreOneLineOfUtf8) {
  EXPECT_EQ(one_line("a\nb\x7f\x1b[1m"), "a?b??[1m");
  for (const char* good : {"é", "ß€", "\xf0\x9f\x98\x80", "\xc2\xa0", "\xed\x9f\xbf"}) {
    EXPECT_EQ(one_line(good), good);
  }
  EXPECT_EQ(one_line("fluid.reyn\xeflds"), "fluid.reyn?lds");
  // A lone lead or trail byte, an overlong form, a surrogate, beyond U+10FFFF, a C1 control.
  EXPECT_EQ(one_line("\xc3"), "?");
  EXPECT_EQ(one_line("\xa9z"), "?z");
  EXPECT_EQ(one_line("\xc0\xaf"), "??");
  EXPECT_EQ(one_line("\xe0\x80\xaf"), "???");
  EXPECT_EQ(one_line("\xed\xa0\x80"), "???");
  EXPECT_EQ(one_line("\xf4\x90\x80\x80"), "????");
  EXPECT_EQ(one_line("\xc2\x9bm"), "??m");
  EXPECT_EQ(one_line("\xe2\x82"), "??");
  // Cut between characters.
  EXPECT_EQ(one_line("aé", 2), "a...");
  EXPECT_EQ(one_line("aé", 3), "aé");
  EXPECT_EQ(one_line("abcd", 3), "abc...");
}

TEST(CaseKeys, QuotedTextSurvivesYaml) {
  const std::string odd = "a \"b\" \\ \n\t\x01 # ' é";
  EXPECT_EQ(YAML::Load(double_quoted(odd)).Scalar(), odd);
}

}  // namespace
}  // namespace lbm::cases
