// SPDX-License-Identifier: Apache-2.0
#include "io/voxels/voxel_image.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <unordered_map>

#include "io/files/input_file.hpp"
#include "io/files/place.hpp"
#include "solver/core/in_parts.hpp"

namespace lbm::io {
namespace {

constexpr std::size_t most_labels = 65536;

// Counts of labels, by runs of equal ones.
class Counts {
 public:
  void add(VoxelType type, std::span<const std::byte> bytes) {
    visit_labels(type, bytes, [&](std::size_t, std::int64_t label) {
      if (label != label_) end_run(label);
      ++run_;
    });
  }
  bool too_many() const { return counts_.size() > most_labels; }
  void add_to(std::map<std::int64_t, std::int64_t>& all) {
    end_run(0);
    for (const auto& [label, count] : counts_) all[label] += count;
  }

 private:
  void end_run(std::int64_t next) {
    if (run_ > 0 && !too_many()) counts_[label_] += run_;
    label_ = next;
    run_ = 0;
  }

  std::int64_t label_ = 0, run_ = 0;
  std::unordered_map<std::int64_t, std::int64_t> counts_;
};

// Brings numbers of `size` bytes, read in that order, to the order of this machine.
void to_native_order(std::span<std::byte> bytes, std::size_t size, bool big_endian) {
  if (size <= 1 || big_endian == (std::endian::native == std::endian::big)) return;
  for (; !bytes.empty(); bytes = bytes.subspan(size)) std::ranges::reverse(bytes.first(size));
}

}  // namespace

VoxelImage::VoxelImage(VoxelFormat format) : format_(std::move(format)) {
  if (format_.source) return;
  fd_ = UniqueFd(::open(format_.file.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (!fd_.valid()) cannot_read(format_.file, errno);
}

std::vector<std::byte> VoxelImage::bytes_at(std::uint64_t first, std::size_t count) const {
  const std::size_t size = bytes_of(format_.type);
  std::vector<std::byte> bytes(count * size);
  if (const int error = read_at(fd_.get(), bytes, format_.offset + first * size); error != 0) {
    cannot_read(format_.file, error);
  }
  to_native_order(bytes, size, format_.big_endian);
  return bytes;
}

std::vector<std::byte> VoxelImage::bytes_of_plane(std::int64_t z) const {
  const auto in_plane = static_cast<std::size_t>(format_.voxels[0] * format_.voxels[1]);
  if (!format_.source) return bytes_at(static_cast<std::uint64_t>(z) * in_plane, in_plane);
  std::vector<std::byte> bytes(in_plane * bytes_of(format_.type));
  format_.source(z, bytes);
  return bytes;
}

void VoxelImage::plane(std::int64_t z, std::span<std::int64_t> labels) const {
  visit_labels(format_.type, bytes_of_plane(z),
               [&](std::size_t i, std::int64_t label) { labels[i] = label; });
}

std::int64_t VoxelImage::label(std::int64_t x, std::int64_t y, std::int64_t z) const {
  const auto& n = format_.voxels;
  const std::size_t size = bytes_of(format_.type);
  std::vector<std::byte> bytes;
  if (format_.source) {
    const std::scoped_lock lock(kept_->mutex);
    if (kept_->z != z) {
      kept_->z = -1;
      kept_->bytes = bytes_of_plane(z);
      kept_->z = z;
    }
    const auto at = kept_->bytes.begin() + (y * n[0] + x) * static_cast<std::ptrdiff_t>(size);
    bytes.assign(at, at + static_cast<std::ptrdiff_t>(size));
  } else {
    bytes = bytes_at(static_cast<std::uint64_t>((z * n[1] + y) * n[0] + x), 1);
  }
  std::int64_t found = 0;
  visit_labels(format_.type, bytes, [&](std::size_t, std::int64_t label) { found = label; });
  return found;
}

std::map<std::int64_t, std::int64_t> VoxelImage::count(const VoxelRange& part,
                                                       const TimeLimit& limit,
                                                       const TakePlane& take) const {
  const auto size = static_cast<std::int64_t>(bytes_of(format_.type));
  std::map<std::int64_t, std::int64_t> all;
  FirstError error;
  std::atomic<bool> stopped = false;
#pragma omp parallel
  {
    Counts own;
#pragma omp for schedule(dynamic)
    for (std::int64_t z = part.first[2]; z < part.last[2]; ++z) {
      if (stopped) continue;
      error.guard([&] {
        const std::vector<std::byte> bytes = bytes_of_plane(z);
        for (std::int64_t y = part.first[1]; y < part.last[1]; ++y) {
          const std::int64_t begin = y * format_.voxels[0] + part.first[0];
          own.add(format_.type,
                  std::span(bytes).subspan(static_cast<std::size_t>(begin * size),
                                           static_cast<std::size_t>(part.size()[0] * size)));
        }
        if (take) take(z, bytes);
      });
      if (error.found() || own.too_many() || limit.reached()) stopped = true;
    }
#pragma omp critical(voxel_image_count)
    own.add_to(all);
  }
  error.rethrow();
  if (all.size() > most_labels) {
    refuse_file(format_.file,
                fmt::format("has more than {} different labels: is it an image of grey values? "
                            "Segment it first, and give the file of labels",
                            most_labels));
  }
  limit.check();
  return all;
}

}  // namespace lbm::io
