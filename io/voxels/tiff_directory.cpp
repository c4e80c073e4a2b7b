// SPDX-License-Identifier: Apache-2.0
#include "io/voxels/tiff_directory.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "io/files/input_file.hpp"
#include "io/files/posix_file.hpp"

namespace lbm::io {
namespace {

constexpr std::uint64_t most_entries = 4096;

std::uint64_t number(std::span<const std::byte> bytes, bool big_endian) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    value =
        value << 8 | std::to_integer<std::uint64_t>(bytes[big_endian ? i : bytes.size() - 1 - i]);
  }
  return value;
}

// Size of a value of this type, in bytes; 0: not read as whole numbers.
std::uint64_t size_of(int type) {
  switch (type) {
    case 1:  // BYTE
    case 2:  // ASCII
    case 7:  // UNDEFINED
      return 1;
    case 3:  // SHORT
      return 2;
    case 4:   // LONG
    case 13:  // IFD
      return 4;
    case 16:  // LONG8
    case 18:  // IFD8
      return 8;
    default:
      return 0;
  }
}

}  // namespace

TiffFile::TiffFile(std::filesystem::path path) : path_(std::move(path)) {
  bytes_ = size_of_file(path_, "the path of an image");
  fd_ = UniqueFd(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (!fd_.valid()) cannot_read(path_, errno);
  std::array<std::byte, 16> head{};
  const std::span<std::byte> all(head);
  if (bytes_ < 16) refuse("is no TIFF file: it has less than 16 bytes");
  read(0, all);
  const auto first = std::to_integer<char>(head[0]), second = std::to_integer<char>(head[1]);
  big_endian_ = first == 'M';
  const std::uint64_t version = number(all.subspan(2, 2), big_endian_);
  big_tiff_ = version == 43;
  if (first != second || (first != 'I' && first != 'M') || (version != 42 && !big_tiff_) ||
      (big_tiff_ && number(all.subspan(4, 2), big_endian_) != 8)) {
    refuse("is no TIFF file: its first bytes are not those of TIFF");
  }
  first_page_ = number(big_tiff_ ? all.subspan(8, 8) : all.subspan(4, 4), big_endian_);
}

void TiffFile::refuse(const std::string& what) const { refuse_file(path_, what); }

void TiffFile::read(std::uint64_t at, std::span<std::byte> to) const {
  if (at > bytes_ || to.size() > bytes_ - at) {
    refuse(
        fmt::format("holds {} bytes, its directory names place {}: it is cut short: copy it "
                    "again",
                    bytes_, at));
  }
  if (const int error = read_at(fd_.get(), to, at); error != 0) cannot_read(path_, error);
}

TiffDirectory::TiffDirectory(const TiffFile& file, std::uint64_t at) : file_(file) {
  const std::size_t count_size = file.is_big_tiff() ? 8 : 2, entry_size = word() + word() + 4;
  std::array<std::byte, 8> head{};
  const std::span<std::byte> count_bytes(head.data(), count_size);
  file.read(at, count_bytes);
  const std::uint64_t count = number(count_bytes, file.big_endian());
  if (count == 0 || count > most_entries) {
    file.refuse(fmt::format("its directory has {} entries: is it damaged? save it again", count));
  }
  std::vector<std::byte> bytes(count * entry_size + word());
  file.read(at + count_size, bytes);
  const std::span<const std::byte> all(bytes);
  const auto field = [&](std::size_t i, std::size_t size) {
    return number(all.subspan(i, size), file.big_endian());
  };
  for (std::size_t i = 0; i < count * entry_size; i += entry_size) {
    const int type = static_cast<int>(field(i + 2, 2));
    Entry entry{.tag = static_cast<int>(field(i, 2)),
                .size = size_of(type),
                .is_ratio = type == 5,
                .count = field(i + 4, word())};
    const std::uint64_t size = entry.is_ratio ? 8 : entry.size;
    const bool is_here = entry.count <= word() && size * entry.count <= word();
    entry.at = is_here ? at + count_size + i + 4 + word() : field(i + 4 + word(), word());
    entries_.push_back(entry);
  }
  next_ = field(count * entry_size, word());
}

std::vector<std::uint64_t> TiffDirectory::numbers(int tag, std::uint64_t most) const {
  const Entry* entry = find(tag);
  if (entry == nullptr || entry->count == 0 || entry->size == 0) {
    file_.refuse(fmt::format("its directory has no tag {}: is it damaged? save it again", tag));
  }
  if (entry->count > most) {
    file_.refuse(fmt::format("its tag {} has {} values, must have at most {}: is it damaged?", tag,
                             entry->count, most));
  }
  std::vector<std::byte> bytes(entry->count * entry->size);
  file_.read(entry->at, bytes);
  std::vector<std::uint64_t> values(entry->count);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = number(std::span(bytes).subspan(i * entry->size, entry->size), file_.big_endian());
  }
  return values;
}

std::uint64_t TiffDirectory::one(int tag, std::uint64_t otherwise) const {
  return has(tag) ? numbers(tag, 64).front() : otherwise;
}

double TiffDirectory::ratio(int tag) const {
  const Entry* entry = find(tag);
  if (entry == nullptr || !entry->is_ratio || entry->count == 0) return 0;
  std::array<std::byte, 8> bytes{};
  file_.read(entry->at, bytes);
  const std::span<const std::byte> all(bytes);
  const auto above = static_cast<double>(number(all.first(4), file_.big_endian()));
  const auto below = static_cast<double>(number(all.last(4), file_.big_endian()));
  return below > 0 ? above / below : 0;
}

std::string TiffDirectory::text(int tag, std::uint64_t most) const {
  const Entry* entry = find(tag);
  if (entry == nullptr || entry->size != 1) return "";
  std::vector<std::byte> bytes(std::min(entry->count, most));
  file_.read(entry->at, bytes);
  std::string text;
  for (const std::byte byte : bytes) text += static_cast<char>(byte);
  return text;
}

const TiffDirectory::Entry* TiffDirectory::find(int tag) const {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.tag == tag; });
  return found == entries_.end() ? nullptr : &*found;
}

}  // namespace lbm::io
