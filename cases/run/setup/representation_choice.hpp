// SPDX-License-Identifier: Apache-2.0

// Chooses what is stored of a cell where the case leaves it open (lattice.representation: auto).
#pragma once

#include <string>

#include "cases/run/setup/setup.hpp"
#include "solver/lattice/representation.hpp"

namespace lbm::cases {

// What one representation would mean for a run.
struct RepresentationForecast {
  bool fits = false;   // device and host memory suffice, and a plane is not too large
  double seconds = 0;  // of the time loop, as the model predicts; 0: not predicted
};

struct RepresentationForecasts {
  RepresentationForecast populations, moments;
};

struct RepresentationChoice {
  Representation representation = Representation::populations;
  std::string reason;  // for users; empty where the case says it
};

// Whether the case leaves the choice to forecasts: it says auto, and its collision allows moments.
bool needs_forecasts(const Case& lbm_case);

// Predicts both representations from the speeds of the request, which must have some; measures
// them if they are not known. Counts no memory of bodies. planes: of the slab of one rank, whose
// memory the case has; 0: the whole grid. Throws nothing for too little memory.
RepresentationForecasts forecast_representations(const Case& lbm_case, const Backend& backend,
                                                 const tiling::ScheduleRequest& request,
                                                 int planes = 0);

// The forecasts of several ranks as one: it must fit all of them, and the slowest rank counts.
RepresentationForecasts join_forecasts(const std::vector<RepresentationForecasts>& of_ranks);

// Populations where they are more than `worth_the_memory` times as fast as moments and fit;
// moments otherwise: measured speeds of a shared CPU vary by some 10 %. A pure function, so ranks
// with the same forecasts choose alike.
inline constexpr double worth_the_memory = 1.1;
RepresentationChoice better_representation(const RepresentationForecasts& forecasts);

// What the case says; for auto with a collision that needs all populations these; else the better
// one of forecast_representations().
RepresentationChoice choose_representation(const Case& lbm_case, const Backend& backend,
                                           const tiling::ScheduleRequest& request, int planes = 0);

// The choice without forecasts; needs_forecasts() must be false.
RepresentationChoice stated_representation(const Case& lbm_case);

}  // namespace lbm::cases
