// SPDX-License-Identifier: Apache-2.0
#include "cases/run/machines/described_machine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "io/text/json.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

const io::Json& known() {
  static const io::Json all = io::parse_json(known_machines_json(), "known_machines.json");
  return all;
}

// Throws UsageError for a number that is none of this key. prefix: "bytes_per_second." or "".
void check_number(const io::Json& value, const std::string& prefix, const std::string& key) {
  const bool count = key == "multiprocessors";
  const double least = count ? 1 : 1e6, most = count ? 1e4 : prefix.empty() ? 1e15 : 1e14;
  const double found = io::number_in(value).value_or(std::nan(""));
  if (found >= least && found <= most) return;
  throw UsageError(fmt::format("{}{}: found {}, must be a number from {:g} to {:g}", prefix, key,
                               io::json_line(value), least, most));
}

void change(io::Json& machine, const io::Json& changes, const std::string& prefix) {
  for (const auto& [key, value] : changes.items()) {
    if (prefix.empty() && key == "like") continue;
    if (!machine.contains(key) || key == "fixed") {
      std::string keys = prefix.empty() ? "like" : "";
      for (const auto& [name, old] : machine.items()) {
        if (name != "fixed") keys += (keys.empty() ? "" : ", ") + name;
      }
      throw UsageError(prefix + key + ": is no key, must be one of " + keys);
    }
    io::Json& old = machine[key];
    if (old.is_object()) {
      if (!value.is_object()) throw UsageError(key + ": must be an object");
      change(old, value, key + ".");
      continue;
    }
    if (old.is_number()) check_number(value, prefix, key);
    old = old.is_number() ? value : io::Json(io::text_in(value));
  }
}

io::Json changed(const std::string& file) {
  const io::Json changes = io::read_json(file);
  try {
    if (!changes.is_object()) throw UsageError("must be an object");
    const std::string like = io::text_in(io::member(changes, "like"));
    if (!known().contains(like)) {
      throw UsageError(fmt::format("like: {}, must be one of {}",
                                   like.empty() ? "missing" : "found " + like,
                                   fmt::join(known_machines(), ", ")));
    }
    io::Json machine = known()[like];
    change(machine, changes, "");
    machine["fixed"]["gpu"] = machine["name"];
    machine["fixed"]["assumptions"].push_back(
        fmt::format("{} changes {}; the sentences above hold where it says nothing", file, like));
    if (machine["fixed"]["integrated"]) machine["device_memory"] = machine["host_memory"];
    return machine;
  } catch (const UsageError& error) {
    throw UsageError(file + ": " + error.what());
  }
}

}  // namespace

std::vector<std::string> known_machines() {
  std::vector<std::string> names;
  for (const auto& [name, machine] : known().items()) names.push_back(name);
  return names;
}

DescribedMachine described_machine(const std::string& name_or_file) {
  const bool is_file = name_or_file.ends_with(".json");
  if (!is_file && !known().contains(name_or_file)) {
    throw UsageError(fmt::format("found machine {}, must be {} or a JSON file", name_or_file,
                                 fmt::join(known_machines(), ", ")));
  }
  const io::Json json = is_file ? changed(name_or_file) : known()[name_or_file];
  const io::Json &fixed = json["fixed"], &rates = json["bytes_per_second"];
  // Numbers of a file may be written as 9e11.
  const auto bytes = [](const io::Json& value) {
    return static_cast<std::uint64_t>(value.get<double>());
  };
  DescribedMachine machine;
  machine.name = json["name"];
  machine.device_free = bytes(json["device_memory"]);
  machine.host_available = bytes(json["host_memory"]);
  machine.assumptions = fixed["assumptions"];
  machine.device = {.backend = BackendKind::cuda,
                    .name = fixed["gpu"],
                    .compute_major = fixed["compute_capability"][0],
                    .compute_minor = fixed["compute_capability"][1],
                    .multiprocessors = json["multiprocessors"],
                    .total_memory = bytes(fixed["gpu_memory"]),
                    .pageable = PageableAccess::ats,
                    .managed = true,
                    .pci_id = {},
                    .link = json["link"],
                    .numa_node = 0,
                    .own_numa_node = -1,
                    .integrated = fixed["integrated"]};
  machine.speeds.device = fixed["gpu"];
  machine.speeds.copy = rates["copy"];
  machine.speeds.set_link({.in = rates["link_in"],
                           .out = rates["link_out"],
                           .in_both = rates["link_in_both"],
                           .out_both = rates["link_out_both"]});
  for_each_kernel([&](StorageType storage, Representation representation) {
    const std::string name = fmt::format("{}_{}", to_string(representation), to_string(storage));
    machine.speeds.update(storage, representation) = {rates[name], 3.3e-6,
                                                      rates[name + "_two_steps"]};
  });
  return machine;
}

}  // namespace lbm::cases
