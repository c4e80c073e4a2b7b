// SPDX-License-Identifier: Apache-2.0

// Tables of numbers as CSV.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "io/files/place.hpp"

namespace lbm::io {

struct CsvTable {
  std::vector<std::string> comments;      // printed above the table, each line as "# line"
  std::vector<std::string> columns;       // one name per column, without commas
  std::vector<std::vector<double>> data;  // data[column][row]; columns of equal length
};

// The table as text: comments, a line of names, a line for each row. Doubles read back to the same
// bits. Throws std::invalid_argument if the numbers of names and columns differ, or column lengths.
std::string csv_text(const CsvTable& table);

// Lines are collected in memory and appended in pieces of 64 KiB, or when a line comes 10 s after
// the last piece, for those who watch the run. The file is closed in between, so that a thousand
// logs do not need a thousand open files. Lines that are not flushed are lost with the process.
class CsvLog {
 public:
  using Clock = std::chrono::steady_clock;

  // Creates the file with "# line" for each comment and a line of column names: step, time, then
  // the names of the values. Replaces an existing file; with `continues`, leaves it alone until
  // continue_after(). Throws ResourceError.
  CsvLog(Place place, const std::vector<std::string>& comments,
         const std::vector<std::string>& columns, bool continues = false);
  // Removes the rows after that step that an earlier run wrote, or creates the file if there is
  // none. A file that has only the first columns, since an older program wrote it, keeps them: new
  // rows leave out the others. Call it once, before add(). Throws UsageError for a file with other
  // columns or unordered rows, which stays as it is; ResourceError.
  void continue_after(std::int64_t step);

  // Doubles read back to the same bits. Throws std::invalid_argument for the wrong number of
  // values, ResourceError if writing fails.
  void add(std::int64_t step, double time, std::span<const double> values);
  void add(std::int64_t step, double time, std::initializer_list<double> values) {
    add(step, time, std::span(values.begin(), values.size()));
  }
  // The time after which add() appends what it has; another one than 10 s is for tests.
  void set_longest_wait(Clock::duration wait) { longest_wait_ = wait; }
  void flush();
  // Flushes, and waits until the disk has all rows (fsync). Throws ResourceError.
  void sync();
  const std::filesystem::path& path() const { return place_.path(); }

 private:
  void create();
  void append_to(const UniqueFd& fd);
  [[noreturn]] void fail(int error) const;

  Place place_;
  std::size_t columns_, written_;  // names; the first of them that the file has
  std::string header_;             // the line of column names
  std::string text_;
  std::uint64_t end_ = 0;  // offset behind the rows that were written, in bytes
  bool waiting_ = false;   // for continue_after()
  bool synced_ = false;
  Clock::duration longest_wait_ = std::chrono::seconds(10);
  Clock::time_point appended_ = Clock::now();
};

}  // namespace lbm::io
