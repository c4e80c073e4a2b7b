// SPDX-License-Identifier: Apache-2.0
#include "cases/run/machines/described_machine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "io/text/json.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

// A file that changes a known machine.
class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file), json_(io::read_json(file)) {}

  DescribedMachine read() {
    if (!json_.is_object()) fail("must be an object", "");
    DescribedMachine machine = base();
    const auto memory = [&](std::uint64_t& bytes) {
      return [this, &bytes](const io::Json& value, const std::string& key) {
        bytes = static_cast<std::uint64_t>(number(value, key, 1e6, 1e15));
      };
    };
    const std::map<std::string, Take> keys{
        {"name",
         [&](const io::Json& value, const std::string&) { machine.name = io::text_in(value); }},
        {"like", [](const io::Json&, const std::string&) {}},
        {"device_memory", memory(machine.device_free)},
        {"host_memory", memory(machine.host_available)},
        {"multiprocessors",
         [&](const io::Json& value, const std::string& key) {
           machine.device.multiprocessors = static_cast<int>(number(value, key, 1, 10000));
         }},
        {"link", [&](const io::Json& value,
                     const std::string&) { machine.device.link = io::text_in(value); }},
        {"bytes_per_second",
         [&](const io::Json& value, const std::string&) { read_speeds(value, machine.speeds); }}};
    take(json_, keys, "");
    machine.device.name = machine.name;
    if (machine.device.integrated) machine.device_free = machine.host_available;
    machine.assumptions.push_back(
        fmt::format("{} changes {}; the sentences above hold where it says nothing", file_,
                    io::text_in(io::member(json_, "like"))));
    return machine;
  }

 private:
  using Take = std::function<void(const io::Json&, const std::string&)>;

  [[noreturn]] void fail(const std::string& why, const std::string& key) const {
    throw UsageError(file_ + ": " + (key.empty() ? "" : key + ": ") + why);
  }

  DescribedMachine base() const {
    const std::string like = io::text_in(io::member(json_, "like"));
    if (like.empty()) {
      fail(fmt::format("missing, must be one of {}", fmt::join(known_machines(), ", ")), "like");
    }
    const std::vector<std::string> known = known_machines();
    if (std::find(known.begin(), known.end(), like) == known.end()) {
      fail(fmt::format("found {}, must be one of {}", like, fmt::join(known, ", ")), "like");
    }
    return known_machine(like);
  }

  double number(const io::Json& value, const std::string& key, double least, double most) const {
    const auto found = io::number_in(value);
    if (!found || !std::isfinite(*found) || *found < least || *found > most) {
      fail(fmt::format("found {}, must be a number from {:g} to {:g}", io::json_line(value), least,
                       most),
           key);
    }
    return *found;
  }

  void take(const io::Json& json, const std::map<std::string, Take>& keys,
            const std::string& prefix) const {
    for (const auto& [key, value] : json.items()) {
      const auto found = keys.find(key);
      if (found == keys.end()) {
        std::string names;
        for (const auto& entry : keys) names += (names.empty() ? "" : ", ") + entry.first;
        fail("is no key, must be one of " + names, prefix + key);
      }
      found->second(value, prefix + key);
    }
  }

  void read_speeds(const io::Json& json, DeviceSpeeds& speeds) const {
    if (!json.is_object()) fail("must be an object", "bytes_per_second");
    const auto to = [this](double& speed) {
      return [this, &speed](const io::Json& value, const std::string& key) {
        speed = number(value, key, 1e6, 1e14);
      };
    };
    std::map<std::string, Take> keys{{"copy", to(speeds.copy)},
                                     {"link_in", to(speeds.link_in)},
                                     {"link_out", to(speeds.link_out)},
                                     {"link_in_both", to(speeds.link_in_both)},
                                     {"link_out_both", to(speeds.link_out_both)}};
    for_each_kernel([&](StorageType storage, Representation representation) {
      DeviceSpeeds::Update& update = speeds.update(storage, representation);
      const std::string name = fmt::format("{}_{}", to_string(representation), to_string(storage));
      keys.emplace(name, to(update.bytes_per_second));
      keys.emplace(name + "_two_steps", to(update.blocked_bytes_per_second));
    });
    take(json, keys, "bytes_per_second.");
  }

  std::string file_;
  io::Json json_;
};

}  // namespace

DescribedMachine described_machine(const std::string& name_or_file) {
  if (name_or_file.ends_with(".json")) return Reader(name_or_file).read();
  return known_machine(name_or_file);
}

}  // namespace lbm::cases
