// SPDX-License-Identifier: Apache-2.0

// `lbm doctor`: what this machine offers a run, what is missing, and the remedy.
#include <nlohmann/json.hpp>

#include "cases/cli/commands.hpp"
#include "cases/cli/doctor/checks.hpp"
#include "cases/cli/doctor/doctor_page.hpp"
#include "cases/cli/terminal/print.hpp"
#include "io/text/json.hpp"

namespace lbm::cases {

int doctor_command(bool json) {
  const doctor::DoctorFacts facts = doctor::gather_facts(SystemFiles::here());
  const doctor::Checks checks = doctor::all_checks(facts);
  write_text(stdout, json ? io::json_text(doctor::page_json(facts, checks))
                          : doctor::page_text(facts, checks));
  return doctor::exit_code_of(checks);
}

}  // namespace lbm::cases
