// SPDX-License-Identifier: Apache-2.0
#include "io/voxels/tiff_stack.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <utility>

#include "io/files/input_file.hpp"
#include "io/voxels/tiff_description.hpp"
#include "io/voxels/tiff_file.hpp"
#include "solver/core/enum_names.hpp"

namespace lbm::io {
namespace {

namespace fs = std::filesystem;

struct Plane {
  std::uint64_t directory = 0;
  std::uint32_t file = 0;
};

bool same_kind(const TiffPage& a, const TiffPage& b) {
  return a.width == b.width && a.height == b.height && a.type == b.type;
}

// Opens the file for each plane: many threads may read, and a stack may have more files than a
// process may open.
class TiffStack final : public VoxelSource {
 public:
  TiffStack(std::vector<fs::path> files, std::vector<Plane> planes, TiffPage first)
      : files_(std::move(files)), planes_(std::move(planes)), first_(std::move(first)) {}

  void read(std::int64_t z, std::span<std::byte> to) const override {
    const Plane& plane = planes_[static_cast<std::size_t>(z)];
    TiffFile file(files_[plane.file]);
    file.go_to(plane.directory);
    const TiffPage page = file.page();
    if (!same_kind(page, first_)) {
      file.refuse("has changed while it was read: do not change it during a run");
    }
    file.read(page, to);
  }

 private:
  std::vector<fs::path> files_;
  std::vector<Plane> planes_;
  TiffPage first_;
};

class StackReader {
 public:
  StackReader(const fs::path& name, const std::vector<fs::path>& files)
      : name_(name), files_(files) {}

  VoxelFormat read() {
    for (std::size_t i = 0; i < files_.size(); ++i) {
      TiffFile file(files_[i]);
      if (i == 0) big_endian_ = file.big_endian();
      add_file(file, static_cast<std::uint32_t>(i));
    }
    if (planes_.empty()) refuse_file(name_, "has no pages but previews: save the image again");
    VoxelFormat format{
        .file = name_,
        .voxels = {first_.width, first_.height, static_cast<std::int64_t>(planes_.size())},
        .type = first_.type,
        .big_endian = big_endian_,
        .edges = described_.edges};
    if (described_.one_directory) {
      place_behind_one_page(format);
    } else {
      format.source = std::make_shared<TiffStack>(files_, std::move(planes_), std::move(first_));
    }
    return format;
  }

 private:
  void add_file(TiffFile& file, std::uint32_t number) {
    const std::size_t before = planes_.size();
    do {
      TiffPage page = file.page();
      if (page.reduced) continue;
      if (planes_.size() == before) {
        const TiffDescription described = tiff_description(file, page);
        if (number == 0) described_ = described;
      }
      if (planes_.empty()) first_ = page;
      if (!same_kind(page, first_)) refuse_other(file, page);
      if (planes_.size() == most_voxels) {
        refuse_file(name_, fmt::format("has more than {} planes", most_voxels));
      }
      planes_.push_back({page.directory, number});
    } while (file.next_page());
    check_count(file, number, static_cast<std::int64_t>(planes_.size() - before));
  }

  // A description of more planes than there are belongs to a file that lost some, or to another
  // image; files of one plane each may all describe the whole image.
  void check_count(const TiffFile& file, std::uint32_t number, std::int64_t planes) {
    if (number == 0) planes_of_file_ = planes;
    if (planes != planes_of_file_) {
      file.refuse(
          fmt::format("has {} planes, the file before has {}: is it a file of another image?",
                      planes, planes_of_file_));
    }
    if (files_.size() > 1) described_.one_directory = false;
    if (files_.size() > 1 || described_.one_directory || described_.planes == 0 ||
        described_.planes == planes) {
      return;
    }
    file.refuse(fmt::format("says that it has {} planes, and has {}: save it again",
                            described_.planes, planes));
  }

  void refuse_other(const TiffFile& file, const TiffPage& page) const {
    file.refuse(
        fmt::format("plane {} has {} x {} pixels of {}, the first plane {} x {} of {}: all "
                    "must be alike: is it a file of another image?",
                    planes_.size() + 1, page.width, page.height, to_string(page.type), first_.width,
                    first_.height, to_string(first_.type)));
  }

  // A stack of ImageJ: its planes lie one after the other behind the only page.
  void place_behind_one_page(VoxelFormat& format) const {
    format.file = files_[0];
    format.voxels[2] = described_.planes;
    if (!first_.offset) {
      refuse_file(files_[0], fmt::format("says images={} and has one page: save it uncompressed",
                                         described_.planes));
    }
    format.offset = *first_.offset;
    const std::uint64_t bytes = TiffFile(files_[0]).bytes(),
                        plane = static_cast<std::uint64_t>(first_.width * first_.height) *
                                bytes_of(first_.type);
    if (described_.planes <= most_voxels && format.offset <= bytes &&
        plane * static_cast<std::uint64_t>(described_.planes) <= bytes - format.offset) {
      return;
    }
    refuse_file(
        files_[0],
        fmt::format("holds {} bytes, less than its {} planes of {} x {} pixels of {}: it "
                    "is cut short: copy it again",
                    bytes, described_.planes, first_.width, first_.height, to_string(first_.type)));
  }

  const fs::path& name_;
  const std::vector<fs::path>& files_;
  std::vector<Plane> planes_;
  TiffPage first_;
  TiffDescription described_;  // of the first file
  std::int64_t planes_of_file_ = 0;
  bool big_endian_ = false;
};

}  // namespace

VoxelFormat tiff_format(const fs::path& name, const std::vector<fs::path>& files) {
  return StackReader(name, files).read();
}

bool reads_tiff() { return true; }

}  // namespace lbm::io
