// The ways to schedule a run.
#pragma once

namespace lbm::tiling {

enum class Scheme {
  in_core,    // all planes live on the device
  wavefront,  // temporal blocking: planes stream through the device, time-skewed, no redundant work
  halo,       // temporal blocking: planes stream through in tiles with recomputed halos
};

constexpr const char* to_string(Scheme scheme) {
  switch (scheme) {
    case Scheme::wavefront:
      return "wavefront";
    case Scheme::halo:
      return "halo";
    case Scheme::in_core:
      break;
  }
  return "in_core";
}

}  // namespace lbm::tiling
