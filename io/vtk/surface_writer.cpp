// SPDX-License-Identifier: Apache-2.0
#include "io/vtk/surface_writer.hpp"

#include <fmt/format.h>
#include <vtkAppendPolyData.h>
#include <vtkCallbackCommand.h>
#include <vtkDoubleArray.h>
#include <vtkErrorCode.h>
#include <vtkExecutive.h>
#include <vtkFieldData.h>
#include <vtkFloatArray.h>
#include <vtkFlyingEdges3D.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkStringArray.h>
#include <vtkTypeInt64Array.h>
#include <vtkXMLPolyDataWriter.h>

#include <algorithm>
#include <cerrno>
#include <deque>
#include <fstream>
#include <map>
#include <stdexcept>

#include "io/files/place.hpp"

namespace lbm::io {
namespace fs = std::filesystem;

namespace {

vtkSmartPointer<vtkFloatArray> make_array(const ArrayInfo& info, vtkIdType points) {
  auto array = vtkSmartPointer<vtkFloatArray>::New();
  array->SetName(info.name.c_str());
  array->SetNumberOfComponents(info.components);
  array->SetNumberOfTuples(points);
  return array;
}

// Cells along z of a slab of about `bytes`: slabs of nearly equal size, of at least two planes.
int cells_of_slab(const ImageGeometry& geometry, std::span<const ArrayInfo> arrays,
                  std::uint64_t bytes) {
  std::uint64_t plane = sizeof(float) * static_cast<std::uint64_t>(geometry.points[0]) *
                        static_cast<std::uint64_t>(geometry.points[1]);
  std::uint64_t values = 0;
  for (const ArrayInfo& array : arrays) values += static_cast<std::uint64_t>(array.components);
  plane = std::max<std::uint64_t>(plane * values, 1);
  const auto cells = static_cast<std::uint64_t>(geometry.points[2] - 1);
  const std::uint64_t most = std::clamp<std::uint64_t>(bytes / plane, 2, cells + 1) - 1;
  const std::uint64_t slabs = (cells + most - 1) / most;
  return static_cast<int>((cells + slabs - 1) / slabs);
}

// Collects planes, in any order, into slabs as VTK images of float32; neighbours share a plane.
class Slabs {
 public:
  Slabs(const ImageGeometry& geometry, std::span<const ArrayInfo> arrays, std::uint64_t bytes)
      : geometry_(geometry),
        arrays_(arrays.begin(), arrays.end()),
        cells_(cells_of_slab(geometry, arrays, bytes)) {}

  // Returns the slabs completed by this plane: none, one or two. Planes and arrays are checked
  // before (PlanesSeen).
  std::vector<vtkSmartPointer<vtkImageData>> add(int z,
                                                 std::span<const std::span<const float>> arrays) {
    std::vector<vtkSmartPointer<vtkImageData>> complete;
    for (int slab = std::max((z - 1) / cells_, 0); slab <= z / cells_; ++slab) {
      if (slab * cells_ >= geometry_.points[2] - 1) continue;
      if (!open_.contains(slab)) open_[slab] = make(slab);
      Open& target = open_[slab];
      for (std::size_t i = 0; i < arrays.size(); ++i) {
        const auto at = static_cast<vtkIdType>(arrays[i].size()) * (z - slab * cells_);
        void* to = target.image->GetPointData()->GetArray(static_cast<int>(i))->GetVoidPointer(at);
        std::copy(arrays[i].begin(), arrays[i].end(), static_cast<float*>(to));
      }
      if (--target.missing > 0) continue;
      complete.push_back(target.image);
      open_.erase(slab);
    }
    return complete;
  }

 private:
  struct Open {
    vtkSmartPointer<vtkImageData> image;
    int missing = 0;  // planes
  };

  Open make(int slab) const {
    const auto [nx, ny, nz] = geometry_.points;
    const int first = slab * cells_, last = std::min(first + cells_, nz - 1);
    auto image = vtkSmartPointer<vtkImageData>::New();
    image->SetOrigin(geometry_.origin.data());
    image->SetSpacing(geometry_.spacing.data());
    image->SetExtent(0, nx - 1, 0, ny - 1, first, last);
    for (const ArrayInfo& array : arrays_)
      image->GetPointData()->AddArray(make_array(array, image->GetNumberOfPoints()));
    return {image, last - first + 1};
  }

