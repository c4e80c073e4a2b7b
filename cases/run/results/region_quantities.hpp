// SPDX-License-Identifier: Apache-2.0

// Named quantities of a region, from fields at ends of sweeps: means, flow rates, and those of
// porous media such as the permeability.
#pragma once

#include <memory>

#include "cases/run/records/quantities.hpp"
#include "cases/run/results/field_consumer.hpp"

namespace lbm::cases {

// Sums the fields in the region of a quantity and gives the sums to `quantities`. position: in
// Case::quantities.
std::unique_ptr<FieldConsumer> make_region_quantity(const ResultContext& context,
                                                    std::size_t position, Quantities& quantities);

}  // namespace lbm::cases
