#include "cases/run/setup/device_speeds_cache.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

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

// The file that contains this code, if it is not the program itself: Python's extension module.
std::optional<fs::path> own_library() {
  static const char here = 0;
  Dl_info info{};
  std::error_code ignored;
  if (dladdr(&here, &info) == 0 || info.dli_fname == nullptr) return std::nullopt;
  if (fs::equivalent(info.dli_fname, "/proc/self/exe", ignored) || ignored) return std::nullopt;
  return fs::path(info.dli_fname);
}

// Identifies the build, since another one may have other kernels.
std::string program_id() {
  const fs::path path = own_library().value_or("/proc/self/exe");
  struct stat file {};
  if (stat(path.c_str(), &file) != 0) return LBM_VERSION;
  return fmt::format("{} {} {}.{}", LBM_VERSION, file.st_size, file.st_mtim.tv_sec,
                     file.st_mtim.tv_nsec);
}

bool complete(const DeviceSpeeds& speeds) {
  for (const StorageType storage : {StorageType::fp16, StorageType::fp32, StorageType::fp64}) {
    if (!speeds.measured(storage)) return false;
  }
  return true;
}

// Rejects numbers that no measurement gives, such as those of an edited file.
bool possible(const DeviceSpeeds& s) {
  const auto possible = [](double number) { return std::isfinite(number) && number >= 0; };
  for (const double number : {s.copy, s.link_in, s.link_out, s.link_in_both, s.link_out_both}) {
    if (!possible(number)) return false;
  }
  for (const DeviceSpeeds::Update& update : {s.fp16, s.fp32, s.fp64}) {
    if (!possible(update.bytes_per_second) || !possible(update.launch_seconds) ||
        !possible(update.blocked_bytes_per_second)) {
      return false;
    }
  }
  return true;
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

namespace {

io::Json update_json(const DeviceSpeeds::Update& update) {
  io::Json json = io::Json::object();
  json["bytes_per_second"] = update.bytes_per_second;
  json["launch_seconds"] = update.launch_seconds;
  json["blocked_bytes_per_second"] = update.blocked_bytes_per_second;
  return json;
}

DeviceSpeeds::Update update_of(const io::Json& json) {
  return {json.at("bytes_per_second"), json.at("launch_seconds"),
          json.at("blocked_bytes_per_second")};
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

io::Json speeds_json(const DeviceSpeeds& speeds) {
  io::Json json = io::Json::object();
  json["program"] = program_id();
  json["device"] = speeds.device;
  json["copy"] = speeds.copy;
  json["link_in"] = speeds.link_in;
  json["link_out"] = speeds.link_out;
  json["link_in_both"] = speeds.link_in_both;
  json["link_out_both"] = speeds.link_out_both;
  json["lanes_overlap"] = speeds.queues_overlap;
  json["fp16"] = update_json(speeds.fp16);
  json["fp32"] = update_json(speeds.fp32);
  json["fp64"] = update_json(speeds.fp64);
  return json;
}

std::optional<DeviceSpeeds> speeds_in(const io::Json& json) {
  try {
    if (json.at("program") != program_id()) return std::nullopt;
    const DeviceSpeeds speeds{.device = json.at("device"),
                              .copy = json.at("copy"),
                              .link_in = json.at("link_in"),
                              .link_out = json.at("link_out"),
                              .link_in_both = json.at("link_in_both"),
                              .link_out_both = json.at("link_out_both"),
                              .queues_overlap = json.at("lanes_overlap"),
                              .fp16 = update_of(json.at("fp16")),
                              .fp32 = update_of(json.at("fp32")),
                              .fp64 = update_of(json.at("fp64"))};
    return possible(speeds) ? std::optional(speeds) : std::nullopt;
  } catch (const io::Json::exception&) {  // a member is missing or of another type
    return std::nullopt;
  }
}

DeviceSpeeds measure_and_keep(Backend& backend, std::uint64_t budget) {
  DeviceSpeeds speeds = measure_speeds(backend, budget);
  if (!speeds.queues_overlap) tiling::measure_blocked(backend, budget, speeds);
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
