// SPDX-License-Identifier: Apache-2.0

// Writes a timeline of a run as a Chrome trace (JSON), for Perfetto and docs/figures/.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "cases/run/prepared_run.hpp"
#include "cases/run/run_stats.hpp"
#include "io/files/posix_file.hpp"
#include "io/text/json.hpp"
#include "tiling/pipeline/trace.hpp"

namespace lbm::cases {

// Slices go to `<file>.partial` as they come, so memory does not grow; finish() completes it and
// renames it. A trace that cannot be written does not end the run: finish() says so.
class TraceWriter final : public tiling::TraceSink {
 public:
  // About 400 MB of text, the most that Perfetto opens. Processes share it.
  static constexpr std::int64_t default_limit = 2'000'000;

  // Creates the partial file, which the destructor removes without finish(). Throws UsageError
  // where `file` is a directory, lies in none, cannot be written, or exists and `overwrite` is not
  // set. An old file is replaced by finish(), not before. process: its name in the trace. nz:
  // planes wrap around there. limit: slices of each process.
  TraceWriter(std::filesystem::path file, bool overwrite, const std::string& process, int nz,
              std::int64_t limit = default_limit);

  void on_start(double alignment, double zero) override;
  void on_slice(const tiling::Slice& slice) override;
  bool full() const override;

  // Slices of another rank, after on_start(). zero: when its trace began, as in on_start(). Any
  // thread may call it.
  void add(int rank, double zero, std::span<const tiling::Slice> slices);

  // about: see trace_json(). Call once; slices after it are lost. Throws
  // ResourceError where writing failed; then there is no new file.
  void finish(io::Json about);

  // A line for the user where the trace stops before the run does; else empty.
  std::string warning() const;

 private:
  // All but finish() with mutex_ locked.
  void name_process(int rank, const std::string& name);
  void write(int rank, const tiling::Slice& slice, double shift);
  void flush_at(std::size_t bytes);
  bool any_at_limit() const;

  std::filesystem::path file_;
  std::optional<io::PartialFile> partial_;  // empty after finish()
  io::UniqueFd fd_;
  std::int64_t limit_;
  int nz_;
  mutable std::mutex mutex_;            // of all below
  std::map<int, std::int64_t> slices_;  // of each rank that has any, and of this process
  std::uint64_t bytes_ = 0;
  double alignment_ = 0, zero_ = 0;
  int error_ = 0;  // errno of the first failure
  std::string text_;
};

// Slices of each process of a run, so that the file holds TraceWriter::default_limit at most.
// ranks: null for one process.
std::int64_t trace_limit(const tiling::Ranks* ranks);

// The part of a trace that identifies the run.
io::Json trace_json(const PreparedRun& run, const RunStats& stats);

}  // namespace lbm::cases
