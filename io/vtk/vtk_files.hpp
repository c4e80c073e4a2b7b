// VTK's XML files, written under partial names. For the .cpp files of lbm_vtk only.
#pragma once

#include <vtkSmartPointer.h>
#include <vtkXMLWriter.h>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "io/image/image.hpp"

namespace lbm::io {

// The files of one image or surface, which get their names together. Those without one are removed
// in the end.
class VtkFiles {
 public:
  VtkFiles() = default;
  VtkFiles(const VtkFiles&) = delete;
  VtkFiles& operator=(const VtkFiles&) = delete;
  ~VtkFiles();

  // Writes `data` through `writer`: appended, raw, by deflate where `compression` > 0. bytes: about
  // what it takes. Throws ResourceError; VTK prints nothing.
  void write(vtkXMLWriter& writer, vtkDataObject& data, const std::filesystem::path& path,
             int compression, std::uint64_t bytes);
  // The same for a file that is a text.
  void write(const std::string& text, const std::filesystem::path& path);

  // Gives all their names in the order they were written in; the last file names the others.
  void commit();
  // The same, when one file was written: under another name.
  void commit_as(const std::filesystem::path& path);

  std::size_t count() const { return files_.size(); }

 private:
  struct File {
    std::filesystem::path path;
    std::uint64_t bytes;
  };
  std::vector<File> files_;
  std::size_t committed_ = 0;  // of them, the first ones
};

// `stem` + `ending`, and the names of pieces: `<stem>_p0007.vti`.
std::filesystem::path with_ending(std::filesystem::path stem, const std::string& ending);
std::filesystem::path piece_path(const std::filesystem::path& stem, int piece, const char* ending);

// The element of an array in a file that lists pieces.
std::string parallel_array(const ArrayInfo& array);

}  // namespace lbm::io
