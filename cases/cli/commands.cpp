// SPDX-License-Identifier: Apache-2.0

// `lbm check`, `lbm plan`. `lbm cases`: lists and copies the case files that come with the program.
// `lbm info`: devices, memory, the build. `lbm doctor`: what does not work, and the remedy.
#include "cases/cli/commands.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>
#include <thread>

#include "cases/case/case_location.hpp"
#include "cases/case/read/read_case.hpp"
#include "cases/case/scalars.hpp"
#include "cases/case/validate/validate.hpp"
#include "cases/cli/doctor/facts.hpp"
#include "cases/cli/terminal/progress.hpp"
#include "cases/formula/formula.hpp"
#include "cases/run/predict/predict.hpp"
#include "cases/run/preview/preview.hpp"
#include "cases/run/setup/device_speeds_cache.hpp"
#include "io/files/place.hpp"
#include "io/text/json.hpp"
#include "solver/backend/backend.hpp"
#include "solver/core/error.hpp"
#include "solver/core/host_memory.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::cases {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_of_about = 96;

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw ResourceError(fmt::format("{}: cannot read: is it complete?", file.string()));
  return bytes;
}

// The case files by name, in the first of these folders that has any: those of an installed
// program (../share), of the Python package (beside the program), of a build tree.
std::map<std::string, fs::path> case_library() {
  const fs::path program = fs::read_symlink("/proc/self/exe").parent_path();
  std::map<std::string, fs::path> found;
  std::string looked;
  for (const char* place :
       {"../share/lbm/cases", "cases", "share/lbm/cases", "../cases", LBM_SOURCE_CASES}) {
    const fs::path folder = (program / place).lexically_normal();
    looked += (looked.empty() ? "" : ", ") + folder.string();
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder, none)) {
      const fs::path& file = entry.path();
      if (file.extension() == ".yaml") found[file.stem().string()] = file;
    }
    if (!found.empty()) return found;
  }
  throw ResourceError("lbm cases: found no case files in " + looked +
                      ": install lbm again, with its cases");
}

// The first sentence of the comment at the head of a case file, on one line. A sentence does not
// end after an initial, as in "J. Fluid Mech.".
std::string about_of(const std::string& text) {
  std::string about;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line) && line.size() > 2 && line[0] == '#';) {
    about += (about.empty() ? "" : " ") + line.substr(2);
  }
  static const std::regex sentence(R"(^.*?[^ (]{2}(?=\.( |$)))");
  std::smatch found;
  if (std::regex_search(about, found, sentence)) about = found.str();
  if (about.size() <= most_of_about) return about;
  return about.substr(0, about.rfind(' ', most_of_about)) + " ...";
}

// The files that a case names, relative to its folder.
std::vector<std::string> data_of(const fs::path& file) {
  return files_of(parse_case(bytes_of(file), file.string()));
}

void list(const std::map<std::string, fs::path>& library, bool json) {
  io::Json all = io::Json::array();
  std::string lines;
  for (const auto& [name, file] : library) {
    const std::string about = about_of(bytes_of(file));
    lines += fmt::format("{:<24}  {}\n", name, about);
    if (!json) continue;
    all.push_back(
        {{"name", name}, {"about", about}, {"file", file.string()}, {"data", data_of(file)}});
  }
  print_to(stdout, "{}", json ? io::json_text(all) : lines);
  if (json) return;
  print_to(stdout, "\nlbm cases NAME copies one of them here, with its data files.\n");
}

fs::path find(const std::map<std::string, fs::path>& library, std::string name) {
  if (name.ends_with(".yaml")) name.resize(name.size() - 5);
  if (const auto at = library.find(name); at != library.end()) return at->second;
  std::string near;
  for (const auto& one : library) {
    if (name.empty() || one.first.find(name) == std::string::npos) continue;
    near += (near.empty() ? "; with that in their names: " : ", ") + one.first;
  }
  throw UsageError(fmt::format("lbm cases: found no case \"{}\"{}; lbm cases lists all",
                               one_line(name, 80), near));
}

