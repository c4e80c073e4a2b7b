# SPDX-License-Identifier: Apache-2.0
#
# Prints a file as seen by ParaView, in the format of vtk_dump. For the tests:
#   pvbatch paraview_dump.py FILE.hdf | FILE.hdf.series
import sys

from paraview import servermanager, simple


def numbers(values):
    return " ".join(f"{value:.9g}" for value in values)


def print_array(array):
    count, components = array.GetNumberOfTuples(), array.GetNumberOfComponents()
    print(f"array: {array.GetName()} {array.GetDataTypeAsString()} {components} {count}")
    for point in range(count):
        print(f"{array.GetName()}: {numbers(array.GetTuple(point))}")


reader = simple.OpenDataFile(sys.argv[1])
times = list(getattr(reader, "TimestepValues", None) or [])
print("times:", numbers(times))
for time in times or [0.0]:
    reader.UpdatePipeline(time)
    image = servermanager.Fetch(reader)
    print(f"time: {time:.9g}")
    print("extent:", *image.GetExtent())
    print("origin:", numbers(image.GetOrigin()))
    print("spacing:", numbers(image.GetSpacing()))
    for data in (image.GetPointData(), image.GetFieldData()):
        for index in range(data.GetNumberOfArrays()):
            print_array(data.GetArray(index))
