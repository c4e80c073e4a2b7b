// What a part of a run puts into a checkpoint besides the lattice, and takes out again.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "io/checkpoint/checkpoint_layout.hpp"
#include "io/text/json.hpp"

namespace lbm::cases {

// Called between runs of the pipeline, when all steps up to the checkpoint's have come and all
// fields are written.
class Stateful {
 public:
  using TakePlanes = std::function<void(std::int64_t first, std::span<const std::byte> planes)>;

  virtual ~Stateful() = default;
  // Its name in the file; no two parts have the same.
  virtual std::string state_name() const = 0;
  // Small. Numbers come back to the same bits; not finite ones as null.
  virtual io::Json save_state() const = 0;
  // What save_state() gave, perhaps for a case with other outputs; null where the checkpoint has
  // none, or arrays of other sizes: the part begins anew then.
  virtual void load_state(const io::Json& state) = 0;

  // Large arrays, if any; their names are unique in the file. save_planes: hands out all planes,
  // several in a row at a time. plane_to_load: where plane `plane` goes, called from many threads.
  virtual std::vector<io::PlaneArray> plane_arrays() const { return {}; }
  virtual void save_planes([[maybe_unused]] std::size_t array,
                           [[maybe_unused]] const TakePlanes& take) const {}
  virtual std::span<std::byte> plane_to_load([[maybe_unused]] std::size_t array,
                                             [[maybe_unused]] std::int64_t plane) {
    return {};
  }

  // What it wrote to files up to now is safe on the disk when this returns.
  virtual void sync_files() {}
  // The run goes on in a directory that has files of later steps: cut them off. Before any step.
  virtual void continue_files([[maybe_unused]] std::int64_t step) {}
};

}  // namespace lbm::cases
