// SPDX-License-Identifier: Apache-2.0

// The bodies of a case that resist the flow through them (bodies.NAME.porous, bodies.NAME.disc).
#pragma once

#include <memory>

#include "cases/case/case.hpp"
#include "cases/case/units.hpp"
#include "cases/geometry/shape.hpp"
#include "solver/boundary/porous_zone.hpp"
#include "solver/core/time_limit.hpp"

namespace lbm::cases {

bool has_zones(const Case& lbm_case);

// Refuses what bodies.NAME.porous and bodies.NAME.disc cannot be combined with. Throws UsageError.
void check_zone_keys(const Case& lbm_case, const Body& body);

// shape: in cells. A disc has the force of its coefficient on the volume of its samples, or the
// part of the force that lies in the box. Throws as sample_solid_fraction(), and UsageError,
// without the name of the body, for a resistance that stops the flow within a step.
std::shared_ptr<const PorousZone> make_zone(const Case& lbm_case, const Derived& derived,
                                            const Body& body, const geometry::Shape& shape,
                                            const TimeLimit& limit);

}  // namespace lbm::cases
