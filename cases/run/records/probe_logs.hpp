// SPDX-License-Identifier: Apache-2.0

// CSV files of density and velocity at points over time.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/model/case_model.hpp"
#include "cases/case/model/point_cells.hpp"
#include "cases/case/units.hpp"
#include "io/files/run_directory.hpp"
#include "io/text/csv_log.hpp"
#include "solver/lattice/probe_cells.hpp"
#include "solver/lattice/step_record.hpp"

namespace lbm::cases {

// Rows written after a step, in a run that reaches its end.
std::int64_t count_of_rows(const Probe& probe, const Derived& derived, std::int64_t after_step);
// Estimated bytes of a file with this many rows: numbers take as many digits as they need, mostly
// 17.
std::uint64_t predicted_bytes(const Case& lbm_case, const Derived& derived, const Probe& probe,
                              std::int64_t rows);

// The share of a probe cell in the values at a point.
struct ProbeShare {
  int cell = 0;  // index among the probe cells
  double weight = 0;
};
std::vector<ProbeShare> shares_of(const std::vector<PointCell>& points, const ProbeCells& cells);
// Density less 1 and velocity at a point; not a number without shares. values: of all probe cells
// in a step record (step_record.hpp).
std::array<double, probe_values> mean_of(const std::vector<ProbeShare>& shares,
                                         std::span<const std::int64_t> values);

class ProbeLogs {
 public:
  // Opens probe_NAME.csv for each probe; continues: as in FlowRecords.
  ProbeLogs(const Case& lbm_case, const CaseModel& model, const ProbeCells& cells,
            const io::RunDirectory& directory, bool continues);

  // values: of the probes in a step record (step_record.hpp).
  void on_step(std::int64_t step, std::span<const std::int64_t> values);
  void add_files_to(std::vector<io::CsvLog*>& files);

 private:
  struct Log {
    const Probe& probe;
    std::vector<std::vector<ProbeShare>> places;
    io::CsvLog file;
  };
  const Derived& derived_;
  Units units_;
  std::vector<Log> logs_;
};

}  // namespace lbm::cases
