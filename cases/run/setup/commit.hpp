// SPDX-License-Identifier: Apache-2.0

// The commit that this program was built from.
#pragma once

namespace lbm::cases {

// As `git describe --always --dirty` says it; "unknown" outside a repository. A static string.
const char* commit();

}  // namespace lbm::cases