  ImageGeometry geometry_;
  std::vector<ArrayInfo> arrays_;
  int cells_;  // along z, of a slab; the last one may have fewer
  std::map<int, Open> open_;
};

template <typename Array, typename Value>
void add_value(vtkDataObject& data, const std::string& name, const Value& value) {
  vtkNew<Array> array;
  array->SetName(name.c_str());
  array->InsertNextValue(value);
  data.GetFieldData()->AddArray(array);
}

// The time as "TimeValue", as VTK's readers expect.
void add_field_data(vtkDataObject& data, const FieldInfo& info) {
  add_value<vtkDoubleArray>(data, "TimeValue", info.time);
  add_value<vtkTypeInt64Array>(data, "step", info.step);
  for (const auto& [name, value] : info.attributes) {
    if (const auto* text = std::get_if<std::string>(&value))
      add_value<vtkStringArray>(data, name, *text);
    else
      add_value<vtkDoubleArray>(data, name, std::get<double>(value));
  }
}

// VTK writes no end after a failed write, and does not check the close.
bool ends_as_it_should(const fs::path& path) {
  constexpr std::string_view end = "</VTKFile>\n";
  std::ifstream file(path, std::ios::binary);
  std::string found(end.size(), ' ');
  file.seekg(-static_cast<std::streamoff>(end.size()), std::ios::end);
  return file.read(found.data(), static_cast<std::streamsize>(end.size())) && found == end;
}

// Appended raw data, deflated if `compression` > 0. VTK prints nothing.
bool write_vtp(const fs::path& path, vtkPolyData& data, int compression) {
  vtkNew<vtkXMLPolyDataWriter> writer;
  writer->SetFileName(path.c_str());
  writer->SetByteOrderToLittleEndian();
  writer->SetHeaderTypeToUInt64();
  writer->SetDataModeToAppended();
  writer->EncodeAppendedDataOff();
  if (compression > 0) {
    writer->SetCompressorTypeToZLib();
    writer->SetCompressionLevel(compression);
    writer->SetBlockSize(std::size_t{1} << 18);
  } else {
    writer->SetCompressorTypeToNone();
  }
  // An observer keeps VTK from printing its errors; the caller reports them in one line.
  vtkNew<vtkCallbackCommand> silence;
  silence->SetCallback([](vtkObject*, unsigned long, void*, void*) {});
  writer->AddObserver(vtkCommand::ErrorEvent, silence);
  writer->GetExecutive()->AddObserver(vtkCommand::ErrorEvent, silence);
  writer->SetInputDataObject(&data);
  return writer->Write() != 0 && writer->GetErrorCode() == vtkErrorCode::NoError &&
         ends_as_it_should(path);
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '"' ? "&quot;" : std::string(1, c);
  }
  return result;
}

void check(const ImageGeometry& geometry, std::span<const ArrayInfo> arrays, std::size_t scalar) {
  const auto [nx, ny, nz] = geometry.points;
  if (std::min({nx, ny, nz}) < 2)
    throw std::invalid_argument(
        fmt::format("no surface in an image of {} x {} x {} points", nx, ny, nz));
  if (scalar >= arrays.size() || arrays[scalar].components != 1)
    throw std::invalid_argument(fmt::format("array {} is no scalar", scalar));
}

// The first failure ends it and removes its files.
class SurfaceWriter final : public ImageWriter {
 public:
  SurfaceWriter(const Place& stem, const ImageGeometry& geometry, std::span<const ArrayInfo> arrays,
                const FieldInfo& info, const SurfaceOptions& options)
      : stem_(stem),
        arrays_(arrays.begin(), arrays.end()),
        info_(info),
        options_(options),
        seen_(geometry, arrays_),
        slabs_(geometry, arrays_, options.slab_bytes) {
    place_ = stem_.with_ending(".vtp");
  }

  void write_plane(int z, std::span<const std::span<const float>> arrays) override {
    check_open();
    seen_.check(z, arrays);
    or_end([&] {
      for (const auto& slab : slabs_.add(z, arrays)) extract(*slab);
      if (waiting_bytes_ >= options_.piece_bytes) write_piece();
    });
    seen_.add(z);
  }

  void close() override {
    check_open();
    seen_.check_complete();
    or_end([&] { finish(); });
    ended_ = true;
  }

 private:
  struct File {
    PartialFile partial;
    std::uint64_t bytes;
    File(const Place& place, std::uint64_t size) : partial(place), bytes(size) {}
  };

  void check_open() const {
    if (ended_)
      throw std::logic_error(fmt::format("{}: already closed, or failed", path().string()));
  }

  template <class Work>
  void or_end(const Work& work) {
    try {
      work();
    } catch (...) {
      ended_ = true;
      files_.clear();
      throw;
    }
  }

  void finish() {
    if (!parts_.empty() || files_.empty()) write_piece();
    if (files_.size() == 1) return files_[0].partial.commit_as(place_, files_[0].bytes);
    place_ = stem_.with_ending(".pvtp");
    const std::string list = list_of_pieces();
    const UniqueFd fd = files_.emplace_back(place_, list.size()).partial.take_fd();
    if (const int error = write_all(fd.get(), list))
      throw_write_error(place_.path(), error, list.size());
    for (File& file : files_) file.partial.commit(file.bytes);  // at last, the list of the others
  }

