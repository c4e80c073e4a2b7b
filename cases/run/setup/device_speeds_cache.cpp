#include "cases/run/setup/device_speeds_cache.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cases/run/setup/program_file.hpp"
#include "io/files/atomic_file.hpp"
#include "solver/core/error.hpp"
#include "tiling/model/blocked_speed.hpp"

namespace lbm::cases {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> cache_directory() {
  const auto from = [](const char* name) -> std::optional<fs::path> {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') return std::nullopt;
    return fs::path(value);
  };
  if (auto path = from("LBM_CACHE_DIR")) return path;
  if (const auto path = from("XDG_CACHE_HOME")) return *path / "lbm";
  if (const auto path = from("HOME")) return *path / ".cache" / "lbm";
  return std::nullopt;
}

// Identifies the build, since another one may have other kernels.
std::string program_id() {
  struct stat file {};
  if (stat(program_file().c_str(), &file) != 0) return LBM_VERSION;
  return fmt::format("{} {} {}.{}", LBM_VERSION, file.st_size, file.st_mtim.tv_sec,
                     file.st_mtim.tv_nsec);
}

bool complete(const DeviceSpeeds& speeds) {
  for (const StorageType storage : all_storage_types) {
    for (const Representation representation : all_representations) {
      if (!speeds.measured(storage, representation)) return false;
    }
  }
  return true;
}

io::Json update_json(const DeviceSpeeds::Update& update) {
  return {{"bytes_per_second", update.bytes_per_second},
          {"launch_seconds", update.launch_seconds},
          {"blocked_bytes_per_second", update.blocked_bytes_per_second}};
}

// Rejects numbers that no measurement gives, such as those of an edited file.
double possible(const io::Json& json) {
  const double number = json;
  if (!std::isfinite(number) || number < 0) throw UsageError("found no speed");
  return number;
}

DeviceSpeeds::Update update_of(const io::Json& json) {
  return {possible(json.at("bytes_per_second")), possible(json.at("launch_seconds")),
          possible(json.at("blocked_bytes_per_second"))};
}

// Empty for a file that is not there or is damaged.
std::optional<DeviceSpeeds> read_speeds(const fs::path& file) {
  try {
    return speeds_in(io::read_json(file));
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

}  // namespace

std::optional<fs::path> speeds_file(const std::string& device) {
  auto directory = cache_directory();
  if (!directory) return std::nullopt;
  std::string name;
  for (const char c : device) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  // Separate files, so that the program and the Python package do not overwrite each other's.
  const char* const part = own_library() ? "_python" : "";
  return *directory / ("speeds_" + name.substr(0, 120) + part + ".json");
}

io::Json speeds_json(const DeviceSpeeds& speeds) {
  return {{"program", program_id()},
          {"device", speeds.device},
          {"copy", speeds.copy},
          {"link_in", speeds.link_in},
          {"link_out", speeds.link_out},
          {"link_in_both", speeds.link_in_both},
          {"link_out_both", speeds.link_out_both},
          {"lanes_overlap", speeds.queues_overlap},
          {"fp16", update_json(speeds.fp16)},
          {"fp32", update_json(speeds.fp32)},
          {"fp64", update_json(speeds.fp64)},
          {"moments_fp16", update_json(speeds.moments_fp16)},
          {"moments_fp32", update_json(speeds.moments_fp32)},
          {"moments_fp64", update_json(speeds.moments_fp64)}};
}

std::optional<DeviceSpeeds> speeds_in(const io::Json& json) {
  try {
    if (json.at("program") != program_id()) return std::nullopt;
    return DeviceSpeeds{.device = json.at("device"),
                        .copy = possible(json.at("copy")),
                        .link_in = possible(json.at("link_in")),
                        .link_out = possible(json.at("link_out")),
                        .link_in_both = possible(json.at("link_in_both")),
                        .link_out_both = possible(json.at("link_out_both")),
                        .queues_overlap = json.at("lanes_overlap"),
                        .fp16 = update_of(json.at("fp16")),
                        .fp32 = update_of(json.at("fp32")),
                        .fp64 = update_of(json.at("fp64")),
                        .moments_fp16 = update_of(json.at("moments_fp16")),
                        .moments_fp32 = update_of(json.at("moments_fp32")),
                        .moments_fp64 = update_of(json.at("moments_fp64"))};
  } catch (const io::Json::exception&) {  // a member is missing or of another type
    return std::nullopt;
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

DeviceSpeeds measure_and_keep(Backend& backend, std::uint64_t budget) {
  DeviceSpeeds speeds = measure_speeds(backend, budget);
  tiling::measure_blocked(backend, budget, speeds);
  // Incomplete speeds are not kept: memory may suffice next time.
  const auto file = complete(speeds) ? speeds_file(speeds.device) : std::nullopt;
  std::error_code ignored;
  if (file) fs::create_directories(file->parent_path(), ignored);
  try {
    if (file) io::write_file_atomically(*file, io::json_text(speeds_json(speeds)));
  } catch (const Error&) {  // is measured again next time
  }
  return speeds;
}

DeviceSpeeds speeds_of(Backend& backend, std::uint64_t budget) {
  const auto file = speeds_file(backend.device_name());
  const auto known = file ? read_speeds(*file) : std::nullopt;
  if (known && known->device == backend.device_name() && complete(*known)) return *known;
  return measure_and_keep(backend, budget);
}

}  // namespace lbm::cases
