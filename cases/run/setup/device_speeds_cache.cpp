// SPDX-License-Identifier: Apache-2.0
#include "cases/run/setup/device_speeds_cache.hpp"

#include <dlfcn.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <nlohmann/json.hpp>

#include <cctype>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <span>
#include <thread>

#include "io/files/checksum.hpp"
#include "io/files/place.hpp"
#include "solver/core/error.hpp"
#include "tiling/model/performance_model.hpp"

namespace lbm {

// The members in files: the keys are their names.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LinkSpeed, in, out, in_both, out_both)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DeviceSpeeds::Update, bytes_per_second, launch_seconds,
                                   blocked_bytes_per_second)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DeviceSpeeds, device, when, load, copy, link_in, link_out,
                                   link_in_both, link_out_both, system_link, queues_overlap, fp16,
                                   fp32, fp64, moments_fp16, moments_fp32, moments_fp64, models)

}  // namespace lbm

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
  bool all = true;
  for_each_kernel([&](StorageType storage, Representation representation) {
    all = all && speeds.measured(storage, representation);
  });
  return all;
}

TellOfSpeeds& listener() {
  static TellOfSpeeds tell;
  return tell;
}

void tell(const std::string& line) {
  if (listener()) listener()(line);
}

// Load average of the last minute; 0: unknown.
double load_average() {
  double load = 0;
  return getloadavg(&load, 1) == 1 ? load : 0;
}

// A number of DeviceSpeeds by the path of its key: a load average, seconds of a launch, or bytes
// per second, 0 where they were not measured.
bool in_range(const std::string& key, double value) {
  constexpr double least = 1e6, most = 1e14, longest_launch = 1;
  if (key.ends_with("/load")) return value >= 0;
  if (key.ends_with("/launch_seconds")) return value >= 0 && value <= longest_launch;
  return value == 0 || (value >= least && value <= most);
}

// A kernel for fp32 moves half the bytes of one for fp64, with twice the values in a register.
bool too_slow(const DeviceSpeeds::Update& fp32, const DeviceSpeeds::Update& fp64) {
  constexpr double bytes_ratio = 2, tolerated = 2;
  return fp32.bytes_per_second > 0 &&
         tolerated * bytes_ratio * fp32.bytes_per_second < fp64.bytes_per_second;
}

// The work of other processes may be over.
bool may_be_faster_now(const DeviceSpeeds& speeds) {
  return was_busy(speeds) && load_average() < 0.5 * speeds.load;
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
  io::Json json = {{"program", program_id()}};
  json.update(io::Json(nlohmann::json(speeds)));
  return json;
}

io::Json link_speed_json(const LinkSpeed& link) {
  if (!link.measured()) return {};
  return {{"in", 1e-9 * link.in},
          {"out", 1e-9 * link.out},
          {"in_both", 1e-9 * link.in_both},
          {"out_both", 1e-9 * link.out_both}};
}

std::optional<DeviceSpeeds> speeds_in(const io::Json& json) {
  try {
    if (json.at("program") != program_id()) return std::nullopt;
    const auto speeds = nlohmann::json(json).get<DeviceSpeeds>();
    return is_absurd(speeds) ? std::nullopt : std::optional(speeds);
  } catch (const io::Json::exception&) {  // a member is missing or of another type
    return std::nullopt;
  }
}

void tell_of_speeds(TellOfSpeeds tell) { listener() = std::move(tell); }

bool is_absurd(const DeviceSpeeds& speeds) {
  if (too_slow(speeds.fp32, speeds.fp64) || too_slow(speeds.moments_fp32, speeds.moments_fp64)) {
    return true;
  }
  const nlohmann::json numbers = nlohmann::json(speeds).flatten();
  for (const auto& [key, value] : numbers.items()) {
    if (value.is_number_float() && !in_range(key, value)) return true;
  }
  return false;
}

// GPUs compute by themselves.
bool was_busy(const DeviceSpeeds& speeds) {
  return !speeds.queues_overlap && speeds.load > 0.5 * std::thread::hardware_concurrency();
}

DeviceSpeeds measure_and_keep(Backend& backend, std::uint64_t budget) {
  constexpr int tries = 2;  // other processes may slow a part of the first one
  const auto file = speeds_file(backend.device_name());
  tell(fmt::format("measuring the speed of {}, once, for some seconds{}", backend.device_name(),
                   file ? "; kept in " + file->string() : ""));
  DeviceSpeeds speeds;
  for (int i = 0; i < tries && (i == 0 || is_absurd(speeds)); ++i) {
    const double load = load_average();
    speeds = measure_speeds(backend, budget);
    tiling::measure_blocked(backend, budget, speeds);
    speeds.load = load;
  }
  speeds.when = fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(std::time(nullptr)));
  // Incomplete speeds are not kept: memory may suffice next time.
  if (!file || !complete(speeds) || is_absurd(speeds)) return speeds;
  std::error_code ignored;
  fs::create_directories(file->parent_path(), ignored);
  try {
    io::write_file_atomically(*file, io::json_text(speeds_json(speeds)));
  } catch (const Error& error) {  // is measured again next time
    tell(fmt::format("{}; until then each call measures again (LBM_CACHE_DIR names another place)",
                     error.what()));
  }
  return speeds;
}

DeviceSpeeds known_speeds_of(const Backend& backend) {
  const auto file = speeds_file(backend.device_name());
  const auto known = file ? read_speeds(*file) : std::nullopt;
  const bool fits = known && known->device == backend.device_name() && complete(*known);
  return fits && !may_be_faster_now(*known) ? *known : DeviceSpeeds{};
}

DeviceSpeeds speeds_of(Backend& backend, std::uint64_t budget) {
  const DeviceSpeeds known = known_speeds_of(backend);
  return known.device.empty() ? measure_and_keep(backend, budget) : known;
}

namespace fs = std::filesystem;

std::optional<fs::path> own_library() {
  static const char here = 0;
  Dl_info info{};
  std::error_code ignored;
  if (dladdr(&here, &info) == 0 || info.dli_fname == nullptr) return std::nullopt;
  if (fs::equivalent(info.dli_fname, "/proc/self/exe", ignored) || ignored) return std::nullopt;
  return fs::path(info.dli_fname);
}

fs::path program_file() { return own_library().value_or("/proc/self/exe"); }

std::string program_checksum() {
  std::ifstream file(program_file(), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  return fmt::format("{} {:016x}", LBM_VERSION, io::checksum(std::as_bytes(std::span(bytes))));
}

const char* commit() { return LBM_COMMIT; }

}  // namespace lbm::cases
