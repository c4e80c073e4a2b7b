// SPDX-License-Identifier: Apache-2.0
#include "tests/faults/fault_plan.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace lbm::faults {
namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

[[noreturn]] void refuse(const char* name, std::string_view value) {
  std::fprintf(stderr, "%s: cannot read \"%.*s\"\n", name, static_cast<int>(value.size()),
               value.data());
  ::_exit(99);
}

Fault fault_named(const char* variable_name, std::string_view name) {
  const auto found = std::find(fault_names.begin(), fault_names.end(), name);
  if (found == fault_names.end()) refuse(variable_name, name);
  return static_cast<Fault>(found - fault_names.begin());
}

// Splits "name:value"; the value must be a number.
double number_after(const char* variable_name, std::string_view text, Fault& fault) {
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) refuse(variable_name, text);
  fault = fault_named(variable_name, text.substr(0, colon));
  const std::string value(text.substr(colon + 1));
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  if (value.empty() || *end != '\0') refuse(variable_name, text);
  return number;
}

// SplitMix64 (Steele, Lea and Flood 2014): each bit of the result depends on each bit of x.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

}  // namespace

bool applies(Fault fault, Call call) {
  const bool transfers = call == Call::read || call == Call::write;
  const bool writes = call != Call::read && call != Call::open;
  switch (fault) {
    case Fault::none:
      return false;
    case Fault::shortened:
      return transfers;
    case Fault::eintr:
      return transfers || call == Call::sync || call == Call::reserve;
    case Fault::eio:
      return writes && call != Call::remove;
    case Fault::read_eio:
      return !writes;
    case Fault::enospc:
      return writes && call != Call::remove && call != Call::truncate;
    case Fault::slow:
    case Fault::kill:
    case Fault::cut:
      return true;
  }
  return false;
}

Plan::Plan() {
  const std::string rank = variable("LBM_FAULT_RANK");
  if (!rank.empty() && rank != variable("OMPI_COMM_WORLD_RANK")) return;
  directory_ = variable("LBM_FAULT_DIR");
  names_ = variable("LBM_FAULT_NAMES");
  log_ = variable("LBM_FAULT_LOG");
  seed_ = std::strtoull(variable("LBM_FAULT_SEED").c_str(), nullptr, 10);
  std::string rates = variable("LBM_FAULT_RATES");
  while (!rates.empty()) {
    const auto comma = rates.find(',');
    Fault fault = Fault::none;
    const double rate = number_after("LBM_FAULT_RATES", rates.substr(0, comma), fault);
    rates_[static_cast<std::size_t>(fault)] = rate;
    rates.erase(0, comma == std::string::npos ? comma : comma + 1);
  }
  std::string at = variable("LBM_FAULT_AT");
  if (at.empty()) return;
  if (const auto dash = at.find('-'); dash != std::string::npos) {
    last_ = std::strtoull(at.c_str() + dash + 1, nullptr, 10);
    if (last_ == 0) refuse("LBM_FAULT_AT", at);
    at.resize(dash);
  }
  at_ = static_cast<std::uint64_t>(number_after("LBM_FAULT_AT", at, at_fault_));
}

bool Plan::covers(std::string_view path) const {
  return active() && path.starts_with(directory_) &&
         (path.size() == directory_.size() || path[directory_.size()] == '/') &&
         path.find(names_) != std::string_view::npos;
}

Decision Plan::next(Call call) {
  const std::uint64_t number = ++calls_;
  Decision decision{Fault::none, mixed(mixed(seed_) + number), number};
  if (at_fault_ != Fault::none && number >= at_ && applies(at_fault_, call)) {
    const bool first = !begun_.exchange(true);
    if (first || number <= last_) {
      const bool partly = first && last_ > 0 && call == Call::write;
      decision.fault = partly ? Fault::shortened : at_fault_;
      return decision;
    }
  }
  double left = static_cast<double>(mixed(decision.random) >> 11U) * 0x1p-53;  // in [0, 1)
  for (std::size_t i = 0; i < rates_.size(); ++i) {
    left -= rates_[i];
    if (left >= 0) continue;
    if (applies(static_cast<Fault>(i), call)) decision.fault = static_cast<Fault>(i);
    break;
  }
  return decision;
}

}  // namespace lbm::faults
