# SPDX-License-Identifier: Apache-2.0
"""Pictures of isosurfaces and bodies, by VTK off screen."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import numpy.typing as npt

from lbm.pictures import data
from lbm.pictures.page import Limits, Page
from lbm.results.errors import need

_FINER = 2  # pixels of VTK for a pixel of the page, along each axis
_AROUND = 2  # pixels of the page around the box, for its edges
Array = npt.NDArray[Any]


def _vtk(module: str) -> Any:
    return need(f"vtkmodules.{module}", "vtk", "a picture of a surface")


def view_of(azimuth: float, elevation: float, up: int) -> Array:
    """Unit vectors to the right, upwards and towards the viewer, as rows."""
    ca, sa = math.cos(math.radians(azimuth)), math.sin(math.radians(azimuth))
    ce, se = math.cos(math.radians(elevation)), math.sin(math.radians(elevation))
    rows = np.array([[-sa, ca, 0], [-se * ca, -se * sa, ce], [ce * ca, ce * sa, se]])
    return np.roll(rows, up - 2, axis=1)


def faces_of(cubes: Array, cells: list[int]) -> Array:
    """Faces between the points of the cubes around each crossed edge: numbers of four points, [n, 4].

    cubes: of SurfaceFile (cases/run/pictures/picture_data.hpp), [n, 8].
    """
    strides = np.array([1, cells[0] + 1, (cells[0] + 1) * (cells[1] + 1)], dtype=np.int64)
    keys = (cubes[:, :3].astype(np.int64) + 1) @ strides
    order = np.argsort(keys)
    edges = cubes[:, 3].astype(int)
    faces = []
    for axis in range(3):
        crossed = edges >> axis & 1 != 0
        b, c = strides[(axis + 1) % 3], strides[(axis + 2) % 3]
        around = keys[crossed, None] - np.array([0, b, b + c, c])
        found = order[np.minimum(np.searchsorted(keys, around, sorter=order), len(keys) - 1)]
        found = found[(keys[found] == around).all(axis=1)] if len(keys) else found
        above = edges[crossed] >> 3 & 1 != 0
        faces.append(np.where(above[: len(found), None], found, found[:, ::-1]))
    return np.concatenate(faces)


def _actor(points: Array, faces: Array, colours: Array | None) -> Any:
    """The surface, lit from both sides. colours: of the points, [n, 3] bytes; None: that of bodies."""
    core, model, arrays = _vtk("vtkCommonCore"), _vtk("vtkCommonDataModel"), _vtk("util.numpy_support")
    places, cells, poly = core.vtkPoints(), model.vtkCellArray(), model.vtkPolyData()
    places.SetData(arrays.numpy_to_vtk(np.ascontiguousarray(points), deep=True))
    starts = np.arange(0, faces.size + 1, 4, dtype=np.int64)
    cells.SetData(
        arrays.numpy_to_vtkIdTypeArray(starts, deep=True),
        arrays.numpy_to_vtkIdTypeArray(np.ascontiguousarray(faces).ravel(), deep=True),
    )
    poly.SetPoints(places)
    poly.SetPolys(cells)
    if colours is not None:
        poly.GetPointData().SetScalars(arrays.numpy_to_vtk(np.ascontiguousarray(colours), deep=True))
    normals = _vtk("vtkFiltersCore").vtkPolyDataNormals()
    normals.SetInputData(poly)
    normals.SplittingOff()
    normals.ConsistencyOff()
    rendering = _vtk("vtkRenderingCore")
    mapper, actor = rendering.vtkPolyDataMapper(), rendering.vtkActor()
    mapper.SetInputConnection(normals.GetOutputPort())
    actor.SetMapper(mapper)
    look = actor.GetProperty()
    look.SetAmbient(0.4)
    look.SetDiffuse(0.7)
    if colours is None:
        look.SetColor(0.62, 0.62, 0.62)
    return actor


def _far_edges(cells: list[int], toward: Array) -> Any:
    """The edges of the box behind which nothing of it lies."""
    core, model, rendering = _vtk("vtkCommonCore"), _vtk("vtkCommonDataModel"), _vtk("vtkRenderingCore")
    places, lines, poly = core.vtkPoints(), model.vtkCellArray(), model.vtkPolyData()
    for axis, ends in itertools.product(range(3), itertools.product((0, 1), repeat=2)):
        sides = {(axis + 1) % 3: ends[0], (axis + 2) % 3: ends[1]}
        if all(toward[a] * (1 if end else -1) > 0 for a, end in sides.items()):
            continue
        lines.InsertNextCell(2)
        for end in (0, 1):
            corner = {**sides, axis: end}
            lines.InsertCellPoint(places.InsertNextPoint(*(corner[a] * cells[a] for a in range(3))))
    poly.SetPoints(places)
    poly.SetLines(lines)
    mapper, actor = rendering.vtkPolyDataMapper(), rendering.vtkActor()
    mapper.SetInputData(poly)
    actor.SetMapper(mapper)
    look = actor.GetProperty()
    look.SetColor(0.72, 0.72, 0.72)
    look.SetLineWidth(1.0 * _FINER)
    look.LightingOff()
    return actor


def render(actors: list[Any], view: Array, middle: Array, height: float, pixels: tuple[int, int]) -> Array:
    """The picture of the actors, [height, width, 3] bytes, rows from below.

    middle: of what it shows, height: of that upwards, both in cells.
    """
    logger = _vtk("vtkCommonCore").vtkLogger
    logger.SetStderrVerbosity(logger.VERBOSITY_OFF)  # a missing display is no trouble
    rendering = _vtk("vtkRenderingCore")
    window, renderer, light = rendering.vtkRenderWindow(), rendering.vtkRenderer(), rendering.vtkLight()
    window.OffScreenRenderingOn()
    window.SetSize(*pixels)
    window.AddRenderer(renderer)
    renderer.SetBackground(1, 1, 1)
    light.SetLightTypeToCameraLight()
    light.SetPosition(-0.35, 0.5, 0.79)
    light.SetFocalPoint(0, 0, 0)
    renderer.AddLight(light)
    for actor in actors:
        renderer.AddActor(actor)
    camera = renderer.GetActiveCamera()
    camera.ParallelProjectionOn()
    camera.SetParallelScale(0.5 * height)
    camera.SetFocalPoint(*middle)
    camera.SetPosition(*(middle + view[2] * 4 * float(middle.max())))
    camera.SetViewUp(*view[1])
    renderer.ResetCameraClippingRange()
    window.Render()
    image = rendering.vtkWindowToImageFilter()
    image.SetInput(window)
    image.ReadFrontBufferOff()
    image.Update()
    bytes_of = _vtk("util.numpy_support").vtk_to_numpy
    shown: Array = bytes_of(image.GetOutput().GetPointData().GetScalars()).reshape(pixels[1], pixels[0], -1).copy()
    window.Finalize()
    return shown[..., :3]


def draw_surface(head: data.Head, numbers: data.Floats, before: Limits | None) -> bytes:
    """The PNG file of a picture of surfaces."""
    _vtk("vtkRenderingOpenGL2")  # first: what is made without it draws nothing
    cells = head["cells"]
    view = view_of(head["view"][0], head["view"][1], head["up"])
    corners = np.array(list(itertools.product(*((0, n) for n in cells)))) @ view[:2].T
    extent = np.ptp(corners, axis=0)
    cubes = numbers.reshape(-1, 8)
    body = np.isnan(cubes[:, 7])
    flow = cubes[~body]
    page = Page(head, (extent[0], extent[1]), before)
    coloured = data.in_units(flow[:, 7], head)
    limits = page.limits(coloured)
    bytes_of_colours = page.colours((coloured - limits[0]) / (limits[1] - limits[0]), bytes=True)[:, :3]
    actors = [_far_edges(cells, view[2])]
    for part, colours in ((flow, bytes_of_colours), (cubes[body], None)):
        faces = faces_of(part, cells)
        if faces.size:
            actors.append(_actor(part[:, 4:7], faces, colours))
    left, low, wide, high = page.box
    outer = left - _AROUND, low - _AROUND, wide + 2 * _AROUND, high + 2 * _AROUND
    pixels, height = (_FINER * outer[2], _FINER * outer[3]), float(extent[1]) * outer[3] / high
    shown = render(actors, view, np.array(cells) / 2, height, pixels)
    page.axes.set_position(page.share(*outer))
    page.axes.imshow(shown, origin="lower", aspect="auto", interpolation="hanning")
    page.axes.axis("off")
    return page.finish(limits, [(*view[:2, a], "xyz"[a]) for a in range(3)])
