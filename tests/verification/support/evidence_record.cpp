// SPDX-License-Identifier: Apache-2.0

// The tables, figures and the JSON of evidence.hpp.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "io/text/json.hpp"
#include "tests/verification/support/evidence.hpp"

namespace lbm::verification {
namespace {

using io::Json;

std::string shown(const Entry& entry, const Column& column) {
  if (const auto* text = std::get_if<std::string>(&entry.value())) return *text;
  const double number = std::get<double>(entry.value());
  return std::isnan(number) ? "" : fmt::format(fmt::runtime(column.format), number);
}

// Curves are looked at, not computed with: six digits keep the files small.
Json rounded(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double v : values) list.push_back(std::stod(fmt::format("{:.6g}", v)));
  return list;
}

}  // namespace

Table::Table(std::string caption, std::initializer_list<Column> columns)
    : caption_(std::move(caption)), columns_(columns) {}

void Table::row(std::initializer_list<Entry> entries) {
  if (entries.size() != columns_.size())
    throw std::logic_error(fmt::format("Table '{}': {} entries for {} columns", caption_,
                                       entries.size(), columns_.size()));
  const auto width = [&](std::size_t i) {
    return std::max<std::size_t>(columns_[i].name.size(), 9);
  };
  if (rows_.empty()) {
    fmt::print("  {}\n  ", caption_);
    for (std::size_t i = 0; i < columns_.size(); ++i)
      fmt::print("  {:>{}}", columns_[i].name, width(i));
    fmt::print("\n");
  }
  fmt::print("  ");
  const auto& row = rows_.emplace_back(entries);
  for (std::size_t i = 0; i < row.size(); ++i)
    fmt::print("  {:>{}}", shown(row[i], columns_[i]), width(i));
  fmt::print("\n");
  std::fflush(stdout);  // long series are watched
}

Figure::Figure(std::string id, std::string title, std::string x_label, std::string y_label,
               Scales scales)
    : id_(std::move(id)),
      title_(std::move(title)),
      x_label_(std::move(x_label)),
      y_label_(std::move(y_label)),
      scales_(scales) {}

void Figure::line(std::string name, std::vector<double> x, std::vector<double> y, Kind kind) {
  add({std::move(name), "line", kind, std::move(x), std::move(y)});
}

void Figure::points(std::string name, std::vector<double> x, std::vector<double> y, Kind kind) {
  add({std::move(name), "points", kind, std::move(x), std::move(y)});
}

void Figure::add(Series series) {
  if (series.x.size() != series.y.size())
    throw std::logic_error(fmt::format("Figure '{}', '{}': {} values of x and {} of y", id_,
                                       series.name, series.x.size(), series.y.size()));
  series_.push_back(std::move(series));
}

io::Json Table::json() const {
  Json table = Json::object();
  table["caption"] = caption_;
  for (const Column& c : columns_) {
    Json column = Json::object();
    column["name"] = c.name;
    column["format"] = c.format;
    table["columns"].push_back(std::move(column));
  }
  table["rows"] = Json::array();
  for (const auto& entries : rows_) {
    Json row = Json::array();
    for (const Entry& e : entries)
      row.push_back(std::visit([](const auto& value) { return Json(value); }, e.value()));
    table["rows"].push_back(std::move(row));
  }
  return table;
}

io::Json Figure::json() const {
  Json figure = Json::object();
  figure["id"] = id_;
  figure["title"] = title_;
  figure["x_label"] = x_label_;
  figure["y_label"] = y_label_;
  figure["log_x"] = scales_.log_x;
  figure["log_y"] = scales_.log_y;
  figure["series"] = Json::array();
  for (const Series& s : series_) {
    Json series = Json::object();
    series["name"] = s.name;
    series["style"] = s.style;
    series["kind"] = s.kind == Kind::reference ? "reference" : "computed";
    series["x"] = rounded(s.x);
    series["y"] = rounded(s.y);
    figure["series"].push_back(std::move(series));
  }
  return figure;
}

io::Json Evidence::Check::json() const {
  Json check = Json::object();
  check["what"] = what;
  check["against"] = against;
  check["grid"] = grid;
  check["relation"] = relation;
  check["measured"] = measured;
  check["bound"] = relation == "between" ? Json::array({low, bound}) : Json(bound);
  check["unit"] = unit;
  if (has_reference) {
    check["value"] = value;
    check["reference"] = reference;
  }
  check["passed"] = passed;
  check["headline"] = headline;
  return check;
}

io::Json Evidence::json(bool passed) const {
  Json record = Json::object();
  record["program"] = program_;
  record["test"] = test_;
  record["title"] = title_;
  record["command"] = fmt::format("build/tests/{} --gtest_filter={}", program_, test_);
  record["passed"] = passed;
  for (const char* list : {"checks", "tables", "figures"}) record[list] = Json::array();
  for (const Check& check : checks_) record["checks"].push_back(check.json());
  for (const Table& table : tables_) record["tables"].push_back(table.json());
  for (const Figure& figure : figures_) record["figures"].push_back(figure.json());
  return record;
}

}  // namespace lbm::verification
