// SPDX-License-Identifier: Apache-2.0

// CSV files of density and velocity at points over time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/derived.hpp"
#include "cases/case/units.hpp"
#include "io/files/run_directory.hpp"
#include "io/text/csv_log.hpp"
#include "solver/boundary/boundaries.hpp"
#include "solver/lattice/step_record.hpp"

namespace lbm::cases {

// Rows written after a step, in a run that reaches its end.
std::int64_t count_of_rows(const Probe& probe, const Derived& derived, std::int64_t after_step);
// Estimated bytes of a file with this many rows: numbers take as many digits as they need, mostly
// 17.
std::uint64_t predicted_bytes(const Case& lbm_case, const Derived& derived, const Probe& probe,
                              std::int64_t rows);

class ProbeLogs {
 public:
  // Opens probe_NAME.csv for each probe; continues: as in FlowRecords.
  ProbeLogs(const Case& lbm_case, const Derived& derived, const Boundaries& boundaries,
            const ProbeCells& cells, const io::RunDirectory& directory, bool continues);

  // values: of the probes in a step record (step_record.hpp).
  void on_step(std::int64_t step, std::span<const std::int64_t> values);
  void add_files_to(std::vector<io::CsvLog*>& files);

 private:
  struct Share {
    int cell = 0;  // index in the record
    double weight = 0;
  };
  struct Log {
    const Probe& probe;
    std::vector<std::vector<Share>> places;
    io::CsvLog file;
  };
  const Derived& derived_;
  Units units_;
  std::vector<Log> logs_;
};

}  // namespace lbm::cases