  void extract(vtkImageData& slab) {
    vtkNew<vtkFlyingEdges3D> contour;
    contour->SetInputData(&slab);
    contour->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS,
                                    arrays_[options_.scalar].name.c_str());
    contour->SetValue(0, options_.value);
    contour->ComputeScalarsOff();  // constant on an isosurface
    contour->ComputeNormalsOff();  // would not agree across slabs
    contour->ComputeGradientsOff();
    contour->InterpolateAttributesOn();
    contour->Update();
    const vtkSmartPointer<vtkPolyData> part = contour->GetOutput();
    if (part->GetNumberOfPoints() == 0) return;
    waiting_bytes_ += static_cast<std::uint64_t>(part->GetActualMemorySize()) * 1024;
    parts_.push_back(part);
  }

  // An empty surface has all arrays, so that a series has the same ones at all times.
  vtkSmartPointer<vtkPolyData> empty_part() const {
    auto part = vtkSmartPointer<vtkPolyData>::New();
    part->SetPoints(vtkNew<vtkPoints>());
    for (std::size_t i = 0; i < arrays_.size(); ++i)
      if (i != options_.scalar) part->GetPointData()->AddArray(make_array(arrays_[i], 0));
    return part;
  }

  void write_piece() {
    if (parts_.empty()) parts_.push_back(empty_part());
    auto whole = parts_.front();
    if (parts_.size() > 1) {
      vtkNew<vtkAppendPolyData> all;
      for (const auto& part : parts_) all->AddInputData(part);
      all->Update();
      whole = all->GetOutput();
    }
    parts_.clear();
    whole->GetFieldData()->Initialize();
    add_field_data(*whole, info_);
    // Created here: this reports errors of the directory better than VTK.
    const Place place = piece_place(files_.size());
    const std::uint64_t bytes = std::exchange(waiting_bytes_, 0);
    PartialFile& partial = files_.emplace_back(place, bytes).partial;
    const UniqueFd fd = partial.take_fd();
    if (!write_vtp(partial.path_of(fd), *whole, options_.compression)) {
      const auto free = free_disk_bytes(place.path());
      files_.pop_back();  // first, so that the message counts the freed space
      // A guess: VTK does not keep the errno.
      throw_write_error(place.path(), free && *free < bytes ? ENOSPC : EIO, bytes);
    }
    start_writeback(fd.get());
  }

  Place piece_place(std::size_t piece) const {
    return stem_.with_ending(fmt::format("_p{:04d}.vtp", piece));
  }

  std::string list_of_pieces() const {
    std::string arrays, pieces;
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
      if (i == options_.scalar) continue;
      arrays += fmt::format(
          "      <PDataArray type=\"Float32\" Name=\"{}\" NumberOfComponents=\"{}\"/>\n",
          escaped(arrays_[i].name), arrays_[i].components);
    }
    for (std::size_t piece = 0; piece < files_.size(); ++piece)
      pieces += fmt::format("    <Piece Source=\"{}\"/>\n",
                            piece_place(piece).path().filename().string());
    return "<?xml version=\"1.0\"?>\n"
           "<VTKFile type=\"PPolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
           "header_type=\"UInt64\">\n"
           "  <PPolyData GhostLevel=\"0\">\n    <PPointData>\n" +
           arrays +
           "    </PPointData>\n    <PPoints>\n"
           "      <PDataArray type=\"Float32\" Name=\"Points\" NumberOfComponents=\"3\"/>\n"
           "    </PPoints>\n" +
           pieces + "  </PPolyData>\n</VTKFile>\n";
  }

  Place stem_;
  std::vector<ArrayInfo> arrays_;
  FieldInfo info_;
  SurfaceOptions options_;
  bool ended_ = false;      // closed or failed
  std::deque<File> files_;  // renamed together; those not renamed are removed
  PlanesSeen seen_;
  Slabs slabs_;
  std::vector<vtkSmartPointer<vtkPolyData>> parts_;  // not written yet
  std::uint64_t waiting_bytes_ = 0;                  // of the parts
};

}  // namespace

std::unique_ptr<ImageWriter> make_surface_writer(const Place& stem, const ImageGeometry& geometry,
                                                 std::span<const ArrayInfo> arrays,
                                                 const FieldInfo& info,
                                                 const SurfaceOptions& options) {
  check(geometry, arrays, options.scalar);
  return std::make_unique<SurfaceWriter>(stem, geometry, arrays, info, options);
}

bool writes_vtk() { return true; }

}  // namespace lbm::io
