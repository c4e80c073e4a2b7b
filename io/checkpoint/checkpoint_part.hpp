// Planes that a process writes into a checkpoint which another process has begun.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "io/files/file_token.hpp"

namespace lbm::io {

// Where an array lies in a file under way. Plain numbers, which may be sent as they are.
struct ArrayPlace {
  FileToken token;  // in the file until it is complete
  std::uint64_t offset = 0, plane_bytes = 0;
  std::int64_t planes = 0;
};

struct PlaneSum {
  std::int64_t plane = 0;
  std::uint64_t checksum = 0;
  bool operator==(const PlaneSum&) const = default;
};

// Made of what CheckpointWriter::partial and ::share say, in any process that reaches the file.
// Memory: 16 bytes a plane written.
class CheckpointPart {
 public:
  // Nothing where the path leads to no file that can be written, or to another one. threads: those
  // that write, 0 for as many as are worth it.
  static std::optional<CheckpointPart> open(const std::filesystem::path& partial,
                                            const ArrayPlace& place, int threads = 0);
  ~CheckpointPart();
  CheckpointPart(CheckpointPart&&) noexcept;
  CheckpointPart& operator=(CheckpointPart&&) noexcept;

  // Planes first, first + 1, ..., one after the other in `bytes`. Returns 0 or an errno. Throws
  // std::logic_error for planes that the array does not have.
  int write_planes(std::int64_t first, std::span<const std::byte> bytes);
  // Has all that was written on the disk, for every host to see. Returns 0 or an errno.
  int sync();
  // Of all planes that were written, for CheckpointWriter::add_planes.
  std::span<const PlaneSum> sums() const;

 private:
  class File;
  explicit CheckpointPart(std::unique_ptr<File> file);
  std::unique_ptr<File> file_;
};

}  // namespace lbm::io
