#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens the results that write_results wrote, in ParaView or with VTK's readers, and compares them
with expected.json there.

    pvbatch open_results.py DIRECTORY [NAME...]   as a user of ParaView: through the indexes
    python3 open_results.py DIRECTORY [NAME...]   with the vtk package, file by file

NAME: only indexes whose names begin so. Prints the version, one line an index, and what differs;
exit status 1 when something does, 77 where there is neither ParaView nor vtk.
"""
import json
import math
import os
import sys
import xml.etree.ElementTree as xml

try:
    from paraview import servermanager, simple
    PARAVIEW = True
except ImportError:
    PARAVIEW = False
    try:
        import vtkmodules.vtkCommonCore
        from vtkmodules.vtkIOHDF import vtkHDFReader
        from vtkmodules.vtkIOXML import vtkXMLPPolyDataReader, vtkXMLPolyDataReader
    except ImportError as error:
        print(f"skipped: neither ParaView nor vtk can be imported ({error})")
        sys.exit(77)


def version():
    if PARAVIEW:
        return servermanager.vtkSMProxyManager.GetParaViewSourceVersion()
    return f"VTK {vtkmodules.vtkCommonCore.vtkVersion.GetVTKVersion()}"


def listed(index):
    """[(time, file)] of an index."""
    if index.endswith(".pvd"):
        entries = xml.parse(index).getroot().iter("DataSet")
        return [(float(e.get("timestep")), e.get("file")) for e in entries]
    with open(index, encoding="utf-8") as file:
        return [(e["time"], e["name"]) for e in json.load(file)["files"]]


def read_with_vtk(path):
    readers = {".hdf": "vtkHDFReader", ".vtp": "vtkXMLPolyDataReader", ".pvtp": "vtkXMLPPolyDataReader"}
    reader = globals()[readers[os.path.splitext(path)[1]]]()
    assert reader.CanReadFile(path), f"{path}: VTK says it cannot read it"
    reader.SetFileName(path)
    reader.Update()
    return reader.GetOutputDataObject(0)


def steps_of(index):
    """[(time, data set)] of a series."""
    if not PARAVIEW:
        folder = os.path.dirname(index)
        return [(time, read_with_vtk(os.path.join(folder, name))) for time, name in listed(index)]
    reader = simple.OpenDataFile(index)
    found = []
    for time in list(reader.TimestepValues):
        reader.UpdatePipeline(time)
        data = servermanager.Fetch(reader)
        found.append((time, data))
    simple.Delete(reader)
    return found


def leaf(data):
    """The data set itself, where ParaView wraps it into blocks."""
    while data is not None and data.IsA("vtkCompositeDataSet"):
        iterator = data.NewIterator()
        iterator.InitTraversal()
        data = iterator.GetCurrentDataObject()
    return data


def array_differs(data, expected):
    name, components = expected["name"], expected["components"]
    array = data.GetPointData().GetArray(name)
    if array is None:
        return f"no array {name}"
    values = expected["values"]
    count = len(values) // components
    if (array.GetNumberOfTuples(), array.GetNumberOfComponents()) != (count, components):
        return f"{name}: {array.GetNumberOfTuples()} x {array.GetNumberOfComponents()} values"
    for point in range(count):
        found = array.GetTuple(point)
        if list(found) != values[point * components:(point + 1) * components]:
            return f"{name}: point {point}: {found}"
    return None


def image_differs(data, expected, at):
    for key, found in (("extent", data.GetExtent()), ("origin", data.GetOrigin()),
                       ("spacing", data.GetSpacing())):
        if list(found) != expected[key]:
            return f"{key} {found} instead of {expected[key]}"
    arrays = expected["arrays"][at]
    if data.GetPointData().GetNumberOfArrays() < len(arrays):
        return "arrays are missing"
    return next(filter(None, (array_differs(data, array) for array in arrays)), None)


def sphere_differs(data, expected, at):
    center, radius = expected["center"], expected["radii"][at]
    place = data.GetPointData().GetArray("place")
    if radius == 0:
        return f"{data.GetNumberOfPoints()} points" if data.GetNumberOfPoints() else None
    if data.GetNumberOfPoints() < 200 or data.GetNumberOfCells() < 400 or place is None:
        return f"{data.GetNumberOfPoints()} points, {data.GetNumberOfCells()} cells"
    for i in range(data.GetNumberOfPoints()):
        point = data.GetPoint(i)
        if abs(math.dist(point, center) - radius) > 0.01:
            return f"point {point} is not on the sphere of radius {radius}"
        if math.dist(point, place.GetTuple(i)) > 1e-5:
            return f"point {point} has the values of another place: {place.GetTuple(i)}"
    return None


def series_differs(folder, expected, differs):
    steps = steps_of(os.path.join(folder, expected["index"]))
    times = [time for time, _ in steps]
    if times != expected["times"]:
        return f"times {times} instead of {expected['times']}"
    for at, (time, data) in enumerate(steps):
        problem = differs(leaf(data), expected, at)
        if problem:
            return f"time {time}: {problem}"
    return None


def main():
    folder, names = sys.argv[1], tuple(sys.argv[2:]) or ("",)
    with open(os.path.join(folder, "expected.json"), encoding="utf-8") as file:
        expected = json.load(file)
    print(version())
    bad = checked = 0
    for kind, differs in (("images", image_differs), ("spheres", sphere_differs)):
        for series in expected[kind]:
            if not series["index"].startswith(names):
                continue
            problem = series_differs(folder, series, differs)
            print(f"{series['index']}: {problem or 'as expected'}", flush=True)
            bad += problem is not None
            checked += 1
    print(f"{checked} series checked, {bad} differ")
    return 1 if bad or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
