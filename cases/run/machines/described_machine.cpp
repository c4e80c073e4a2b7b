// SPDX-License-Identifier: Apache-2.0
#include "cases/run/machines/described_machine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "io/text/json.hpp"
#include "solver/backend/pass_plan.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

const io::Json& known() {
  static const io::Json all = io::parse_json(known_machines_json(), "known_machines.json");
  return all;
}

// The member at a path such as "/bytes_per_second/copy", as messages name it.
std::string key_of(const std::string& path) {
  std::string key = path.substr(1);
  std::replace(key.begin(), key.end(), '/', '.');
  return key;
}

// Throws UsageError for a number that is none of this key.
void check_number(const io::Json& value, const std::string& key) {
  const bool count = key == "multiprocessors", speed = key.find('.') != std::string::npos;
  const double least = count ? 1 : 1e6, most = count ? 1e4 : speed ? 1e14 : 1e15;
  const double found = io::number_in(value).value_or(std::nan(""));
  if (found >= least && found <= most) return;
  throw UsageError(fmt::format("{}: found {}, must be a number from {:g} to {:g}", key,
                               io::json_line(value), least, most));
}

// Each value of `changes` must have its place in the machine.
void change(io::Json& machine, const io::Json& changes) {
  const io::Json known_keys = machine.flatten(), wanted = changes.flatten();
  for (const auto& [path, value] : wanted.items()) {
    const std::string key = key_of(path);
    if (key == "like") continue;
    if (!known_keys.contains(path) || key.starts_with("fixed.")) {
      std::string keys = "like";
      for (const auto& [known, old] : known_keys.items()) {
        if (!known.starts_with("/fixed/")) keys += ", " + key_of(known);
      }
      throw UsageError(key + ": is no key, must be one of " + keys);
    }
    io::Json& old = machine[io::Json::json_pointer(path)];
    if (old.is_number()) check_number(value, key);
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
    change(machine, changes);
    machine["fixed"]["gpu"] = machine["name"];
    machine["fixed"]["assumptions"].push_back(
        fmt::format("{} changes {}; the sentences above hold where it says nothing", file, like));
    if (machine["fixed"]["integrated"]) machine["device_memory"] = machine["host_memory"];
    return machine;
  } catch (const UsageError& error) {
    throw UsageError(file + ": " + error.what());
  }
}

[[noreturn]] void refuse() { throw std::logic_error("a described machine computes nothing"); }

class DescribedBackend : public Backend {
 public:
  explicit DescribedBackend(const DescribedMachine& machine) : machine_(machine) {}

  BackendKind kind() const override { return machine_.device.backend; }
  std::string device_name() const override { return machine_.device.name; }
  int threads() const override { return 0; }
  int steps_per_pass(const Lattice& lattice) const override {
    return device_has_passes(machine_.device)
               ? lbm::steps_per_pass(lattice, machine_.device.multiprocessors)
               : 1;
  }
  std::size_t free_memory() const override { return machine_.device_free; }
  DeviceFacts facts() const override { return machine_.device; }

  Buffer allocate_device(std::size_t, const std::string&) override { refuse(); }
  Buffer allocate_staging(std::size_t, const std::string&) override { refuse(); }
  Buffer allocate_host(std::size_t, HostMemory, const std::string&) override { refuse(); }
  Buffer attach_host(std::byte*, std::size_t, HostMemory) override { refuse(); }
  std::unique_ptr<Event> make_event() override { refuse(); }
  void record(Queue, Event&) override { refuse(); }
  void wait(Queue, Event&) override { refuse(); }
  void synchronize(Event&) override { refuse(); }
  double seconds_between(Event&, Event&) override { refuse(); }
  void copy_in(std::byte*, const std::byte*, std::size_t) override { refuse(); }
  void copy_out(std::byte*, const std::byte*, std::size_t) override { refuse(); }
  void copy_on_device(std::byte*, const std::byte*, std::size_t) override { refuse(); }
  void update(const DeviceLattice&, std::span<const UpdateLaunch>) override { refuse(); }
  void moments(const DeviceLattice&, const PlaneState&, const CellRectangle&, float*) override {
    refuse();
  }
  void probe(const DeviceLattice&, const UpdateLaunch&) override { refuse(); }
  void sample_flow(const DeviceLattice&, std::span<const PlaneState>, std::int64_t*) override {
    refuse();
  }
  void sum_box(const DeviceLattice&, std::span<const PlaneState>, const CellRectangle&, double,
               std::int64_t*) override {
    refuse();
  }
  void clear(Queue, std::byte*, std::size_t) override { refuse(); }

 private:
  DescribedMachine machine_;
};

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

std::unique_ptr<Backend> make_described_backend(const DescribedMachine& machine) {
  return std::make_unique<DescribedBackend>(machine);
}

}  // namespace lbm::cases
