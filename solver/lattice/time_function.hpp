// SPDX-License-Identifier: Apache-2.0

// A number that changes with time as the user likes.
#pragma once

namespace lbm {

// Called from any thread; the same time gives the same result. Throws nothing: OpenMP calls it.
class TimeFunction {
 public:
  virtual ~TimeFunction() = default;
  // step: time in steps. NaN where there is no value.
  virtual double at(double step) const = 0;
};

}  // namespace lbm
