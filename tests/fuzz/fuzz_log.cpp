// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "io/text/csv.hpp"
#include "tests/fuzz/fuzzed_file.hpp"
#include "tests/fuzz/refusal.hpp"
#include "tests/fuzz/targets.hpp"

namespace lbm::fuzz {

namespace {

// Continues the log after the step, and adds the row of the next step.
bool continues(const std::filesystem::path& path, std::int64_t step) {
  return accepts([&] {
    io::CsvLog log(path, {"forces"}, {"step", "time", "force_x", "force_y"}, true);
    log.continue_after(step);
    log.add(step + 1, 0.5, {1.0, 2.0});
    log.flush();
  });
}

}  // namespace

// The first byte is the step.
void read_log(std::string_view bytes) {
  if (bytes.empty()) return;
  const std::int64_t step = static_cast<unsigned char>(bytes[0]);
  const auto path = file_of("forces.csv", bytes.substr(1));
  if (!continues(path, step)) return;
  require(continues(path, step + 1), "a log that was continued cannot be continued again");
}

}  // namespace lbm::fuzz
