// SPDX-License-Identifier: Apache-2.0

// A CPU backend that a pipeline takes for a GPU: boundaries are copied to it, not read in place.
#pragma once

#include "tests/solver/backend/forwarding_backend.hpp"

namespace lbm::tiling::test {

class CopyingBackend final : public lbm::test::ForwardingBackend {
 public:
  BackendKind kind() const override { return BackendKind::cuda; }
};

}  // namespace lbm::tiling::test
