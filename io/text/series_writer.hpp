// SPDX-License-Identifier: Apache-2.0

// The index of a time series of files, in ParaView's formats.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/files/place.hpp"
#include "io/text/json.hpp"

namespace lbm::io {

// Lists the files of an output with their times. ParaView opens the index as one data set with time
// steps. The extension selects the format:
//
// `<name>.pvd`: for .vtp and .pvtp files.
// `<name>.hdf.series`: for .hdf files.
class SeriesWriter {
 public:
  // Starts an empty index. The first add() replaces a file of that name. The destructor writes the
  // entries that wait, and ignores errors.
  explicit SeriesWriter(Place place) : place_(std::move(place)) {}
  ~SeriesWriter();
  SeriesWriter(const SeriesWriter&) = delete;
  SeriesWriter& operator=(const SeriesWriter&) = delete;

  // For a restart: takes over the entries of the existing file up to `time`, if there is a file,
  // and removes later entries from it. Throws ResourceError; UsageError for a damaged file or one
  // that this class did not write.
  void continue_after(double time);

  // Adds a complete file and rewrites the index atomically; beyond some dozens of entries not each
  // time, but when their number has grown by 2 % or after some seconds: rewriting the index for
  // each file would cost the square of their number. `name` is relative to the directory of the
  // index. `time` is in the units of the case; an entry of the same time is replaced. Throws
  // ResourceError; std::invalid_argument for a name with control characters or any of "\<>&.
  void add(const std::string& name, double time);
  // Writes the entries that wait. Throws ResourceError.
  void flush();

  const std::filesystem::path& path() const { return place_.path(); }

 private:
  struct Entry {
    std::string name;
    double time;
  };
  std::string text_of(const std::vector<Entry>& entries) const;
  static Json index_of(const std::vector<Entry>& entries);
  std::vector<Entry> read() const;
  // Empty for text that is not an index.
  std::optional<std::vector<Entry>> read_pvd() const;
  std::optional<std::vector<Entry>> read_json() const;

  Place place_;
  std::vector<Entry> entries_;  // by time, ascending
  std::size_t waiting_ = 0;     // entries that the file lacks
  std::chrono::steady_clock::time_point written_{};
};

}  // namespace lbm::io
