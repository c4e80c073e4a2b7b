// SPDX-License-Identifier: Apache-2.0

// VTK's XML files, written under partial names. Internal to lbm_vtk.
#pragma once

#include <vtkSmartPointer.h>
#include <vtkXMLWriter.h>

#include <span>
#include <string>
#include <vector>

#include "io/files/posix_file.hpp"
#include "io/image/image.hpp"

namespace lbm::io {

// The files of one image or surface, renamed together; those not renamed are removed.
class VtkFiles {
 public:
  // Writes `data` with `writer`: appended, raw, deflated if `compression` > 0. bytes: estimated
  // size. Throws ResourceError; VTK prints nothing.
  void write(vtkXMLWriter& writer, vtkDataObject& data, const Place& place, int compression,
             std::uint64_t bytes);
  // As above, for a text file.
  void write(const std::string& text, const Place& place);

  // Renames all files in the order of writing; the last one refers to the others.
  void commit();
  // Renames the only file, to another name.
  void commit_as(const Place& place);

  std::size_t count() const { return files_.size(); }

 private:
  struct File {
    PartialFile partial;
    std::uint64_t bytes;
  };
  std::vector<File> files_;
};

// Names of pieces: `<stem>_p0007.vtp`.
Place piece_place(const Place& stem, int piece, const char* ending);

// The XML element of an array in a file that lists pieces.
std::string parallel_array(const ArrayInfo& array);

}  // namespace lbm::io
