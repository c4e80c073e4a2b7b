// SPDX-License-Identifier: Apache-2.0
#include "io/voxels/tiff_stack.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "io/files/byte_order.hpp"
#include "io/files/input_file.hpp"
#include "io/voxels/tiff_description.hpp"
#include "io/voxels/tiff_page.hpp"
#include "io/voxels/tiff_pixels.hpp"
#include "io/voxels/voxel_format.hpp"
#include "solver/core/enum_names.hpp"

namespace lbm::io {
namespace {

namespace fs = std::filesystem;

struct Plane {
  std::uint64_t at = 0;  // of the numbers, if they lie together, else of the directory
  std::uint32_t file = 0;
  bool together = false;
};

// Opens a file for each plane unless there is only one: a stack may have more files than a process
// may open.
class TiffStack final : public VoxelSource {
 public:
  TiffStack(std::vector<fs::path> files, std::vector<Plane> planes, const TiffPage& first)
      : files_(std::move(files)),
        planes_(std::move(planes)),
        width_(first.width),
        height_(first.height),
        type_(first.type) {
    if (files_.size() == 1) file_.emplace(files_[0]);
  }

  void read(std::int64_t z, std::span<std::byte> to) const override {
    const Plane& plane = planes_[static_cast<std::size_t>(z)];
    std::optional<TiffFile> own;
    if (!file_) own.emplace(files_[plane.file]);
    const TiffFile& file = file_ ? *file_ : *own;
    if (plane.together) {
      file.read(plane.at, to);
      return to_native_order(to, bytes_of(type_), file.big_endian());
    }
    const TiffPage page = tiff_page(file, plane.at);
    if (page.width != width_ || page.height != height_ || page.type != type_) {
      file.refuse("has changed while it was read: do not change it during a run");
    }
    read_page(file, page, to);
  }

 private:
  std::vector<fs::path> files_;
  std::vector<Plane> planes_;
  std::int64_t width_, height_;
  VoxelType type_;
  std::optional<TiffFile> file_;
};

class StackReader {
 public:
  StackReader(const fs::path& name, const std::vector<fs::path>& files)
      : name_(name), files_(files) {}

  VoxelFormat read() {
    for (std::size_t i = 0; i < files_.size(); ++i) {
      const TiffFile file(files_[i]);
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
    if (lie_together()) {
      format.file = files_[0];
      format.offset = planes_[0].at;
    } else {
      format.source = std::make_shared<TiffStack>(files_, std::move(planes_), first_);
    }
    return format;
  }

 private:
  // Directories may form a circle: the place of one page is kept, and renewed ever more seldom
  // (Brent 1980).
  void add_file(const TiffFile& file, std::uint32_t number) {
    std::uint64_t kept = 0, pages = 0, next_to_keep = 1;
    const std::size_t planes_before = planes_.size();
    for (std::uint64_t at = file.first_page(); at != 0;) {
      if (at == kept) file.refuse("its directories form a circle: it is damaged: save it again");
      if (++pages == next_to_keep) {
        kept = at;
        next_to_keep *= 2;
      }
      TiffPage page = tiff_page(file, at);
      const std::uint64_t next = page.next;
      if (!page.reduced) add_page(file, number, at, page, planes_.size() == planes_before);
      at = next;
    }
    check_count(file, number, static_cast<std::int64_t>(planes_.size() - planes_before));
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
    if (files_.size() > 1 || described_.planes == 0 || described_.planes == planes) return;
    file.refuse(fmt::format("says that it has {} planes, and has {}: save it again",
                            described_.planes, planes));
  }

  void add_page(const TiffFile& file, std::uint32_t number, std::uint64_t at, TiffPage& page,
                bool is_first) {
    const bool together = page.is_contiguous();
    const std::uint64_t place = together ? page.offsets[0] : at;
    const TiffDescription described = is_first ? tiff_description(file, page) : TiffDescription();
    if (planes_.empty()) described_ = described;
    const auto row = static_cast<std::uint64_t>(page.width) * bytes_of(page.type);
    if (page.packing == TiffPacking::none && page.spare >= row && !described.one_directory) {
      file.refuse(
          fmt::format("has strips or tiles of {} bytes more than its pixels need: is its size "
                      "right? save it again",
                      page.spare));
    }
    const std::int64_t images = described.one_directory ? described.planes : 1;
    const std::uint64_t bytes =
        static_cast<std::uint64_t>(page.width * page.height) * bytes_of(page.type);
    if (images > 1 && images <= most_voxels) check_images(file, page, images, bytes);
    if (planes_.empty()) {
      first_ = std::move(page);
    } else {
      compare(file, page);
    }
    for (std::int64_t i = 0; i < std::max<std::int64_t>(images, 1); ++i) {
      if (planes_.size() == most_voxels) {
        refuse_file(name_, fmt::format("has more than {} planes", most_voxels));
      }
      planes_.push_back({place + static_cast<std::uint64_t>(i) * bytes, number, together});
    }
  }

  static void check_images(const TiffFile& file, const TiffPage& page, std::int64_t images,
                           std::uint64_t bytes) {
    if (!page.is_contiguous()) {
      file.refuse(fmt::format("says images={} and has one page: save it uncompressed", images));
    }
    const std::uint64_t needed = page.offsets[0] + bytes * static_cast<std::uint64_t>(images);
    if (needed <= file.bytes()) return;
    file.refuse(
        fmt::format("holds {} bytes, {} planes of {} x {} pixels of {} behind {} bytes need {}: it "
                    "is cut short: copy it again",
                    file.bytes(), images, page.width, page.height, to_string(page.type),
                    page.offsets[0], needed));
  }

  void compare(const TiffFile& file, const TiffPage& page) const {
    if (page.width == first_.width && page.height == first_.height && page.type == first_.type) {
      return;
    }
    file.refuse(
        fmt::format("plane {} has {} x {} pixels of {}, the first plane {} x {} of {}: all "
                    "must be alike: is it a file of another image?",
                    planes_.size() + 1, page.width, page.height, to_string(page.type), first_.width,
                    first_.height, to_string(first_.type)));
  }

  // All planes lie in one file, one after the other.
  bool lie_together() const {
    if (files_.size() > 1 || !planes_[0].together) return false;
    const std::uint64_t bytes =
        static_cast<std::uint64_t>(first_.width * first_.height) * bytes_of(first_.type);
    for (std::size_t z = 1; z < planes_.size(); ++z) {
      if (!planes_[z].together || planes_[z].at != planes_[0].at + z * bytes) return false;
    }
    return true;
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

}  // namespace lbm::io
