// SPDX-License-Identifier: Apache-2.0

// Results of the final fields: centre-line profiles, and values for the expectations.
#pragma once

#include <optional>

#include "cases/run/records/expectations.hpp"
#include "cases/run/records/profiles.hpp"
#include "cases/run/results/field_consumer.hpp"
#include "cases/run/results/result_context.hpp"

namespace lbm::cases {

class ProfileFiles final : public FieldConsumer {
 public:
  explicit ProfileFiles(const ResultContext& context) : context_(context) {}
  bool wants(std::int64_t step) const override { return step == context_.last_step; }
  std::optional<std::int64_t> next_after(std::int64_t) const override { return std::nullopt; }
  tiling::FieldBox box() const override { return tiling::whole_box(context_.model.lattice); }
  void begin(std::int64_t step) override;
  void add_plane(std::int64_t step, int z, std::span<const float> drho,
                 std::span<const float> velocity) override;
  std::string state_name() const override { return "profiles"; }
  std::vector<std::string> files() const override { return files_; }

 private:
  ResultContext context_;
  std::optional<Profiles> profiles_;
  int planes_ = 0;
  std::vector<std::string> files_;
};

class ExpectedFields final : public FieldConsumer {
 public:
  ExpectedFields(const ResultContext& context, Expectations& expectations)
      : context_(context), expectations_(expectations) {}
  bool wants(std::int64_t step) const override { return step == context_.last_step; }
  std::optional<std::int64_t> next_after(std::int64_t) const override { return std::nullopt; }
  tiling::FieldBox box() const override { return tiling::whole_box(context_.model.lattice); }
  void begin(std::int64_t) override { expectations_.begin_fields(); }
  std::string state_name() const override { return "expected fields"; }
  void add_plane(std::int64_t, int z, std::span<const float> drho,
                 std::span<const float> velocity) override {
    expectations_.add_plane(z, drho, velocity);
  }

 private:
  ResultContext context_;
  Expectations& expectations_;
};

}  // namespace lbm::cases
