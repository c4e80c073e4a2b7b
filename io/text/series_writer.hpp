// The index of a time series of files, in ParaView's formats.
#pragma once

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
// `<name>.pvd`: for .vti, .pvti, .vtp and .pvtp files.
// `<name>.hdf.series`: for .vtkhdf files. ParaView chooses the reader by this extension: 5.11
// knows only this one, later versions also `.vtkhdf.series`.
class SeriesWriter {
 public:
  // Starts an empty index. The first add() replaces a file of that name.
  explicit SeriesWriter(Place place) : place_(std::move(place)) {}

  // For a restart: takes over the entries of the existing file up to `time`, if there is a file,
  // and removes later entries from it. Throws ResourceError; UsageError for a damaged file or one
  // that this class did not write.
  void continue_after(double time);

  // Adds a complete file and rewrites the index atomically. `name` is relative to the directory of
  // the index. `time` is in the units of the case; an entry of the same time is replaced. Throws
  // ResourceError; std::invalid_argument for a name with control characters or any of "\<>&.
  void add(const std::string& name, double time);

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
};

}  // namespace lbm::io
