// SPDX-License-Identifier: Apache-2.0
#include "io/hdf5/vtkhdf_image.hpp"

#include <fmt/format.h>
#include <hdf5.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <string_view>
#include <type_traits>

namespace lbm::io {
namespace {

int threads_of(int threads) { return threads > 0 ? threads : writer_threads(); }

}  // namespace

std::string hdf5_version() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return fmt::format("{}.{}.{}", major, minor, release);
}

VtkhdfValues::VtkhdfValues(int fd, const ImageGeometry& geometry, std::span<const ArrayInfo> arrays,
                           std::vector<std::uint64_t> offsets, int threads)
    : fd_(fd),
      arrays_(arrays.begin(), arrays.end()),
      offsets_(std::move(offsets)),
      flat_(geometry, arrays),
      pieces_(fd, threads_of(threads)) {}

int VtkhdfValues::write_plane(int z, std::span<const std::span<const float>> arrays) {
  const auto planes = flat_.doubled(arrays);
  blocks_.clear();
  std::uint64_t written = 0;
  for (int copy = 0; copy < flat_.copies(); ++copy) {
    const auto plane = static_cast<std::uint64_t>(z) + static_cast<std::uint64_t>(copy);
    for (std::size_t i = 0; i < planes.size(); ++i) {
      const std::uint64_t bytes =
          planes[i].size() * static_cast<std::uint64_t>(bytes_of(arrays_[i].precision));
      blocks_.push_back({planes[i], offsets_[i] + plane * bytes, arrays_[i].precision});
      written += bytes;
    }
  }
  if (const int error = pieces_.write(blocks_)) return error;
  writeback_.wrote(fd_, written);
  return 0;
}

VtkhdfImage::VtkhdfImage(const Place& place, const ImageGeometry& geometry,
                         std::span<const ArrayInfo> arrays, const FieldInfo& info,
                         const ImageOptions& options)
    : geometry_(geometry),
      arrays_(arrays.begin(), arrays.end()),
      seen_(geometry, arrays),
      bytes_(predicted_vtkhdf_bytes(geometry, arrays, info, options.compression)),
      flat_(geometry, arrays) {
  place_ = place;
  or_end([&] { make(info, options); });
}

void VtkhdfImage::make(const FieldInfo& info, const ImageOptions& options) {
  const Hdf5Section section;
  partial_ = std::make_unique<PartialFile>(place_);
  fd_ = partial_->take_fd();
  file_ = create_vtkhdf_file(partial_->path_of(fd_));
  datasets_ = create_vtkhdf_layout(file_, thickened(geometry_), arrays_, info, options.compression);
  if (options.compression > 0) {
    packer_.emplace(options.compression, threads_of(options.threads));
  } else {
    reserved_ = hdf5_reserve(file_, fd_.get());
    values_.emplace(fd_.get(), geometry_, arrays_, offsets(), options.threads);
  }
}

// A failure ends the writer.
template <class Work>
void VtkhdfImage::or_end(const Work& work) {
  try {
    work();
  } catch (const Hdf5Failure& failure) {
    end_with(failure.error);
  } catch (...) {
    drop();
    throw;
  }
}

void VtkhdfImage::require_open() const {
  if (!partial_)
    throw std::logic_error(fmt::format("{}: already closed, or failed", path().string()));
}

void VtkhdfImage::drop() {
  const Hdf5Section section;
  values_.reset();
  datasets_.clear();
  file_.reset();
  fd_.reset();
  partial_.reset();
}

void VtkhdfImage::end_with(int error) {
  drop();  // first, so that the message counts the space freed by the partial file
  throw_write_error(path(), error, bytes_);
}

void VtkhdfImage::write_plane(int z, std::span<const std::span<const float>> arrays) {
  require_open();
  seen_.check(z, arrays);
  or_end([&] {
    if (packer_) return write_packed(z, flat_.doubled(arrays));
    if (const int error = values_->write_plane(z, arrays)) throw Hdf5Failure{error};
  });
  seen_.add(z);
}

