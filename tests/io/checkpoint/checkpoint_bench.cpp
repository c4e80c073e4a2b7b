// SPDX-License-Identifier: Apache-2.0

// Measures a checkpoint against a plain copy to the same disk: DIRECTORY GIGABYTES REPEATS. Run by
// hand. Prints a line for each repeat: seconds of the checkpoint, of `cp` + `sync`, their ratio,
// and seconds to read the checkpoint.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "io/checkpoint/checkpoint.hpp"
#include "io/files/checksum.hpp"

namespace {

namespace fs = std::filesystem;
using lbm::io::CheckpointReader;
using lbm::io::CheckpointWriter;
using lbm::io::PlaneArray;

template <class Work>
double seconds_of(Work work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

int run(const fs::path& directory, std::int64_t gigabytes, int repeats) {
  const PlaneArray array{"populations", lbm::io::ElementType::float32, 50 * gigabytes, 5'000'000};
  const std::int64_t group = 10;  // planes at a time: 200 MB of memory stand for the lattice
  std::vector<std::uint64_t> words(static_cast<std::size_t>(group) * array.plane_bytes() / 8);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = i * 0x9e3779b97f4a7c15U;
  const auto bytes = std::as_bytes(std::span(words));
  const fs::path file = directory / "bench.h5", copy = directory / "bench.copy";
  const double sum = seconds_of([&] { words[0] = lbm::io::checksum(bytes); });
  fmt::print("checksum: {:.1f} GB/s a thread\n", 1e-9 * static_cast<double>(bytes.size()) / sum);
  for (int r = 0; r < repeats; ++r) {
    fs::remove(file);
    fs::remove(copy);
    ::sync();
    const double writing = seconds_of([&] {
      CheckpointWriter writer(file, {{"header", "{}"}}, {array});
      for (std::int64_t z = 0; z < array.planes; z += group) writer.write_planes(0, z, bytes);
      writer.close();
    });
    // Read from the page cache if memory suffices, which favours the copy.
    const std::string command =
        fmt::format("cp '{}' '{}' && sync '{}'", file.string(), copy.string(), copy.string());
    int failed = 0;
    const double copying = seconds_of([&] { failed = std::system(command.c_str()); });
    if (failed != 0) return 1;
    std::vector<std::byte> plane(array.plane_bytes());
    const double reading = seconds_of([&] {
      const CheckpointReader reader(file);
      for (std::int64_t z = 0; z < array.planes; ++z) reader.read_plane(0, z, plane);
    });
    fmt::print(
        "checkpoint {:.2f} s ({:.2f} GB/s), cp + sync {:.2f} s, ratio {:.2f}; read {:.2f} s\n",
        writing, 1e-9 * static_cast<double>(array.bytes()) / writing, copying, writing / copying,
        reading);
  }
  fs::remove(file);
  fs::remove(copy);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: checkpoint_bench DIRECTORY GIGABYTES REPEATS\n");
    return 2;
  }
  return run(argv[1], std::atoll(argv[2]), std::atoi(argv[3]));
}
