// SPDX-License-Identifier: Apache-2.0

// run.flow_rate_corrections: the pressure along a long porous sample, corrected by the flow rates
// that it drives, instead of by the slow compressible relaxation that would make them equal.
// Lattice units.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cases/run/prepared_run.hpp"
#include "tiling/pipeline/pipeline.hpp"

namespace lbm::cases {

// The fluid cells of a layer, one cell thick, across the flow.
struct LayerSums {
  double velocity = 0, drho = 0, cells = 0;  // sums over them; velocity along the flow
};

struct FlowRateCorrection {
  double spread = 0;         // largest difference of the flow rates of layers / their mean
  std::vector<double> drho;  // to add in each layer; empty: all parts must flow along the force
};

// Darcy's law in up to 64 parts of the sample: a part with the flow rate q at the force g less the
// pressure gradient lets pass q / (g - dp/dx) per force, whatever its pores are. The correction is
// the pressure with which all parts have the same flow rate. It keeps the mass, and is periodic.
// acceleration: along the flow, not 0.
FlowRateCorrection flow_rate_correction(std::span<const LayerSums> layers, double acceleration);

// Reads the flow of the pipeline between two of its runs and corrects the pressure. Returns the
// spread of the flow rates before. All ranks call it together. Throws ResourceError.
FlowRateCorrection correct_flow_rates(const PreparedRun& run, std::int64_t step,
                                      tiling::Pipeline& pipeline);

}  // namespace lbm::cases
