#include "io/series_writer.hpp"

#include "io/atomic_file.hpp"

namespace lbm::io {

void SeriesWriter::add(const std::string& name, double time) {
  append(name, time);
  write();
}

void SeriesWriter::start_with(std::span<const std::pair<std::string, double>> files) {
  files_ = Json::array();
  for (const auto& [name, time] : files) append(name, time);
  write();
}

void SeriesWriter::append(const std::string& name, double time) {
  Json entry;
  entry["name"] = name;
  entry["time"] = time;
  files_.push_back(std::move(entry));
}

void SeriesWriter::write() const {
  Json index;
  index["file-series-version"] = "1.0";
  index["files"] = files_;
  write_file_atomically(path_, index.dump());
}

}  // namespace lbm::io
