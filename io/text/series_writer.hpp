// The index of a time series of files, in ParaView's formats.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/text/json.hpp"

namespace lbm::io {

// Lists the files of an output with their times; ParaView opens the index as one animated data
// set. The ending of its name says the format:
//
// `<name>.pvd`: for .vti, .pvti, .vtp and .pvtp files.
// `<name>.hdf.series`: for .vtkhdf files. ParaView finds the reader through the name of the index:
// 5.11 knows only this one, later versions know it beside `.vtkhdf.series`.
class SeriesWriter {
 public:
  // Starts an empty index; a file of that name is replaced by the first add().
  explicit SeriesWriter(std::filesystem::path path) : path_(std::move(path)) {}

  // Takes over the entries of the file up to `time`, to go on after a restart; none where there is
  // no such file. The index loses the later ones. Throws ResourceError; UsageError for a file that
  // this class did not write, or that is damaged.
  void continue_after(double time);

  // Adds a file that is complete by now and rewrites the index atomically. `name` is relative to
  // the directory of the index; `time` is in the units of the case, and an entry of the same time
  // is replaced. Throws ResourceError; std::invalid_argument for a name with control characters or
  // one of "\<>&.
  void add(const std::string& name, double time);

  const std::filesystem::path& path() const { return path_; }

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

  std::filesystem::path path_;
  std::vector<Entry> entries_;  // in the order of their times
};

}  // namespace lbm::io
