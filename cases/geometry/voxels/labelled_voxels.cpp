#include "cases/geometry/voxels/labelled_voxels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <unordered_map>

#include "io/files/input_file.hpp"
#include "solver/core/first_error.hpp"

namespace lbm::geometry {
namespace {

constexpr std::size_t most_labels = 65536;  // as io::VoxelImage::count()

// Labels of a whole plane of the file.
class PlaneLabels {
 public:
  explicit PlaneLabels(const io::VoxelImage& image)
      : image_(image),
        size_(static_cast<std::size_t>(image.format().voxels[0] * image.format().voxels[1])),
        labels_(new std::int64_t[size_]) {}
  void read(std::int64_t z) { image_.plane(z, {labels_.get(), size_}); }
  const std::int64_t* row(std::int64_t x, std::int64_t y) const {
    return labels_.get() + y * image_.format().voxels[0] + x;
  }

 private:
  const io::VoxelImage& image_;
  std::size_t size_;
  std::unique_ptr<std::int64_t[]> labels_;  // NOLINT: not zeroed, since all of it is read
};

// Small labels have a place each.
class LabelCounts {
 public:
  void add(const std::int64_t* label, std::int64_t count) {
    for (const std::int64_t* end = label + count; label < end; ++label) {
      if (*label >= -offset_ && *label < offset_) {
        ++near_[static_cast<std::size_t>(*label + offset_)];
      } else if (far_.size() <= most_labels) {
        ++far_[*label];
      }
    }
  }
  bool too_many() const { return far_.size() > most_labels; }
  void add_to(std::map<std::int64_t, std::int64_t>& all) const {
    for (std::size_t i = 0; i < near_.size(); ++i) {
      if (near_[i] > 0) all[static_cast<std::int64_t>(i) - offset_] += near_[i];
    }
    for (const auto& [label, count] : far_) all[label] += count;
  }

 private:
  static constexpr std::int64_t offset_ = 65536;
  std::vector<std::int64_t> near_ = std::vector<std::int64_t>(2 * offset_, 0);
  std::unordered_map<std::int64_t, std::int64_t> far_;
};

}  // namespace

LabelledVoxels::LabelledVoxels(std::shared_ptr<const io::VoxelImage> image,
                               const std::vector<std::int64_t>& fluid, const VoxelRange& part)
    : VoxelPlanes(part.size()), image_(std::move(image)), fluid_(fluid), first_(part.first) {
  std::sort(fluid_.begin(), fluid_.end());
  for (std::size_t label = 0; label < solid_of_.size(); ++label) {
    solid_of_[label] = has_solid_label(static_cast<std::int64_t>(label)) ? 1 : 0;
  }
}

bool LabelledVoxels::has_solid_label(std::int64_t label) const {
  return !std::binary_search(fluid_.begin(), fluid_.end(), label);
}

void LabelledVoxels::plane(std::int64_t z, std::span<std::uint8_t> solid) const {
  PlaneLabels labels(*image_);
  labels.read(first_[2] + z);
  const auto [nx, ny, nz] = size();
  std::uint8_t* to = solid.data();
  std::int64_t last = 0;  // labels beyond the table are searched for only where they change
  std::uint8_t last_solid = solid_of_[0];
  for (std::int64_t y = 0; y < ny; ++y) {
    const std::int64_t* label = labels.row(first_[0], first_[1] + y);
    for (const std::int64_t* end = label + nx; label < end; ++label, ++to) {
      if (static_cast<std::uint64_t>(*label) < solid_of_.size()) {
        *to = solid_of_[static_cast<std::size_t>(*label)];
        continue;
      }
      if (*label != last) {
        last = *label;
        last_solid = has_solid_label(last) ? 1 : 0;
      }
      *to = last_solid;
    }
  }
}

bool LabelledVoxels::is_solid(std::int64_t x, std::int64_t y, std::int64_t z) const {
  return has_solid_label(image_->label(first_[0] + x, first_[1] + y, first_[2] + z));
}

std::map<std::int64_t, std::int64_t> count_labels(const io::VoxelImage& image,
                                                  const VoxelRange& part, const TimeLimit& limit) {
  const auto& all_voxels = image.format().voxels;
  if (part.size() == all_voxels) return image.count(limit);
  std::map<std::int64_t, std::int64_t> all;
  FirstError error;
  std::atomic<bool> stopped = false;
#pragma omp parallel
  {
    LabelCounts own;
    std::optional<PlaneLabels> labels;
#pragma omp for schedule(dynamic)
    for (std::int64_t z = part.first[2]; z < part.last[2]; ++z) {
      if (stopped) continue;
      error.guard([&] {
        if (!labels) labels.emplace(image);
        labels->read(z);
        for (std::int64_t y = part.first[1]; y < part.last[1]; ++y) {
          own.add(labels->row(part.first[0], y), part.size()[0]);
        }
      });
      if (error.found() || own.too_many() || limit.reached()) stopped = true;
    }
#pragma omp critical(count_labels)
    own.add_to(all);
  }
  error.rethrow();
  if (all.size() > most_labels) {
    io::refuse_file(image.format().file,
                    fmt::format("has more than {} different labels: is it an image of grey values? "
                                "Segment it first, and give the file of labels",
                                most_labels));
  }
  limit.check();
  return all;
}

}  // namespace lbm::geometry
