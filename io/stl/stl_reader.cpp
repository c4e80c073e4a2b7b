#include "io/stl/stl_reader.hpp"

#include <string>

#include "io/stl/stl_file.hpp"
#include "solver/core/error.hpp"

#ifdef LBM_HAVE_VTK
#include <fmt/format.h>
#include <vtkCallbackCommand.h>
#include <vtkCellArray.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkSTLReader.h>

#include <cmath>
#endif

namespace lbm::io {

#ifdef LBM_HAVE_VTK

namespace {

// Collects VTK's errors and warnings, which it would print otherwise.
void remember(vtkObject*, unsigned long, void* text, void* message) {
  if (message != nullptr) static_cast<std::string*>(text)->append(static_cast<char*>(message));
}

// Joins the lines of a VTK message and drops the source location in front.
std::string one_line(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\r') c = ' ';
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

std::vector<StlFacet> facets_of(vtkPolyData& data) {
  std::vector<StlFacet> facets;
  facets.reserve(static_cast<std::size_t>(data.GetNumberOfPolys()));
  vtkCellArray& cells = *data.GetPolys();
  vtkIdType count = 0;
  const vtkIdType* corners = nullptr;
  for (cells.InitTraversal(); cells.GetNextCell(count, corners) != 0;) {
    if (count != 3) continue;
    StlFacet& facet = facets.emplace_back();
    for (int corner = 0; corner < 3; ++corner) {
      std::array<double, 3> p{};
      data.GetPoint(corners[corner], p.data());
      for (int a = 0; a < 3; ++a) facet[corner][a] = static_cast<float>(p[a]);
    }
  }
  return facets;
}

void require_finite(const std::vector<StlFacet>& facets, const std::string& name) {
  std::int64_t bad = 0;
  for (const StlFacet& facet : facets)
    for (const auto& corner : facet)
      for (const float x : corner) bad += std::isfinite(x) ? 0 : 1;
  if (bad > 0)
    throw UsageError(fmt::format(
        "{}: {} of the coordinates are not finite (NaN or infinity); export the file again", name,
        bad));
}

}  // namespace

bool can_read_stl() { return true; }

std::vector<StlFacet> read_stl(const std::filesystem::path& path) {
  const StlFile file = check_stl_file(path);
  std::string said;
  vtkNew<vtkCallbackCommand> listener;
  listener->SetCallback(remember);
  listener->SetClientData(&said);
  vtkNew<vtkSTLReader> reader;
  reader->AddObserver(vtkCommand::ErrorEvent, listener);
  reader->AddObserver(vtkCommand::WarningEvent, listener);
  // The caller merges equal corners, and also looks for nearly equal ones.
  reader->MergingOff();
  reader->SetFileName(path.c_str());
  reader->Update();
  std::vector<StlFacet> facets = facets_of(*reader->GetOutput());
  if (static_cast<std::int64_t>(facets.size()) != file.triangles)
    throw UsageError(fmt::format(
        "{}: VTK read {} of its {} triangles{}{}; export it again, as the other of binary and text",
        path.string(), facets.size(), file.triangles,
        said.empty() ? "" : " and said: ", one_line(said)));
  require_finite(facets, path.string());
  return facets;
}

#else

bool can_read_stl() { return false; }

std::vector<StlFacet> read_stl(const std::filesystem::path& path) {
  check_stl_file(path);
  throw UsageError(
      path.string() +
      ": this program was built without VTK, which reads STL files; install VTK "
      "(libvtk9-dev) and build again, or make the body of boxes, spheres and cylinders");
}

#endif

}  // namespace lbm::io
