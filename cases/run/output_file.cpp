// SPDX-License-Identifier: Apache-2.0
#include "cases/run/output_file.hpp"

#include <fmt/format.h>

#include "io/files/place.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(std::string_view option, const fs::path& file, const std::string& why) {
  throw UsageError(fmt::format("{} {}: {}", option, file.string(), why));
}

}  // namespace

void check_output_file(std::string_view option, const fs::path& file, bool overwrite) {
  std::error_code ec;
  if (!file.has_filename()) {
    refuse(option, file,
           fmt::format("no file name; give one, as {}.json", option.substr(option.rfind('-') + 1)));
  }
  const fs::path parent = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (!fs::is_directory(parent, ec)) {
    refuse(option, file,
           fmt::format("there is no directory {}; create it, or choose another file",
                       parent.string()));
  }
  const bool exists = fs::exists(file, ec);
  if (exists && !fs::is_regular_file(file, ec)) {
    refuse(option, file, "is no regular file; choose another one");
  }
  if (exists && !overwrite) {
    refuse(option, file, "exists; add --overwrite to replace it, or choose another file");
  }
  try {
    (void)io::PartialFile(file);
  } catch (const ResourceError& error) {
    refuse(option, file, error.what());
  }
}

}  // namespace lbm::cases
