// A table of numbers that grows while a run goes on: CSV, a line a step.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace lbm::io {

// Lines are kept in memory and appended in pieces, so that a thousand logs need no thousand open
// files; what is not flushed is lost with the process.
class CsvLog {
 public:
  // Creates the file, with "# line" for each comment and a line of column names: step, time, then
  // those of the values. An existing file is replaced, or, where the log continues one, left alone
  // until continue_after(). Throws ResourceError.
  CsvLog(std::filesystem::path path, const std::vector<std::string>& comments,
         const std::vector<std::string>& columns, bool continues = false);
  // Cuts off what an earlier run wrote after that step; where there is no file it is created. Once,
  // before add(). Throws UsageError for a file with other columns or in disorder, which is left as
  // it is; ResourceError.
  void continue_after(std::int64_t step);

  // Doubles read back to the same bits. Throws std::invalid_argument for the wrong number of
  // values, ResourceError where the disk takes no more.
  void add(std::int64_t step, double time, std::span<const double> values);
  void add(std::int64_t step, double time, std::initializer_list<double> values) {
    add(step, time, std::span(values.begin(), values.size()));
  }
  void flush();
  // Flushes, and waits until all is safe on the disk. Throws ResourceError.
  void sync();
  const std::filesystem::path& path() const { return path_; }

 private:
  void append(const char* mode);
  [[noreturn]] void fail() const;

  std::filesystem::path path_;
  std::size_t columns_;
  std::string header_;  // the line of names
  std::string text_;
  bool waiting_ = false;  // for continue_after()
  bool synced_ = false;
};

}  // namespace lbm::io
