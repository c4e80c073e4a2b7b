// SPDX-License-Identifier: Apache-2.0

// The bodies of a run that move freely: the record of each step moves them on.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/model/case_model.hpp"
#include "cases/run/records/stateful.hpp"
#include "solver/boundary/free_body.hpp"

namespace lbm::cases {

class FreeBodies final : public Stateful {
 public:
  // `notices` receive where a body was stopped at a face. All arguments must outlive it.
  FreeBodies(const Case& lbm_case, const CaseModel& model, Notices& notices);

  bool any() const { return !bodies_.empty(); }
  // values: of the bodies in a step record (step_record.hpp). The places are those of step + 1
  // after that. Throws UsageError for a body that meets another one or is faster than Mach 0.3.
  void on_step(std::int64_t step, std::span<const std::int64_t> values);

  std::string state_name() const override { return "free_bodies"; }
  io::Json save_state() const override;
  void load_state(const io::Json& state) override;

 private:
  struct Item {
    int number = 0;  // in records
    std::string name;
    FreeBody* body = nullptr;
    unsigned told = 0;  // faces at which it was stopped
  };
  void check(std::int64_t step, const Item& item) const;

  const Case& case_;
  const Boundaries& boundaries_;
  Notices& notices_;
  std::vector<Item> bodies_;
};

}  // namespace lbm::cases
