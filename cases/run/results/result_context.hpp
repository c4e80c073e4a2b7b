// What everything that makes results of fields needs to know of a run.
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
  // The step at which the run ends; a flow that has become steady ends it early.
  const std::atomic<std::int64_t>& last_step;
};

// Walls of the box and of bodies, with velocities of that step.
fields::WallsAround walls_at(const Case& lbm_case, const CaseModel& model, std::int64_t step);

}  // namespace lbm::cases
