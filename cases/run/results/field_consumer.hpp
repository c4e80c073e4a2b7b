// Somebody who wants fields at some steps.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cases/run/records/stateful.hpp"
#include "io/image/image.hpp"
#include "tiling/store/field_box.hpp"

namespace lbm::cases {

// wants() and next_after() are asked by the thread that runs the pipeline; what the fields are
// given to runs in a thread of its own; files() when that is done. Throws ResourceError.
class FieldConsumer : public Stateful {
 public:
  FieldConsumer() = default;
  FieldConsumer(const FieldConsumer&) = delete;
  FieldConsumer& operator=(const FieldConsumer&) = delete;

  virtual bool wants(std::int64_t step) const = 0;
  // The first step > step that it wants for sure; sweeps end there.
  virtual std::optional<std::int64_t> next_after(std::int64_t step) const = 0;
  // Of every step that it wants.
  virtual tiling::FieldBox box() const = 0;

  // Planes of that step will come. Planes of earlier steps may still come after it.
  virtual void begin([[maybe_unused]] std::int64_t step) {}
  virtual void add_plane(std::int64_t step, int z, std::span<const float> density,
                         std::span<const float> velocity) = 0;

  // Lets other processes write planes of a step that has begun; nothing: it takes them all itself.
  virtual std::optional<io::ImagePlace> share([[maybe_unused]] std::int64_t step) {
    return std::nullopt;
  }
  // Of a step that is shared: another process has written its part of plane z, or has met an errno.
  virtual void plane_written([[maybe_unused]] std::int64_t step, [[maybe_unused]] int z) {}
  virtual void fail([[maybe_unused]] std::int64_t step, [[maybe_unused]] int error) {}

  // The run has come to its end, at that step; nothing else will come.
  virtual void finish([[maybe_unused]] std::int64_t step) {}

  // Names of the files that are complete.
  virtual std::vector<std::string> files() const { return {}; }
  // Bytes on the host besides single planes.
  virtual std::uint64_t host_bytes() const { return 0; }

  // Most have nothing to keep.
  io::Json save_state() const override;
  void load_state(const io::Json&) override {}
};

}  // namespace lbm::cases