void VtkhdfImage::write_packed(int z, std::span<const std::span<const float>> planes) {
  const auto rows = static_cast<std::size_t>(thickened(geometry_).points[1]);
  chunks_.clear();
  for (std::size_t i = 0; i < planes.size(); ++i) {
    const std::size_t elements =
        planes[i].size() / rows * static_cast<std::size_t>(datasets_[i].chunk_rows);
    for (std::size_t at = 0; at < planes[i].size(); at += elements)
      chunks_.push_back({planes[i].subspan(at, std::min(elements, planes[i].size() - at)), elements,
                         arrays_[i].precision});
  }
  if (const int error = packer_->pack(chunks_)) throw Hdf5Failure{error};
  const Hdf5Section section;
  for (int copy = 0; copy < flat_.copies(); ++copy) {
    auto packed = packer_->packed().begin();
    for (const VtkhdfDataset& dataset : datasets_) {
      std::array<hsize_t, 4> at{static_cast<hsize_t>(z + copy), 0, 0, 0};
      for (; at[1] < rows; at[1] += static_cast<hsize_t>(dataset.chunk_rows), ++packed) {
        hdf5_check(H5Dwrite_chunk(dataset.handle.get(), H5P_DEFAULT, packed->filter_mask, at.data(),
                                  packed->bytes.size(), packed->bytes.data()));
        writeback_.wrote(fd_.get(), packed->bytes.size());
      }
    }
  }
}

std::vector<std::uint64_t> VtkhdfImage::offsets() const {
  std::vector<std::uint64_t> all;
  for (const VtkhdfDataset& dataset : datasets_) all.push_back(dataset.offset);
  return all;
}

// The token lies beyond the end known to HDF5, until the file is complete.
std::optional<ImagePlace> VtkhdfImage::share() {
  require_open();
  if (packer_) return std::nullopt;
  FileToken token;
  if (const int error = write_token(fd_.get(), reserved_, token)) end_with(error);
  shared_ = true;
  return ImagePlace{path_for_others(partial_->path()), token, offsets()};
}

void VtkhdfImage::add_plane(int z) {
  require_open();
  seen_.add_once(z);
}

void VtkhdfImage::close() {
  require_open();
  seen_.check_complete();
  or_end([&] {
    const Hdf5Section section;
    if (shared_ && ::ftruncate(fd_.get(), static_cast<off_t>(reserved_)) != 0) {
      throw Hdf5Failure{errno};
    }
    values_.reset();
    fd_.reset();
    for (auto& dataset : datasets_) hdf5_check(dataset.handle.reset());
    hdf5_check(file_.reset());
    partial_->commit(bytes_);
  });
  drop();
}

std::optional<VtkhdfPart> VtkhdfPart::open(const ImagePlace& place, const ImageGeometry& geometry,
                                           std::span<const ArrayInfo> arrays, int threads) {
  UniqueFd file = open_with_token(place.file, place.token);
  if (!file.valid() || place.offsets.size() != arrays.size()) return std::nullopt;
  VtkhdfPart part(std::move(file), geometry, arrays);
  part.values_ =
      std::make_unique<VtkhdfValues>(part.file_.get(), geometry, arrays, place.offsets, threads);
  return part;
}

int VtkhdfPart::write_plane(int z, std::span<const std::span<const float>> arrays) {
  seen_.check(z, arrays);
  if (const int error = values_->write_plane(z, arrays)) return error;
  seen_.add(z);
  return 0;
}

