// SPDX-License-Identifier: Apache-2.0
#include "cases/run/setup/representation_choice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cases/case/limits.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

RepresentationForecast forecast(Case lbm_case, Representation representation,
                                const Backend& backend, const tiling::ScheduleRequest& request,
                                int planes) {
  lbm_case.lattice.representation = representation;
  Lattice lattice = make_case_lattice(lbm_case, derive(lbm_case));
  if (planes > 0) lattice.nz = planes;
  if (!plane_is_allowed(lattice.layout, lattice.storage)) return {};
  const std::uint64_t host = host_budget(lbm_case);
  tiling::ScheduleRequest own = request;  // its halo planes may have to be on the host
  try {
    const auto plan = choose_with_halo(lattice, Boundaries(), own, device_budget(lbm_case, backend),
                                       staging_limit(host));
    if (host_bytes_of(plan, backend.facts()) > host) return {};
    const auto prediction = predict_choice(lattice, own, plan);
    return {true, prediction ? prediction->seconds : 0};
  } catch (const ResourceError&) {
    return {};
  }
}

std::string times_as_fast(double factor, const char* other) {
  return fmt::format("predicted {:.3g} times as fast as {}", factor, other);
}

}  // namespace

bool needs_forecasts(const Case& lbm_case) {
  return !lbm_case.lattice.representation && is_regularised(lbm_case.lattice.collision);
}

RepresentationForecasts forecast_representations(const Case& lbm_case, const Backend& backend,
                                                 const tiling::ScheduleRequest& request,
                                                 int planes) {
  request.speeds();  // the copies of the request know them then
  return {forecast(lbm_case, Representation::populations, backend, request, planes),
          forecast(lbm_case, Representation::moments, backend, request, planes)};
}

RepresentationForecasts join_forecasts(const std::vector<RepresentationForecasts>& of_ranks) {
  const auto join = [&](RepresentationForecast RepresentationForecasts::*side) {
    RepresentationForecast all{true, 0};
    bool predicted = true;
    for (const RepresentationForecasts& rank : of_ranks) {
      const RepresentationForecast& own = rank.*side;
      all.fits = all.fits && own.fits;
      predicted = predicted && own.seconds > 0;
      all.seconds = std::max(all.seconds, own.seconds);
    }
    if (!predicted) all.seconds = 0;
    return all;
  };
  return {join(&RepresentationForecasts::populations), join(&RepresentationForecasts::moments)};
}

RepresentationChoice better_representation(const RepresentationForecasts& forecasts) {
  const auto& [populations, moments] = forecasts;
  const auto take_moments = [](std::string why) {
    return RepresentationChoice{Representation::moments, std::move(why)};
  };
  // Where neither fits, the error of the run is about the one that needs less.
  if (!populations.fits) {
    return take_moments(moments.fits ? "populations do not fit the memory"
                                     : "neither fits the memory, and moments need half of it");
  }
  if (!(populations.seconds > 0) || !(moments.seconds > 0)) {
    return take_moments("half the memory; the speeds are not known");
  }
  const double gain = populations.seconds / moments.seconds;
  if (gain * worth_the_memory < 1) {
    return {Representation::populations, times_as_fast(1 / gain, "moments")};
  }
  if (gain > worth_the_memory) return take_moments(times_as_fast(gain, "populations"));
  return take_moments(fmt::format("half the memory, and {}", times_as_fast(gain, "populations")));
}

RepresentationChoice stated_representation(const Case& lbm_case) {
  const LatticeKeys& lattice = lbm_case.lattice;
  if (lattice.representation) return {*lattice.representation, ""};
  return {Representation::populations,
          fmt::format("lattice.collision: {} needs them", to_string(lattice.collision))};
}

RepresentationChoice choose_representation(const Case& lbm_case, const Backend& backend,
                                           const tiling::ScheduleRequest& request, int planes) {
  if (!needs_forecasts(lbm_case)) return stated_representation(lbm_case);
  return better_representation(forecast_representations(lbm_case, backend, request, planes));
}

}  // namespace lbm::cases
