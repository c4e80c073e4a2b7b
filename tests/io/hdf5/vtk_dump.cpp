// SPDX-License-Identifier: Apache-2.0

// Prints a VTKHDF image as seen by VTK's reader, one "key: values" a line. For the tests.
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkHDFReader.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>

#include <cstdio>

namespace {

void print(const char* key, const double* values, int count) {
  std::printf("%s:", key);
  for (int i = 0; i < count; ++i) std::printf(" %.9g", values[i]);
  std::printf("\n");
}

void print_array(vtkDataArray& array) {
  std::printf("array: %s %s %d %lld\n", array.GetName(), array.GetDataTypeAsString(),
              array.GetNumberOfComponents(), static_cast<long long>(array.GetNumberOfTuples()));
  for (vtkIdType point = 0; point < array.GetNumberOfTuples(); ++point)
    print(array.GetName(), array.GetTuple(point), array.GetNumberOfComponents());
}

}  // namespace

int main(int argc, char** argv) {
  vtkNew<vtkHDFReader> reader;
  if (argc != 2 || reader->CanReadFile(argv[1]) == 0) {
    std::fprintf(stderr, "usage: vtk_dump FILE.hdf (one that VTK can read)\n");
    return 2;
  }
  reader->SetFileName(argv[1]);
  reader->Update();
  auto* image = vtkImageData::SafeDownCast(reader->GetOutputDataObject(0));
  if (image == nullptr) return 1;
  std::printf("extent:");
  for (int i = 0; i < 6; ++i) std::printf(" %d", image->GetExtent()[i]);
  std::printf("\n");
  print("origin", image->GetOrigin(), 3);
  print("spacing", image->GetSpacing(), 3);
  for (int i = 0; i < image->GetPointData()->GetNumberOfArrays(); ++i)
    print_array(*image->GetPointData()->GetArray(i));
  for (int i = 0; i < image->GetFieldData()->GetNumberOfArrays(); ++i)
    if (auto* array = image->GetFieldData()->GetArray(i)) print_array(*array);
  return 0;
}
