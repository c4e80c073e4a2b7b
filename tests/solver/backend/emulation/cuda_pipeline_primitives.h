// SPDX-License-Identifier: Apache-2.0

// Stands in for CUDA's header: device_functions.hpp has its functions.
#pragma once
