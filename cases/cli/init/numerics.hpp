// SPDX-License-Identifier: Apache-2.0

// Collision model, lattice velocity and viscosity of a case, chosen by the judgement of `lbm
// check`.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/derived.hpp"
#include "cases/case/units.hpp"

namespace lbm::cases::init {

struct Numerics {
  CollisionKind collision = CollisionKind::trt;
  double smagorinsky = 0;  // 0: no turbulence model
  double lattice_velocity = 0.05;
  // The case has so many times the viscosity that was asked for, as the grid bears no less.
  double viscosity_factor = 1;
  // Reasons, one sentence each, without a full stop.
  std::string why_collision, why_velocity, why_viscosity;

  Case lbm_case;  // that the text below makes
  Derived derived;
  Units units;
};

// The text of a case with such numbers.
using TextOf = std::function<std::string(const Numerics&)>;

struct NumericsRequest {
  double lattice_velocity = 0.05;  // largest one
  double most_tau = 1;             // accuracy suffers above, and steps become short
  bool keep_viscosity = false;     // rather warn than compute another Reynolds number
  std::string file;  // of the case: the start of messages, and the folder of its files
};

// Takes the first of these with which check has nothing to say about stability: trt,
// regularised_filtered, the latter with the least viscosity that it bears. The lattice velocity is
// lowered until tau is at most `most_tau`. Throws UsageError if the text is no valid case.
Numerics choose_numerics(const NumericsRequest& request, const TextOf& text);

// Computes lbm_case, derived and units.
void resolve(Numerics& numerics, const std::string& text, const std::string& file);

}  // namespace lbm::cases::init