namespace {

Hdf5Handle add_group(const Hdf5Handle& parent, const char* name) {
  return hdf5_checked(H5Gcreate2(parent.get(), name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                      H5Gclose);
}

void write_attribute(const Hdf5Handle& object, const char* name, hid_t file_type, hid_t memory_type,
                     const Hdf5Handle& space, const void* values) {
  const auto attribute = hdf5_checked(
      H5Acreate2(object.get(), name, file_type, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  hdf5_check(H5Awrite(attribute.get(), memory_type, values));
}

// shape: {} for one number.
template <class T>
void write_numbers(const Hdf5Handle& object, const char* name, std::span<const T> values,
                   const std::vector<std::uint64_t>& shape) {
  constexpr bool is_real = std::is_same_v<T, double>;
  write_attribute(object, name, is_real ? H5T_IEEE_F64LE : H5T_STD_I64LE,
                  is_real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64, hdf5_space(shape), values.data());
}

// VTK requires the type as a fixed-length ASCII string.
void write_type(const Hdf5Handle& object, std::string_view text) {
  const auto type = hdf5_checked(H5Tcopy(H5T_C_S1), H5Tclose);
  hdf5_check(H5Tset_size(type.get(), text.size()));
  hdf5_check(H5Tset_strpad(type.get(), H5T_STR_NULLPAD));
  write_attribute(object, "Type", type.get(), type.get(), hdf5_space({}), text.data());
}

// Variable length: such strings live in the file's heap and may exceed the 64 KiB of an object
// header (a whole case file, say).
void write_text(const Hdf5Handle& object, const char* name, const std::string& text) {
  const auto type = hdf5_checked(H5Tcopy(H5T_C_S1), H5Tclose);
  hdf5_check(H5Tset_size(type.get(), H5T_VARIABLE));
  hdf5_check(H5Tset_cset(type.get(), H5T_CSET_UTF8));
  const char* const start = text.c_str();
  write_attribute(object, name, type.get(), type.get(), hdf5_space({}), &start);
}

void write_geometry(const Hdf5Handle& root, const ImageGeometry& geometry) {
  const std::array<std::int64_t, 2> version{1, 0};
  std::array<std::int64_t, 6> extent{};
  for (std::size_t d = 0; d < 3; ++d) extent[2 * d + 1] = geometry.points[d] - 1;
  const std::array<double, 9> direction{1, 0, 0, 0, 1, 0, 0, 0, 1};
  write_numbers<std::int64_t>(root, "Version", version, {2});
  write_type(root, "ImageData");
  write_numbers<std::int64_t>(root, "WholeExtent", extent, {6});
  write_numbers<double>(root, "Origin", geometry.origin, {3});
  write_numbers<double>(root, "Spacing", geometry.spacing, {3});
  write_numbers<double>(root, "Direction", direction, {9});
}

// Stored as attributes, because VTK 9.1 fails on a one-dimensional FieldData/TimeValue. Readers
// take the times from the .series index.
void write_info(const Hdf5Handle& root, const FieldInfo& info) {
  write_numbers<double>(root, "time", {&info.time, 1}, {});
  write_numbers<std::int64_t>(root, "step", {&info.step, 1}, {});
  for (const auto& [name, value] : info.attributes) {
    if (const auto* text = std::get_if<std::string>(&value))
      write_text(root, name.c_str(), *text);
    else
      write_numbers<double>(root, name.c_str(), {&std::get<double>(value), 1}, {});
  }
}

// HDF5 names half precision from 1.14.4 on only, but every version converts it.
Hdf5Handle make_type(Precision precision) {
  if (precision == Precision::uint8) return hdf5_checked(H5Tcopy(H5T_STD_U8LE), H5Tclose);
  auto type = hdf5_checked(H5Tcopy(H5T_IEEE_F32LE), H5Tclose);
  if (precision == Precision::float32) return type;
  hdf5_check(H5Tset_fields(type.get(), 15, 10, 5, 0, 10));
  hdf5_check(H5Tset_size(type.get(), 2));
  hdf5_check(H5Tset_ebias(type.get(), 15));
  return type;
}

std::vector<std::uint64_t> shape_of(const ImageGeometry& geometry, const ArrayInfo& array) {
  const auto [nx, ny, nz] = geometry.points;
  std::vector<std::uint64_t> shape{static_cast<std::uint64_t>(nz), static_cast<std::uint64_t>(ny),
                                   static_cast<std::uint64_t>(nx)};
  if (array.components > 1) shape.push_back(static_cast<std::uint64_t>(array.components));
  return shape;
}

VtkhdfDataset make_dataset(const Hdf5Handle& group, const ImageGeometry& geometry,
                           const ArrayInfo& array, int compression) {
  const auto shape = shape_of(geometry, array);
  const auto properties = hdf5_checked(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  // No fill values: every plane is written, and filling would write the file twice.
  hdf5_check(H5Pset_fill_time(properties.get(), H5D_FILL_TIME_NEVER));
  // No time stamps, so that equal results are equal bytes.
  hdf5_check(H5Pset_obj_track_times(properties.get(), false));
  VtkhdfDataset dataset;
  if (compression > 0) {
    dataset.chunk_rows = vtkhdf_chunk_rows(geometry, array);
    // Declares the filters for readers; the writer packs chunks itself.
    std::vector<hsize_t> chunk(shape.begin(), shape.end());
    chunk[0] = 1;
    chunk[1] = static_cast<hsize_t>(dataset.chunk_rows);
    hdf5_check(H5Pset_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data()));
    hdf5_check(H5Pset_shuffle(properties.get()));
    hdf5_check(H5Pset_deflate(properties.get(), static_cast<unsigned>(compression)));
  } else {
    // Allocated early: fixes the offsets of all planes, and so the file size, before the first
    // write.
    hdf5_check(H5Pset_alloc_time(properties.get(), H5D_ALLOC_TIME_EARLY));
  }
  dataset.handle =
      hdf5_new_dataset(group, array.name, make_type(array.precision).get(), shape, properties);
  if (!array.unit.empty()) write_text(dataset.handle, "unit", array.unit);
  if (compression == 0) dataset.offset = hdf5_offset(dataset.handle);
  return dataset;
}

}  // namespace

Hdf5Handle create_vtkhdf_file(const std::filesystem::path& path) {
  const auto access = hdf5_checked(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  // Strong: closes the file even if a dataset fails to close (full disk).
  hdf5_check(H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG));
  return hdf5_checked(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose);
}

std::vector<VtkhdfDataset> create_vtkhdf_layout(const Hdf5Handle& file,
                                                const ImageGeometry& geometry,
                                                std::span<const ArrayInfo> arrays,
                                                const FieldInfo& info, int compression) {
  const auto root = add_group(file, "VTKHDF");
  write_geometry(root, geometry);
  write_info(root, info);
  const auto group = add_group(root, "PointData");
  std::vector<VtkhdfDataset> datasets;
  for (const ArrayInfo& array : arrays)
    datasets.push_back(make_dataset(group, geometry, array, compression));
  hdf5_check(H5Fflush(file.get(), H5F_SCOPE_GLOBAL));
  return datasets;
}

int vtkhdf_chunk_rows(const ImageGeometry& geometry, const ArrayInfo& array) {
  constexpr int chunk_bytes = 1 << 18;
  const std::int64_t row =
      std::int64_t{geometry.points[0]} * array.components * bytes_of(array.precision);
  return static_cast<int>(
      std::clamp<std::int64_t>(chunk_bytes / row, 1, std::int64_t{geometry.points[1]}));
}

std::uint64_t predicted_vtkhdf_bytes(const ImageGeometry& geometry,
                                     std::span<const ArrayInfo> arrays, const FieldInfo& info,
                                     int compression) {
  const auto [nx, ny, nz] = thickened(geometry).points;
  std::uint64_t bytes = 32768;
  for (const auto& [name, value] : info.attributes) {
    bytes += 256 + name.size();
    if (const auto* text = std::get_if<std::string>(&value)) bytes += text->size();
  }
  for (const ArrayInfo& array : arrays) {
    auto rows = static_cast<std::uint64_t>(ny);
    const auto planes = static_cast<std::uint64_t>(nz);
    if (compression > 0) {  // every chunk is stored whole, and has an entry in an index
      const auto chunk = static_cast<std::uint64_t>(vtkhdf_chunk_rows(thickened(geometry), array));
      const std::uint64_t chunks = (rows + chunk - 1) / chunk;
      rows = chunks * chunk;
      bytes += 8192 + 192 * chunks * planes;
    }
    bytes += 1024 + array.unit.size() +
             rows * static_cast<std::uint64_t>(nx) * planes *
                 static_cast<std::uint64_t>(array.components * bytes_of(array.precision));
  }
  return bytes;
}

}  // namespace lbm::io
