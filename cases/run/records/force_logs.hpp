// SPDX-License-Identifier: Apache-2.0

// Forces on bodies over time, as CSV files.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cases/case/model/case_model.hpp"
#include "cases/case/units.hpp"
#include "io/files/run_directory.hpp"
#include "io/text/csv_log.hpp"
#include "io/text/json.hpp"

namespace lbm::cases {

// Forces on one body, in units of the case. Coefficients are relative to rho U^2 A / 2, those of
// torques also to L, with the body's reference values.
struct BodyForces {
  Vec3 force{}, torque{}, coefficient{}, torque_coefficient{};
};

class ForceLogs {
 public:
  // Opens forces_NAME.csv for each body with forces, unless the directory is_nowhere(). continues:
  // as in FlowRecords.
  ForceLogs(const Case& lbm_case, const CaseModel& model, const io::RunDirectory& directory,
            bool continues);

  // values: of the bodies in a step record (step_record.hpp).
  void on_step(std::int64_t step, std::span<const std::int64_t> values);
  const std::vector<std::string>& bodies() const { return names_; }
  // At the last step, by body.
  const std::vector<BodyForces>& last() const { return last_; }
  // The caution that reports print beside each force (brief_caution()); empty: none.
  const std::string& caution() const { return caution_; }
  void add_files_to(std::vector<io::CsvLog*>& files);

  io::Json save_state() const;
  void load_state(const io::Json& state);

 private:
  BodyForces forces_of(std::span<const std::int64_t> values, std::size_t body) const;

  const Case& case_;
  const Derived& derived_;
  Units units_;
  const std::vector<std::string>& names_;
  std::string caution_;
  std::vector<BodyReference> references_;
  std::vector<io::CsvLog> logs_;
  std::vector<BodyForces> last_;
};

}  // namespace lbm::cases
