// SPDX-License-Identifier: Apache-2.0
#include "cases/run/trace_writer.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>

#include "cases/run/output_file.hpp"

namespace lbm::cases {
namespace {

namespace fs = std::filesystem;
using tiling::Activity;
using tiling::Slice;

constexpr std::size_t flush_bytes = std::size_t{1} << 20;
constexpr const char* tracks[] = {"copy in", "update", "copy out", "writer", "wait"};

struct Kind {
  const char* name;
  int track;  // from 1
};

// By Activity.
constexpr Kind kinds[] = {{"load", 1},
                          {"level", 2},
                          {"check", 2},
                          {"fields of", 2},
                          {"store", 3},
                          {"fields of", 3},
                          {"open the file of sweep", 4},
                          {"write", 4},
                          {"wait for", 5},
                          {"wait for the writer", 5}};
static_assert(std::size(kinds) == static_cast<std::size_t>(Activity::wait_writer) + 1);

Kind kind_of(Activity activity) { return kinds[static_cast<std::size_t>(activity)]; }

std::string name_of(const Slice& slice, int nz) {
  const char* what = kind_of(slice.activity).name;
  if (slice.activity == Activity::open) return fmt::format("{} {}", what, slice.sweep);
  if (slice.activity == Activity::wait_writer) return what;
  if (slice.activity == Activity::wait) return fmt::format("{} visit {}", what, slice.visit);
  const int last = (slice.first_plane + slice.count - 1) % nz;
  const std::string planes = slice.count == 1
                                 ? fmt::format("plane {}", slice.first_plane)
                                 : fmt::format("planes {}..{}", slice.first_plane, last);
  if (slice.activity != Activity::update) return fmt::format("{} {}", what, planes);
  return fmt::format("{} {}, {}", what, slice.level, planes);
}

}  // namespace

TraceWriter::TraceWriter(fs::path file, bool overwrite, const std::string& process, int nz,
                         std::int64_t limit)
    : file_(std::move(file)), limit_(limit), nz_(nz) {
  check_output_name("--trace", file_, overwrite);
  partial_.emplace(create_output("--trace", file_));
  fd_ = partial_->take_fd();
  text_ = "{\"traceEvents\": [";
  name_process(0, process);
}

// Processes are numbered from 1 in the file.
void TraceWriter::name_process(int rank, const std::string& name) {
  text_ += fmt::format(
      "{}\n{{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": {}, \"args\": {{\"name\": {}}}}}",
      slices_.empty() ? "" : ",", rank + 1, io::json_line(name));
  for (int track = 1; track <= static_cast<int>(std::size(tracks)); ++track) {
    text_ += fmt::format(
        ",\n{{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": {0}, \"tid\": {1}, "
        "\"args\": {{\"name\": \"{2}\"}}}},\n"
        "{{\"ph\": \"M\", \"name\": \"thread_sort_index\", \"pid\": {0}, \"tid\": {1}, "
        "\"args\": {{\"sort_index\": {1}}}}}",
        rank + 1, track, tracks[track - 1]);
  }
  slices_[rank] = 0;
}

void TraceWriter::on_start(double alignment, double zero) {
  const std::scoped_lock lock(mutex_);
  alignment_ = alignment;
  zero_ = zero;
}

bool TraceWriter::full() const {
  const std::scoped_lock lock(mutex_);
  return slices_.at(0) >= limit_ || error_ != 0;
}

bool TraceWriter::any_at_limit() const {
  return std::any_of(slices_.begin(), slices_.end(),
                     [this](const auto& rank) { return rank.second >= limit_; });
}

void TraceWriter::on_slice(const Slice& slice) {
  const std::scoped_lock lock(mutex_);
  write(0, slice, 0);
}

void TraceWriter::add(int rank, double zero, std::span<const Slice> slices) {
  const std::scoped_lock lock(mutex_);
  if (!slices_.contains(rank)) name_process(rank, fmt::format("rank {}", rank));
  for (const Slice& slice : slices) write(rank, slice, zero - zero_);
}

// Both ends are rounded to whole nanoseconds, so that slices that touch do not overlap.
void TraceWriter::write(int rank, const Slice& slice, double shift) {
  if (slices_.at(rank) >= limit_ || error_ != 0) return;
  const auto ns = [shift](double seconds) { return std::llround((seconds + shift) * 1e9); };
  const double begin = static_cast<double>(ns(slice.begin)) * 1e-3;
  const double length = static_cast<double>(ns(slice.end) - ns(slice.begin)) * 1e-3;
  fmt::format_to(std::back_inserter(text_),
                 ",\n{{\"ph\": \"X\", \"pid\": {}, \"tid\": {}, \"ts\": {:.3f}, \"dur\": {:.3f}, "
                 "\"name\": \"{}\", \"args\": {{\"visit\": {}, \"sweep\": {}, \"level\": {}, "
                 "\"first_plane\": {}, \"count\": {}, \"bytes\": {}}}}}",
                 rank + 1, kind_of(slice.activity).track, begin, length, name_of(slice, nz_),
                 slice.visit, slice.sweep, slice.level, slice.first_plane, slice.count,
                 slice.bytes);
  ++slices_.at(rank);
  flush_at(flush_bytes);
}

void TraceWriter::flush_at(std::size_t bytes) {
  if (text_.size() < bytes) return;
  if (error_ == 0) error_ = io::write_all(fd_.get(), text_);
  bytes_ += text_.size();
  text_.clear();
}

void TraceWriter::finish(io::Json about) {
  const std::scoped_lock lock(mutex_);
  about["slices"] =
      std::accumulate(slices_.begin(), slices_.end(), std::int64_t{0},
                      [](std::int64_t sum, const auto& rank) { return sum + rank.second; });
  for (const auto& rank : slices_) about["slices_of_ranks"].push_back(rank.second);
  about["slices_limit"] = limit_;
  about["complete"] = !any_at_limit();
  about["clock_alignment_microseconds"] = alignment_ * 1e6;
  text_ += fmt::format("\n],\n\"displayTimeUnit\": \"ms\",\n\"otherData\": {}}}\n",
                       io::json_text(about));
  flush_at(0);
  if (error_ != 0) io::throw_write_error(file_, error_, bytes_);
  partial_->commit(bytes_);
  partial_.reset();
  fd_.reset();
}

std::int64_t trace_limit(const tiling::Ranks* ranks) {
  return TraceWriter::default_limit / (ranks != nullptr ? ranks->size() : 1);
}

io::Json trace_json(const PreparedRun& run, const RunStats& stats) {
  const auto& options = run.setup.plan.options;
  return {{"version", LBM_VERSION},
          {"case", run.lbm_case.name},
          {"device", run.backend->device_name()},
          {"cells", run.lbm_case.grid.cells},
          {"storage", to_string(run.setup.lattice.storage)},
          {"scheme", tiling::to_string(options.scheme)},
          {"steps_per_visit", options.steps_per_visit},
          {"planes_per_visit", options.planes_per_visit},
          {"steps", stats.steps},
          {"seconds", stats.seconds},
          {"exit_reason", stats.exit_reason}};
}

std::string TraceWriter::warning() const {
  const std::scoped_lock lock(mutex_);
  if (!any_at_limit()) return "";
  return fmt::format("{}: holds the first {} slices{} and stops there, before the end of the run",
                     file_.string(), limit_, slices_.size() > 1 ? " of each rank" : "");
}

}  // namespace lbm::cases
