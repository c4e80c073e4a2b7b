// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "io/text/json.hpp"
#include "io/text/series_writer.hpp"
#include "tests/fuzz/fuzzed_file.hpp"
#include "tests/fuzz/refusal.hpp"
#include "tests/fuzz/targets.hpp"

namespace lbm::fuzz {

namespace {

bool continues(const std::filesystem::path& path, double time) {
  return accepts([&] {
    io::SeriesWriter index(path);
    index.continue_after(time);
    index.add("fields_9.hdf", time + 1);
    index.flush();
  });
}

}  // namespace

void read_index(std::string_view bytes) {
  for (const char* name : {"fields.hdf.series", "fields.pvd"}) {
    const auto path = file_of(name, bytes);
    if (!continues(path, 2.5)) continue;
    require(continues(path, 3.5), "an index that was continued cannot be continued again");
  }
  (void)accepts([&] {
    const std::string text = io::json_text(io::parse_json(bytes, "report.json"));
    const auto again = io::parse_json(text, "report.json");
    require(io::json_text(again) == text, "JSON that is written and read is another value");
  });
}

}  // namespace lbm::fuzz
