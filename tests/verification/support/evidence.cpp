// SPDX-License-Identifier: Apache-2.0
#include "tests/verification/support/evidence.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "io/text/json.hpp"

namespace lbm::verification {
namespace {

std::string program_name() {
  return std::filesystem::read_symlink("/proc/self/exe").filename().string();
}

// Suite.Name, with the names of instances and parameters around it where there are any.
std::string test_name() {
  const testing::TestInfo* info = testing::UnitTest::GetInstance()->current_test_info();
  if (info == nullptr) throw std::logic_error("Evidence: made outside of a test");
  return fmt::format("{}.{}", info->test_suite_name(), info->name());
}

std::string record_path(std::string name) {
  const char* folder = std::getenv("LBM_EVIDENCE");
  if (folder == nullptr || *folder == '\0') return "";
  std::replace(name.begin(), name.end(), '/', '-');
  return (std::filesystem::path(folder) / (name + ".json")).string();
}

bool asked_for_full = false;  // by the test that runs

}  // namespace

bool full_run() {
  const char* mode = std::getenv("LBM_VERIFICATION");
  const bool full = mode != nullptr && std::string_view(mode) == "full";
  asked_for_full = asked_for_full || full;
  return full;
}

Evidence::Evidence(std::string title, std::string against)
    : program_(program_name()),
      test_(test_name()),
      title_(std::move(title)),
      against_(std::move(against)),
      path_(record_path(test_)),
      exceptions_(std::uncaught_exceptions()) {
  asked_for_full = false;
  write(false);
}

Evidence::~Evidence() {
  try {
    const bool thrown = std::uncaught_exceptions() > exceptions_;
    const bool met = std::all_of(checks_.begin(), checks_.end(), [](auto& c) { return c.passed; });
    write(met && !thrown && !testing::Test::HasFailure());
  } catch (const std::exception& error) {
    ADD_FAILURE() << "the evidence cannot be written: " << error.what();
  }
}

Evidence& Evidence::on(std::string grid) {
  grid_ = std::move(grid);
  return *this;
}

Evidence& Evidence::against(std::string reference) {
  against_ = std::move(reference);
  return *this;
}

Evidence& Evidence::headline() {
  next_is_headline_ = true;
  return *this;
}

void Evidence::below(const std::string& what, double measured, double bound, Unit unit,
                     Where where) {
  check(what, {.relation = "<", .measured = measured, .bound = bound, .passed = measured < bound},
        unit, where);
}

void Evidence::above(const std::string& what, double measured, double bound, Unit unit,
                     Where where) {
  check(what, {.relation = ">", .measured = measured, .bound = bound, .passed = measured > bound},
        unit, where);
}

void Evidence::within(const std::string& what, double deviation, double bound, Unit unit,
                      Where where) {
  check(what,
        {.relation = "within",
         .measured = deviation,
         .bound = bound,
         .passed = std::abs(deviation) < bound},
        unit, where);
}

void Evidence::between(const std::string& what, double measured, double low, double high, Unit unit,
                       Where where) {
  check(what,
        {.relation = "between",
         .measured = measured,
         .low = low,
         .bound = high,
         .passed = low <= measured && measured <= high},
        unit, where);
}

void Evidence::matches(const std::string& what, double measured, double reference, double share,
                       Where where) {
  const double deviation = measured / reference - 1;
  check(what,
        {.relation = "within",
         .measured = deviation,
         .bound = share,
         .value = measured,
         .reference = reference,
         .has_reference = true,
         .passed = std::abs(deviation) < share},
        percent, where);
}

void Evidence::holds(const std::string& what, bool condition, Where where) {
  check(what, {.relation = "holds", .measured = condition ? 1.0 : 0.0, .passed = condition}, {},
        where);
}

void Evidence::check(const std::string& what, Check c, Unit unit, const Where& where) {
  c.what = what;
  c.unit = unit.name;
  for (double* number : {&c.measured, &c.low, &c.bound}) *number *= unit.scale;
  c.against = against_;
  c.grid = grid_;
  c.headline = std::exchange(next_is_headline_, false);
  std::string text = fmt::format("{}{}{}: ", c.grid, c.grid.empty() ? "" : ", ", c.what);
  if (c.has_reference) text += fmt::format("{:.6g} for {:.6g}, ", c.value, c.reference);
  if (c.relation == "holds")
    text += c.passed ? "yes" : "no";
  else if (c.relation == "between")
    text += fmt::format("{:.4g} {} (between {:g} and {:g})", c.measured, c.unit, c.low, c.bound);
  else
    text += fmt::format("{:.3g} {} ({} {:g})", c.measured, c.unit, c.relation, c.bound);
  fmt::print("  {}\n", text);
  std::fflush(stdout);
  if (!c.passed) ADD_FAILURE_AT(where.file_name(), static_cast<int>(where.line())) << text;
  checks_.push_back(std::move(c));
}

Table& Evidence::table(std::string caption, std::initializer_list<Column> columns) {
  return tables_.emplace_back(std::move(caption), columns);
}

Figure& Evidence::figure(std::string id, std::string title, std::string x_label,
                         std::string y_label, Figure::Scales scales) {
  return figures_.emplace_back(std::move(id), std::move(title), std::move(x_label),
                               std::move(y_label), scales);
}

void Evidence::write(bool passed) const {
  if (path_.empty()) return;
  std::filesystem::create_directories(std::filesystem::path(path_).parent_path());
  std::ofstream file(path_);
  io::Json record = json(passed);
  record["mode"] = asked_for_full ? "full" : "quick";
  file << io::json_text(record);
  if (!file.flush()) throw std::runtime_error(path_ + ": cannot be written");
}

}  // namespace lbm::verification
