// The state of a run in a file that is either there whole or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/checkpoint/checkpoint_layout.hpp"
#include "io/checkpoint/checkpoint_part.hpp"

namespace lbm::io {

// Texts by name ("header", "state"); what they say is the caller's business.
using CheckpointTexts = std::map<std::string, std::string>;

// Bytes that the file will take; an upper bound.
std::uint64_t predicted_checkpoint_bytes(const CheckpointTexts& texts,
                                         std::span<const PlaneArray> arrays);

// Writes `<path>.partial` and renames it in close(), when it is safe on the disk. A writer that is
// not closed, or fails, leaves nothing behind, and a file that was at `path` as it was. Memory: 8
// bytes a plane.
class CheckpointWriter {
 public:
  // Reserves the space of the whole file. threads: those that write, 0 for as many as are worth it.
  // Throws ResourceError (directory, disk; says how much is needed), std::invalid_argument for
  // names that are none or come twice, and for empty arrays.
  CheckpointWriter(std::filesystem::path path, const CheckpointTexts& texts,
                   std::vector<PlaneArray> arrays, int threads = 0);
  ~CheckpointWriter();
  CheckpointWriter(CheckpointWriter&&) noexcept;

  // Planes first, first + 1, ... of an array, one after the other in `bytes`: in any order, each
  // once. Several at a time are shared by the threads. Throws ResourceError; std::logic_error for a
  // plane that came before or is not of the array.
  void write_planes(std::size_t array, std::int64_t first, std::span<const std::byte> bytes);

  // For other processes, which write planes of an array themselves (CheckpointPart): the path
  // of the file under way, absolute where there is a working directory, and where the array lies in
  // it. share() throws ResourceError.
  std::filesystem::path partial() const;
  ArrayPlace share(std::size_t array);
  // Planes that others have written and synced. Throws std::logic_error as write_planes() does.
  void add_planes(std::size_t array, std::span<const PlaneSum> planes);
  // Ends the writer with an errno that another process met, as if it had met it itself.
  [[noreturn]] void fail(int error);

  // Syncs and renames. Throws ResourceError; std::logic_error where planes are missing.
  void close();

  std::uint64_t bytes() const { return bytes_; }

 private:
  class File;
  File& open_file();

  std::filesystem::path path_;
  std::uint64_t bytes_ = 0;
  std::unique_ptr<File> file_;
};

}  // namespace lbm::io
