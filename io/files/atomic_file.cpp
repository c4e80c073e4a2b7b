#include "io/files/atomic_file.hpp"

#include <unistd.h>

#include "io/files/posix_file.hpp"

namespace lbm::io {
namespace {

class RemoveOnExit {
 public:
  explicit RemoveOnExit(const std::filesystem::path& path) : path_(path) {}
  RemoveOnExit(const RemoveOnExit&) = delete;
  RemoveOnExit& operator=(const RemoveOnExit&) = delete;
  ~RemoveOnExit() {
    if (armed_) ::unlink(path_.c_str());
  }
  void disarm() { armed_ = false; }

 private:
  const std::filesystem::path& path_;
  bool armed_ = true;
};

}  // namespace

void write_file_atomically(const std::filesystem::path& path, std::string_view text) {
  const auto partial = partial_name(path);
  UniqueFd fd = create_file(partial);
  RemoveOnExit cleanup(partial);
  if (const int error = write_all(fd.get(), text)) throw_write_error(path, error, text.size());
  commit_file(partial, path, text.size());
  cleanup.disarm();
}

}  // namespace lbm::io
