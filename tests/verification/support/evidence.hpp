// SPDX-License-Identifier: Apache-2.0

// Results of a verification test. One call asserts, prints and records a result. The script
// docs/lab/verification.py writes docs/lab/verification.md from the records, so that page states
// only results that were asserted.
//
//   TEST(Duct, ConvergesToTheSeries) {
//     Evidence evidence("flow in a 2:1 duct", "series (White, Viscous Fluid Flow, 3-48)");
//     Table& table = evidence.table("2:1 duct", {"cells high", {"L2", "{:.2e}"}, {"order",
//     "{:.2f}"}}); double before = NAN, order = NAN; for (const int n : {8, 16, 32}) {
//       const double l2 = ...;
//       order = order_of(before, l2);  // NAN: blank in the table
//       table.row({n, l2, order});
//       before = l2;
//     }
//     evidence.on("64 x 32").headline().below("L2 error", before, 5e-3);
//     evidence.above("order of convergence", order, 1.9);
//   }
//
// With LBM_EVIDENCE=DIR in the environment the record is DIR/<Suite>.<Name>.json ('/' of
// parameterised names becomes '-'); docs/lab/verification/README.md has its schema. The constructor
// writes a failed record, and the destructor replaces it: a test that crashes or runs out of time
// leaves a failed record. Without LBM_EVIDENCE nothing is written. Skipped tests should not make an
// Evidence.
#pragma once

#include <initializer_list>
#include <list>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "io/text/json.hpp"

namespace lbm::verification {

// LBM_VERIFICATION=full: finer grids and more points than a test run has time for. The record of a
// test that asked has the mode "full" then, every other one "quick".
bool full_run();

// A measured value is multiplied by `scale` before it is shown and recorded; `percent` takes
// shares.
struct Unit {
  const char* name = "";
  double scale = 1;
};
inline constexpr Unit percent{"%", 100};

// A column and how its numbers are shown: a format of std::format (fmt, Python).
struct Column {
  Column(const char* title, const char* shown_as = "{:g}") : name(title), format(shown_as) {}
  std::string name, format;
};

// A number or text. NAN is shown as a blank.
class Entry {
 public:
  Entry(double number) : value_(number) {}
  Entry(int number) : value_(static_cast<double>(number)) {}
  Entry(const char* text) : value_(std::string(text)) {}
  Entry(std::string text) : value_(std::move(text)) {}
  const std::variant<double, std::string>& value() const { return value_; }

 private:
  std::variant<double, std::string> value_;
};

class Table {
 public:
  Table(std::string caption, std::initializer_list<Column> columns);
  // Also prints it. As many entries as columns, else std::logic_error.
  void row(std::initializer_list<Entry> entries);

 private:
  friend class Evidence;
  io::Json json() const;

  std::string caption_;
  std::vector<Column> columns_;
  std::vector<std::vector<Entry>> rows_;
};

// One panel of a picture. Panels of one id, of any tests, stand side by side in docs/figures/
// verification_<id>.png; those that share the title, too, are one panel.
class Figure {
 public:
  enum class Kind { computed, reference };
  struct Scales {
    bool log_x = false, log_y = false;
  };

  Figure(std::string id, std::string title, std::string x_label, std::string y_label,
         Scales scales);
  // x and y of equal length, else std::logic_error.
  void line(std::string name, std::vector<double> x, std::vector<double> y,
            Kind kind = Kind::computed);
  void points(std::string name, std::vector<double> x, std::vector<double> y,
              Kind kind = Kind::reference);

 private:
  friend class Evidence;
  struct Series {
    std::string name;
    const char* style;
    Kind kind;
    std::vector<double> x, y;
  };
  void add(Series series);
  io::Json json() const;

  std::string id_, title_, x_label_, y_label_;
  Scales scales_;
  std::vector<Series> series_;
};

class Evidence {
 public:
  using Where = std::source_location;

  // At the top of a test body. title: what is looked at, a few words without a verb; against: the
  // solution, paper or run that it is compared with.
  Evidence(std::string title, std::string against);
  ~Evidence();
  Evidence(const Evidence&) = delete;
  Evidence& operator=(const Evidence&) = delete;

  // For the checks from here on: the grid that they were measured on; another reference.
  Evidence& on(std::string grid);
  Evidence& against(std::string reference);
  // The next check is the one of this test that the summary of the page shows; without it the
  // first.
  Evidence& headline();

  // Each of these is an assertion (not fatal) and a record. NAN fails. Checks that agree in all but
  // the measured value become one line of the page, with the worst value: call them in loops.
  // measured < bound
  void below(const std::string& what, double measured, double bound, Unit unit = {},
             Where where = Where::current());
  // measured > bound
  void above(const std::string& what, double measured, double bound, Unit unit = {},
             Where where = Where::current());
  // |deviation| < bound; the sign is kept
  void within(const std::string& what, double deviation, double bound, Unit unit = {},
              Where where = Where::current());
  // low <= measured <= high
  void between(const std::string& what, double measured, double low, double high, Unit unit = {},
               Where where = Where::current());
  // |measured / reference - 1| < share; the record has both values and the deviation in percent
  void matches(const std::string& what, double measured, double reference, double share,
               Where where = Where::current());
  // true: for what is equal to the bit
  void holds(const std::string& what, bool condition, Where where = Where::current());

  // Both live as long as the Evidence.
  Table& table(std::string caption, std::initializer_list<Column> columns);
  Figure& figure(std::string id, std::string title, std::string x_label, std::string y_label,
                 Figure::Scales scales = {});

 private:
  struct Check {
    std::string_view relation{};
    double measured = 0;
    double low = 0;  // of "between", whose upper end is `bound`
    double bound = 0;
    double value = 0, reference = 0;  // of matches()
    bool has_reference = false, passed = false, headline = false;
    std::string what{}, against{}, grid{}, unit{};
    io::Json json() const;
  };
  // Completes, scales, prints, asserts and keeps it.
  void check(const std::string& what, Check check, Unit unit, const Where& where);
  io::Json json(bool passed) const;
  void write(bool passed) const;

  std::string program_, test_, title_, against_, grid_, path_;
  bool next_is_headline_ = false;
  int exceptions_;
  std::list<Table> tables_;
  std::list<Figure> figures_;
  std::vector<Check> checks_;
};

}  // namespace lbm::verification
