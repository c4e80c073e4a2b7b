// What a run makes and keeps beside the lattice: its directory, files, records, checkpoints, and
// what it says of itself.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cases/run/checkpoint/checkpoints.hpp"
#include "cases/run/prepare.hpp"
#include "cases/run/records/expectations.hpp"
#include "cases/run/records/flow_records.hpp"
#include "cases/run/report.hpp"
#include "cases/run/results/field_outputs.hpp"
#include "cases/run/run_options.hpp"
#include "cases/run/time_loop.hpp"
#include "io/files/run_directory.hpp"

namespace lbm::cases {

// Whether the run that options ask for goes on in the directory of its checkpoint.
bool continues_files(const RunOptions& options, const std::optional<Restart>& restart);
// The directory for the results, as RunDirectory::open().
io::RunDirectory open_results(const Case& lbm_case, const RunOptions& options,
                              const std::optional<Restart>& restart);

class RunResults {
 public:
  // run must outlive it, and stay where it is. Opens the files that are there from the beginning;
  // checks that the disk has room for all. What the user should know goes to the notes of the run,
  // and, unless quiet, to stderr. Throws UsageError, ResourceError.
  RunResults(Prepared& run, io::RunDirectory directory, bool continues, bool quiet = false);
  RunResults(const RunResults&) = delete;
  RunResults& operator=(const RunResults&) = delete;

  // Writes the case as it was understood.
  void write_case() const;
  // Who takes part: all of these; the rest is for the caller to fill.
  RunParts parts();
  // So far; without expectations.
  RunRecord record(std::string exit_reason) const;
  // Writes report.json, and gives its text. Throws ResourceError.
  std::string write_report(const RunRecord& record) const;
  // The simulation is made and begun by `begin`, which is called again where a checkpoint turns out
  // to be damaged and there is one before it; not of several processes (alone: false), whose others
  // have read theirs already. Tells the user which one was taken.
  void begin(bool alone, const std::function<void()>& begin);

  const io::RunDirectory& directory() const { return directory_; }
  bool continues() const { return continues_; }
  FieldOutputs& outputs() { return outputs_; }
  FlowRecords& records() { return records_; }
  const FlowRecords& records() const { return records_; }
  const Checkpoints& checkpoints() const { return checkpoints_; }
  const Expectations& expectations() const { return expectations_; }
  RunResult& result() { return result_; }
  const RunResult& result() const { return result_; }

 private:
  void check_space();
  void tell(const Restart& restart);
  void note(const char* kind, const std::string& text);

  Prepared& run_;
  io::RunDirectory directory_;
  bool continues_, quiet_;
  Expectations expectations_;
  FieldOutputs outputs_;
  FlowRecords records_;
  Checkpoints checkpoints_;
  RunResult result_;
  std::size_t told_ = 0;  // notes of the restart
};

// "completed", "steady", "interrupted by SIGINT", "walltime reached".
std::string exit_reason_of(const RunResult& result);
std::string signal_name(int signal);

}  // namespace lbm::cases
