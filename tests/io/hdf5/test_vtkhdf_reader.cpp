// SPDX-License-Identifier: Apache-2.0

// Files as read by users' programs: VTK's reader and ParaView, each in a process of its own that
// prints contents and errors.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>

#include "io/text/series_writer.hpp"
#include "tests/io/hdf5/vtkhdf_fixture.hpp"
#include "tests/io/scratch.hpp"

namespace {
using namespace lbm::testing;

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return "popen failed";
  std::array<char, 4096> buffer{};
  while (std::fgets(buffer.data(), static_cast<int>(buffer.size()), pipe) != nullptr)
    text += buffer.data();
  ::pclose(pipe);
  return text;
}

std::string line_of(const char* key, std::initializer_list<double> values) {
  std::string line = std::string(key) + ":";
  for (const double value : values) {
    std::array<char, 32> number{};
    std::snprintf(number.data(), number.size(), " %.9g", value);
    line += number.data();
  }
  return line + '\n';
}

// The image of the fixture, x fastest, as printed by both programs.
std::string expected_image() {
  std::string density = "array: density float 1 60\n";
  std::string velocity = "array: velocity float 3 60\n";
  for (int z = 0; z < 4; ++z)
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 5; ++x) {
        density += line_of("density", {density_at(x, y, z)});
        velocity += line_of("velocity", {velocity_at(x, y, z, 0), velocity_at(x, y, z, 1),
                                         velocity_at(x, y, z, 2)});
      }
  return line_of("extent", {0, 4, 0, 2, 0, 3}) + line_of("origin", {-1.5, 2.25, 100}) +
         line_of("spacing", {0.5, 0.25, 2}) + density + velocity;
}

TEST(VtkReader, SeesTheImage) {
  const std::string program = LBM_VTK_DUMP;
  if (program.empty()) GTEST_SKIP() << "built without VTK (libvtk9-dev)";
  const ScratchDirectory scratch;
  const auto path = scratch.path() / "f.hdf";
  write_image(path);
  EXPECT_EQ(output_of(program + " " + path.string()), expected_image());
}

TEST(ParaView, OpensTheSeriesAsTimeSteps) {
  if (output_of("command -v pvbatch").empty()) GTEST_SKIP() << "needs ParaView's pvbatch";
  if (contains(output_of("pvbatch -c 'import paraview.simple'"), "ModuleNotFoundError"))
    GTEST_SKIP() << "pvbatch finds no module paraview (Debian: python3-paraview)";
  const ScratchDirectory scratch;
  lbm::io::SeriesWriter series(scratch.path() / "fields.hdf.series");
  std::string expected = "times: 0.5 1.75\n";
  for (const double time : {0.5, 1.75}) {
    const auto name = "fields_" + std::to_string(time) + ".hdf";
    write_image(scratch.path() / name, time);
    series.add(name, time);
    expected += line_of("time", {time}) + expected_image();
  }
  EXPECT_EQ(output_of(std::string("pvbatch ") + LBM_PARAVIEW_DUMP + " " + series.path().string()),
            expected);
}

}  // namespace
