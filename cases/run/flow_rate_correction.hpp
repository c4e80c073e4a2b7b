// SPDX-License-Identifier: Apache-2.0

// run.flow_rate_corrections: computes the pressure along a long porous sample from measured flow
// rates. Compressible relaxation alone would be slow. Lattice units.
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
  std::vector<double> drho;  // to add in each layer; empty: none, a part flows against the force
};

// Darcy's law in up to 64 parts of the sample. The conductance of a part is its flow rate /
// (g - dp/dx), g: the acceleration along the flow, not 0. With the corrected pressure all parts
// have the same flow rate. The correction conserves mass and is periodic.
FlowRateCorrection flow_rate_correction(std::span<const LayerSums> layers, double acceleration);

// Between two runs of the pipeline: reads its flow and corrects the pressure. The flow rates are
// those of the velocity, which differ from mass flows by the change of density along the sample.
// All ranks call it together. Throws ResourceError.
FlowRateCorrection correct_flow_rates(const PreparedRun& run, std::int64_t step,
                                      tiling::Pipeline& pipeline);

}  // namespace lbm::cases
