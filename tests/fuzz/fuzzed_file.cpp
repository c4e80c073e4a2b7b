// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/fuzzed_file.hpp"

#include <unistd.h>

#include <fstream>
#include <stdexcept>
#include <string>

namespace lbm::fuzz {
namespace fs = std::filesystem;

namespace {

class Directory {
 public:
  Directory() {
    std::error_code ec;
    const fs::path memory = "/dev/shm";
    const bool usable = ::access(memory.c_str(), W_OK) == 0;
    path_ = ((usable ? memory : fs::temp_directory_path()) / "lbm-fuzz-XXXXXX").string();
    if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error("mkdtemp failed for " + path_);
  }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;
  ~Directory() {
    std::error_code ec;
    fs::remove_all(path_, ec);
  }
  fs::path path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

fs::path file_of(const char* name, std::string_view bytes) {
  static const Directory directory;
  fs::path path = directory.path() / name;
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

}  // namespace lbm::fuzz
