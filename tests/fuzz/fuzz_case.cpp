// SPDX-License-Identifier: Apache-2.0
#include "cases/case/read/read_case.hpp"
#include "cases/case/units.hpp"
#include "cases/case/validate/validate.hpp"
#include "tests/fuzz/refusal.hpp"
#include "tests/fuzz/targets.hpp"

namespace lbm::fuzz {

void read_case(std::string_view bytes) {
  // In the folder of the shipped cases, so that their files are found.
  const std::string name = LBM_SOURCE_DIR "/cases/fuzz.yaml";
  cases::Case read;
  if (!accepts([&] { read = cases::parse_case(std::string(bytes), name); })) return;
  const std::string written = cases::to_yaml(read);
  const auto again = cases::parse_case(written, name);
  require(cases::to_yaml(again) == written, "a case that is written and read is another one");
  if (!accepts([&] { cases::validate(read); })) return;
  (void)cases::derive(read);
  (void)cases::warnings(read, derive(read));
}

}  // namespace lbm::fuzz
