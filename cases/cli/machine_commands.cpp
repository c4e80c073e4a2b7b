// SPDX-License-Identifier: Apache-2.0

// `lbm info`: devices, memory, the build. `lbm doctor`: what does not work, and the remedy.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>
#include <thread>

#include "cases/cli/commands.hpp"
#include "cases/cli/doctor/facts.hpp"
#include "cases/cli/terminal/print.hpp"
#include "cases/formula/formula.hpp"
#include "cases/run/setup/device_speeds_cache.hpp"
#include "solver/backend/backend.hpp"
#include "solver/core/error.hpp"
#include "solver/core/host_memory.hpp"

namespace lbm::cases {
namespace {

constexpr const char* doctor_page = R"({% for check in checks %}
{{ check.verdict | <10 }}{{ check.name | <20 }}{{ check.finding }}
{% if check.remedy %}
                              remedy: {{ check.remedy }}
{% endif %}
{% endfor %}
)";

io::Json device_json(const Backend& backend) {
  io::Json json = {{"backend", to_string(backend.kind())},
                   {"name", backend.device_name()},
                   {"free_bytes", backend.free_memory()}};
  if (backend.kind() == BackendKind::cpu) return json;
  json = doctor::gpu_facts(backend.facts(), backend.free_memory());
  json["link_gb_per_s"] = link_speed_json(known_speeds_of(backend).link());
  return json;
}

io::Json info_json() {
  io::Json json = doctor::build_facts();
  json["cores"] = static_cast<int>(std::thread::hardware_concurrency());
  json["host_memory_bytes"] = host_memory_total();
  json["host_memory_available_bytes"] = host_memory_available();
  json["devices"] = io::Json::array({device_json(*make_cpu_backend())});
  for (int i = 0; i < cuda_device_count(); ++i) {
    json["devices"].push_back(device_json(*make_cuda_backend(i)));
  }
  return json;
}

// A line for each member; bytes in binary units.
void print_members(const io::Json& json, const std::string& indent) {
  for (const auto& [key, value] : json.items()) {
    if (key == "devices") {
      for (const io::Json& device : value) {
        print_to(stdout, "device\n");
        print_members(device, "  ");
      }
      continue;
    }
    const bool bytes = key.ends_with("_bytes");
    print_to(stdout, "{}{:<30}{}\n", indent, bytes ? key.substr(0, key.size() - 6) : key,
             bytes ? human_bytes(value.get<std::uint64_t>()) : io::text_in(value));
  }
}

}  // namespace

int info_command(const Options& options) {
  const io::Json facts = info_json();
  if (options.has("json")) {
    write_text(stdout, io::json_text(facts));
  } else {
    print_members(facts, "");
  }
  return exit_ok;
}

int doctor_command(const Options& options) {
  const io::Json checks = doctor::judge(doctor::machine_facts(SystemFiles::here()));
  const bool fatal = std::any_of(checks.begin(), checks.end(),
                                 [](const io::Json& check) { return check["fatal"].get<bool>(); });
  utsname kernel{};
  uname(&kernel);
  io::Json json = doctor::build_facts();
  json["date"] = fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(std::time(nullptr)));
  json["kernel"] = fmt::format("{} {} {}", kernel.sysname, kernel.release, kernel.machine);
  std::string system = SystemFiles().value("/etc/os-release", "PRETTY_NAME");
  std::erase(system, '"');
  json["system"] = system;
  json["system_root"] = SystemFiles::here().root();
  json["can_run"] = !fatal;
  if (!options.has("json")) {
    print_members(json, "");
    write_text(stdout, formula::rendered(doctor_page, {{"checks", checks}}));
  }
  json["checks"] = checks;
  if (options.has("json")) write_text(stdout, io::json_text(json));
  return fatal ? exit_resources : exit_ok;
}

}  // namespace lbm::cases
