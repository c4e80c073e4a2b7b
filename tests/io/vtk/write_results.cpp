// SPDX-License-Identifier: Apache-2.0

// write_results DIRECTORY: writes files of every format with their indexes, and expected.json with
// the contents that a reader must find. For open_results.py.
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "io/files/place.hpp"
#include "io/text/json.hpp"
#include "io/text/series_writer.hpp"
#include "io/vtk/surface_writer.hpp"
#include "tests/io/image_fixture.hpp"

namespace {
using namespace lbm;
using namespace lbm::io;
using namespace lbm::testing;
namespace fs = std::filesystem;

constexpr std::array<double, 2> times{0.5, 1.75};

Json numbers(const auto& values) {
  Json list = Json::array();
  for (const auto value : values) list.push_back(static_cast<double>(value));
  return list;
}

// Slices in VTKHDF are one layer of cells.
int points_in_file(int points) { return points == 1 ? 2 : points; }

Json expected_array(const ImageGeometry& geometry, const ArrayInfo& info, std::size_t at) {
  std::vector<float> values;
  std::array<int, 3> points{};
  for (std::size_t d = 0; d < 3; ++d) points[d] = points_in_file(geometry.points[d]);
  const auto inside = [&](int i, std::size_t d) { return geometry.points[d] == 1 ? 0 : i; };
  for (int z = 0; z < points[2]; ++z)
    for (int y = 0; y < points[1]; ++y)
      for (int x = 0; x < points[0]; ++x)
        for (int c = 0; c < info.components; ++c)
          values.push_back(stored_value(info, inside(x, 0), inside(y, 1), inside(z, 2), c) +
                           static_cast<float>(at));
  Json array;
  array["name"] = info.name;
  array["components"] = info.components;
  array["values"] = numbers(values);
  return array;
}

// Adds one to the values of the second time, to show whether time changes the data.
class Shifted final : public ImageWriter {
 public:
  Shifted(ImageWriter& writer, std::size_t at) : writer_(writer), by_(static_cast<float>(at)) {}
  void write_plane(int z, std::span<const std::span<const float>> arrays) override {
    std::vector<std::vector<float>> shifted;
    for (const auto& array : arrays) {
      shifted.emplace_back(array.begin(), array.end());
      for (float& value : shifted.back()) value += by_;
    }
    const std::vector<std::span<const float>> spans(shifted.begin(), shifted.end());
    writer_.write_plane(z, spans);
  }
  void close() override { writer_.close(); }

 private:
  ImageWriter& writer_;
  float by_;
};

// Sets the precision of the velocity. float16 cannot represent value + 1: such files are not
// shifted.
std::vector<ArrayInfo> stored_arrays(Precision velocity) {
  auto arrays = three_arrays();
  arrays[1].precision = velocity;
  return arrays;
}

Json write_images(const fs::path& directory, const std::string& name, const ImageGeometry& geometry,
                  const ImageOptions& options, Precision velocity) {
  SeriesWriter series(directory / (name + ".hdf.series"));
  const auto arrays = stored_arrays(velocity);
  Json image, all_times = Json::array();
  for (std::size_t at = 0; at < times.size(); ++at) {
    FieldInfo info = info_3d;
    info.time = times[at];
    const auto stem = directory / (name + "_" + std::to_string(at));
    const auto writer = make_image_writer(stem, geometry, arrays, info, options);
    Shifted shifted(*writer, velocity == Precision::float16 ? 0 : at);
    for (int z = 0; z < geometry.points[2]; ++z) write_plane_of(shifted, geometry, z);
    shifted.close();
    series.add(writer->path().filename().string(), times[at]);
    Json list = Json::array();
    for (const auto& array : arrays)
      list.push_back(expected_array(geometry, array, velocity == Precision::float16 ? 0 : at));
    all_times.push_back(std::move(list));
  }
  auto origin = geometry.origin;
  Json extent = Json::array();
  for (std::size_t d = 0; d < 3; ++d) {
    extent.push_back(0);
    extent.push_back(points_in_file(geometry.points[d]) - 1);
    if (geometry.points[d] == 1) origin[d] -= geometry.spacing[d] / 2;
  }
  image["index"] = series.path().filename().string();
  image["times"] = numbers(times);
  image["extent"] = std::move(extent);
  image["origin"] = numbers(origin);
  image["spacing"] = numbers(geometry.spacing);
  image["arrays"] = std::move(all_times);
  return image;
}

// Spheres around (1, 2, 3), one for each time, with the position as an array; none at the second
// time if the radius is too large for the box.
Json write_spheres(const fs::path& directory, const std::string& name, std::uint64_t piece_bytes,
                   double growth) {
  const ImageGeometry geometry{{21, 21, 21}, {0, 1, 2}, {0.1, 0.1, 0.1}};
  const std::vector<ArrayInfo> arrays{{"q", 1, {}, ""}, {"place", 3, {}, ""}};
  SeriesWriter series(directory / (name + ".pvd"));
  Json radii = Json::array();
  for (std::size_t at = 0; at < times.size(); ++at) {
    const double radius = 0.6 + growth * static_cast<double>(at);
    const auto stem = directory / (name + "_" + std::to_string(at));
    const auto writer = make_surface_writer(stem, geometry, arrays, {times[at], 7, {}},
                                            {0, radius, 0, piece_bytes, 20000});
    for (int z = 0; z < 21; ++z) {
      std::vector<float> q, place;
      for (int y = 0; y < 21; ++y)
        for (int x = 0; x < 21; ++x) {
          const std::array<double, 3> p{0.1 * x, 1 + 0.1 * y, 2 + 0.1 * z};
          q.push_back(static_cast<float>(std::hypot(p[0] - 1, p[1] - 2, p[2] - 3)));
          for (const double c : p) place.push_back(static_cast<float>(c));
        }
      const std::span<const float> planes[] = {q, place};
      writer->write_plane(z, planes);
    }
    writer->close();
    series.add(writer->path().filename().string(), times[at]);
    radii.push_back(radius < 2 ? radius : 0);
  }
  Json spheres;
  spheres["index"] = series.path().filename().string();
  spheres["times"] = numbers(times);
  spheres["center"] = Json::array({1.0, 2.0, 3.0});
  spheres["radii"] = std::move(radii);
  return spheres;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: write_results DIRECTORY\n");
    return 2;
  }
  const fs::path directory = argv[1];
  fs::create_directories(directory);
  constexpr auto f32 = Precision::float32, f16 = Precision::float16;
  Json images = Json::array();
  const auto add = [&](const char* name, const ImageGeometry& geometry, const ImageOptions& options,
                       Precision velocity) {
    images.push_back(write_images(directory, name, geometry, options, velocity));
  };
  for (const int level : {0, 4}) {
    const std::string ending = level > 0 ? "_deflate" : "";
    add(("hdf" + ending).c_str(), image_3d, {level, 2}, f32);
    add(("hdf_half" + ending).c_str(), image_3d, {level, 2}, f16);
    add(("hdf_x" + ending).c_str(), slice_x, {level, 2}, f32);
    add(("hdf_y" + ending).c_str(), slice_y, {level, 2}, f32);
    add(("hdf_z" + ending).c_str(), slice_z, {level, 2}, f32);
  }
  Json expected;
  expected["images"] = std::move(images);
  expected["spheres"] = Json::array({write_spheres(directory, "sphere", 1 << 30, 0.2),
                                     write_spheres(directory, "sphere_pieces", 30000, 0.2),
                                     write_spheres(directory, "sphere_gone", 1 << 30, 5)});
  write_file_atomically(directory / "expected.json", json_text(expected));
  return 0;
}
