// SPDX-License-Identifier: Apache-2.0

// Data of the run that all field outputs need.
#pragma once

#include <atomic>
#include <cstdint>

#include "cases/case/case.hpp"
#include "cases/case/model/case_model.hpp"
#include "cases/fields/halo_box.hpp"
#include "cases/fields/walls_around.hpp"
#include "io/files/run_directory.hpp"

namespace lbm::cases {

struct ResultContext {
  const Case& lbm_case;
  const CaseModel& model;
  const io::RunDirectory& directory;
  // Last step of the run; decreases if the flow becomes steady.
  const std::atomic<std::int64_t>& last_step;
  bool shared_sums = false;  // sums of statistics lie in memory that other writers can map
};

// Walls of the box and of bodies, with their velocities at a step.
fields::WallsAround walls_at(const Case& lbm_case, const CaseModel& model, std::int64_t step);

}  // namespace lbm::cases
