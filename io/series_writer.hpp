// The index of a time series of files, in ParaView's .series format.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <utility>

#include "io/json.hpp"

namespace lbm::io {

// Lists the files of a run with their times; ParaView opens the index as one animated data set.
// ParaView finds the reader through the name of the index. Call it `<anything>.hdf.series`: 5.11
// knows only that one, later versions know it beside `.vtkhdf.series`. The files it lists may well
// be called .vtkhdf.
class SeriesWriter {
 public:
  explicit SeriesWriter(std::filesystem::path path) : path_(std::move(path)) {}

  // Adds a file that is complete by now and rewrites the index atomically. `name` is relative to
  // the directory of the index; `time` is in the units of the case. Throws ResourceError.
  void add(const std::string& name, double time);
  // Begins with files (name, time) of an earlier run in place of what the index lists.
  void start_with(std::span<const std::pair<std::string, double>> files);

  const std::filesystem::path& path() const { return path_; }

 private:
  void append(const std::string& name, double time);
  void write() const;

  std::filesystem::path path_;
  Json files_ = Json::array();
};

}  // namespace lbm::io
