// SPDX-License-Identifier: Apache-2.0
#include "io/files/file_token.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <random>
#include <span>
#include <system_error>

#include "io/files/sync.hpp"

namespace lbm::io {

int write_token(int fd, std::uint64_t offset, FileToken& token) {
  std::random_device random;
  for (std::uint64_t& word : token.value) word = std::uint64_t{random()} << 32 | random();
  token.offset = offset;
  if (const int error = write_at(fd, std::as_bytes(std::span(token.value)), offset)) return error;
  return sync_to_disk(fd);
}

UniqueFd open_with_token(const std::filesystem::path& path, const FileToken& token) {
  UniqueFd file(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
  if (!file.valid()) return {};
  std::array<std::uint64_t, 2> found{};
  const auto bytes = std::as_writable_bytes(std::span(found));
  if (read_at(file.get(), bytes, token.offset) != 0 || found != token.value) return {};
  return file;
}

std::filesystem::path path_for_others(const std::filesystem::path& path) {
  std::error_code ec;
  auto whole = std::filesystem::absolute(path, ec);
  return ec ? path : whole;
}

}  // namespace lbm::io
