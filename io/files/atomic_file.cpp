#include "io/files/atomic_file.hpp"

#include "io/files/posix_file.hpp"

namespace lbm::io {

void write_file_atomically(const std::filesystem::path& path, std::string_view text) {
  const UniqueFd fd = create_file(partial_name(path));
  PartialFile file(path);
  if (const int error = write_all(fd.get(), text)) throw_write_error(path, error, text.size());
  file.commit(path, text.size());
}

}  // namespace lbm::io
