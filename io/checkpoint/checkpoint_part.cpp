#include "io/checkpoint/checkpoint_part.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>

#include "io/checkpoint/checkpoint_planes.hpp"

namespace lbm::io {

class CheckpointPart::File {
 public:
  File(UniqueFd file, const ArrayPlace& place, int threads)
      : place_(place), values_(std::move(file), threads) {}

  int write_planes(std::int64_t first, std::span<const std::byte> bytes) {
    const auto count = static_cast<std::int64_t>(bytes.size() / place_.plane_bytes);
    if (bytes.size() % place_.plane_bytes != 0 || first < 0 || first + count > place_.planes) {
      throw std::logic_error(fmt::format("checkpoint: no planes {} to {} of {}", first,
                                         first + count - 1, place_.planes));
    }
    std::vector<std::uint64_t> sums(static_cast<std::size_t>(count));
    const auto begin = place_.offset + static_cast<std::uint64_t>(first) * place_.plane_bytes;
    if (const int error = values_.write(begin, place_.plane_bytes, bytes, sums)) return error;
    for (const std::uint64_t sum : sums) sums_.push_back({first++, sum});
    return 0;
  }

  // The process that created the file syncs its length, which is fixed; data suffices here.
  int sync() const { return ::fdatasync(values_.fd()) == 0 ? 0 : errno; }
  std::span<const PlaneSum> sums() const { return sums_; }

 private:
  ArrayPlace place_;
  checkpoint::PlanesWriter values_;
  std::vector<PlaneSum> sums_;
};

std::optional<CheckpointPart> CheckpointPart::open(const std::filesystem::path& partial,
                                                   const ArrayPlace& place, int threads) {
  UniqueFd file = open_with_token(partial, place.token);
  if (!file.valid()) return std::nullopt;
  return CheckpointPart(std::make_unique<File>(std::move(file), place, threads));
}

CheckpointPart::CheckpointPart(std::unique_ptr<File> file) : file_(std::move(file)) {}
CheckpointPart::~CheckpointPart() = default;
CheckpointPart::CheckpointPart(CheckpointPart&&) noexcept = default;
CheckpointPart& CheckpointPart::operator=(CheckpointPart&&) noexcept = default;

int CheckpointPart::write_planes(std::int64_t first, std::span<const std::byte> bytes) {
  return file_->write_planes(first, bytes);
}
int CheckpointPart::sync() { return file_->sync(); }
std::span<const PlaneSum> CheckpointPart::sums() const { return file_->sums(); }

}  // namespace lbm::io