// Throws UsageError where `to` exists and is not a file with the same bytes as `from`.
void refuse_others(const fs::path& from, const fs::path& to) {
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(to, ignored))) return;
  if (fs::is_regular_file(to, ignored) && bytes_of(from) == bytes_of(to)) return;
  throw UsageError(fmt::format(
      "{}: exists already with other content: choose another directory with --out, or replace it "
      "with --overwrite",
      to.string()));
}

// For bodies and inlet profiles, so that the whole command takes less than two seconds.
constexpr std::chrono::milliseconds check_limit{1000};

void require_one_process(const char* command, const char* remedy) {
  if (!tiling::started_with_others()) return;
  throw UsageError(
      fmt::format("lbm {}: found several processes, must be one: {}", command, remedy));
}

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

int cases_command(const Options& options) {
  const auto library = case_library();
  const fs::path directory = options.text("out");
  if (!options.has("name")) {
    if (options.has("out"))
      throw UsageError("--out: found no NAME before it: lbm cases NAME --out DIR");
    list(library, options.has("json"));
    return exit_ok;
  }
  const fs::path file = find(library, options.text("name"));
  std::vector<std::string> names = data_of(file);
  names.insert(names.begin(), file.filename().string());
  for (const std::string& name : names) {
    if (!options.has("overwrite")) refuse_others(file.parent_path() / name, directory / name);
  }
  io::Json json = {{"name", file.stem().string()}, {"files", io::Json::array()}};
  std::string lines;
  for (const std::string& name : names) {
    const fs::path to = directory / name;
    std::error_code failed;
    if (to.has_parent_path()) fs::create_directories(to.parent_path(), failed);
    if (failed) {
      throw ResourceError(
          fmt::format("{}: cannot make this directory: {}: choose another one with --out",
                      to.parent_path().string(), failed.message()));
    }
    io::write_file_atomically(io::Place(to), bytes_of(file.parent_path() / name));
    json["files"].push_back(to.string());
    lines += one_line(to.string()) + ": written\n";
  }
  lines += fmt::format("next: lbm check {0}, lbm run {0}\n",
                       one_line((directory / file.filename()).string()));
  print_to(stdout, "{}", options.has("json") ? io::json_text(json) : lines);
  return exit_ok;
}

std::string case_file(const Options& options) {
  const std::string file = options.text("case");
  return file == "-" ? "/dev/stdin" : file;
}

Case case_of(const Options& options) { return read_case(case_file(options), options.all("set")); }

int check_command(const Options& options) {
  require_one_process("check", "start it without mpirun");
  const std::string preview = options.text("preview");
  const bool overwrite = options.has("overwrite");
  if (overwrite && preview.empty()) {
    throw UsageError(
        "lbm check: --overwrite needs --preview FILE.png: add it, or drop --overwrite");
  }
  if (!preview.empty()) check_preview_file(preview, case_file(options), overwrite);
  const Case lbm_case = case_of(options);
  Answer answer = check_case(lbm_case, options.has("full") ? TimeLimit() : TimeLimit(check_limit));
  if (!preview.empty()) {
    write_preview(lbm_case, validate(lbm_case), preview, overwrite);
    answer.json["preview"] = preview;
    answer.text += fmt::format("preview: {}\n", one_line(preview));
  }
  write_text(stdout, options.has("json") ? io::json_text(answer.json) : answer.text);
  return exit_ok;
}

int plan_command(const Options& options) {
  require_one_process("plan", "use --processes N instead");
  const Answer answer = plan_case(case_of(options), {.processes = options.whole("processes", 1),
                                                     .per_host = options.whole("per-host", 0),
                                                     .network = options.number("network", 0),
                                                     .latency = options.number("latency", 0),
                                                     .machine = options.text("machine"),
                                                     .measure = options.has("measure"),
                                                     .command_line = true});
  write_text(stdout, options.has("json") ? io::json_text(answer.json) : answer.text);
  for (const io::Json& note : answer.json["warnings"]) {
    print_to(stderr, "warning: {}\n", io::text_in(note));
  }
  if (!answer.json["fits"]) throw ResourceError(answer.json["refusal"].get<std::string>());
  return exit_ok;
}

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
