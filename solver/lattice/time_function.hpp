// SPDX-License-Identifier: Apache-2.0

// A number that the user defines as a function of time.
#pragma once

namespace lbm {

// Any thread may call it; the same time gives the same result. It must not throw: OpenMP calls it.
class TimeFunction {
 public:
  virtual ~TimeFunction() = default;
  // step: time in steps. NaN: no value.
  virtual double at(double step) const = 0;
};

}  // namespace lbm
