// SPDX-License-Identifier: Apache-2.0
#include "io/vtk/vtk_files.hpp"

#include <fmt/format.h>
#include <vtkCallbackCommand.h>
#include <vtkErrorCode.h>
#include <vtkExecutive.h>
#include <vtkNew.h>

#include <cerrno>
#include <fstream>
#include <string_view>

#include "io/files/disk.hpp"
#include "io/files/posix_file.hpp"

namespace lbm::io {
namespace fs = std::filesystem;

namespace {

// Guesses the errno, which VTK does not keep.
int likely_error(const fs::path& path, std::uint64_t bytes) {
  const auto free = try_free_disk_bytes(path);
  return free && *free < bytes ? ENOSPC : EIO;
}

void prepare(vtkXMLWriter& writer, const fs::path& path, int compression) {
  writer.SetFileName(path.c_str());
  writer.SetByteOrderToLittleEndian();
  writer.SetHeaderTypeToUInt64();
  writer.SetDataModeToAppended();
  writer.EncodeAppendedDataOff();
  if (compression > 0) {
    writer.SetCompressorTypeToZLib();
    writer.SetCompressionLevel(compression);
    writer.SetBlockSize(std::size_t{1} << 18);
  } else {
    writer.SetCompressorTypeToNone();
  }
  // An observer keeps VTK from printing its errors; write() reports them in one line.
  vtkNew<vtkCallbackCommand> silence;
  silence->SetCallback([](vtkObject*, unsigned long, void*, void*) {});
  writer.AddObserver(vtkCommand::ErrorEvent, silence);
  writer.GetExecutive()->AddObserver(vtkCommand::ErrorEvent, silence);
}

// VTK writes no end after a failed write, and does not check the close.
bool ends_as_it_should(const fs::path& path) {
  constexpr std::string_view end = "</VTKFile>\n";
  std::ifstream file(path, std::ios::binary);
  std::string found(end.size(), ' ');
  file.seekg(-static_cast<std::streamoff>(end.size()), std::ios::end);
  return file.read(found.data(), static_cast<std::streamsize>(end.size())) && found == end;
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

}  // namespace

void VtkFiles::write(vtkXMLWriter& writer, vtkDataObject& data, const Place& place, int compression,
                     std::uint64_t bytes) {
  // Created here: this reports errors of the directory better than VTK.
  PartialFile& partial = files_.emplace_back(File{PartialFile(place), bytes}).partial;
  const UniqueFd fd = partial.take_fd();
  const fs::path path = partial.path_of(fd);
  prepare(writer, path, compression);
  writer.SetInputDataObject(&data);
  const bool written = writer.Write() != 0 && writer.GetErrorCode() == vtkErrorCode::NoError;
  if (!written || !ends_as_it_should(path)) {
    const int error = likely_error(place.path(), bytes);
    files_.pop_back();  // first, so that the message counts the freed space
    throw_write_error(place.path(), error, bytes);
  }
  start_writeback(fd.get());
}

void VtkFiles::write(const std::string& text, const Place& place) {
  const UniqueFd fd = files_.emplace_back(File{PartialFile(place), text.size()}).partial.take_fd();
  if (const int error = write_all(fd.get(), text)) {
    throw_write_error(place.path(), error, text.size());
  }
}

void VtkFiles::commit() {
  for (File& file : files_) file.partial.commit(file.bytes);
}

void VtkFiles::commit_as(const Place& place) {
  files_.at(0).partial.commit_as(place, files_[0].bytes);
}

Place piece_place(const Place& stem, int piece, const char* ending) {
  return stem.with_ending(fmt::format("_p{:04d}{}", piece, ending));
}

std::string parallel_array(const ArrayInfo& array) {
  return fmt::format("      <PDataArray type=\"Float32\" Name=\"{}\" NumberOfComponents=\"{}\"/>\n",
                     escaped(array.name), array.components);
}

}  // namespace lbm::io
