# SPDX-License-Identifier: Apache-2.0
"""Opens the results of a run in ParaView: colours, bodies, and the camera are set.

In ParaView: File > Load State, and choose this file. Or from a terminal:

    paraview --script=FILE
    pvbatch FILE picture.png       # without a window; a display is needed: xvfb-run -a pvbatch ...

Needs ParaView 5.11 or later. Written by lbm.paraview_script; change it as you like.
"""

import os
import sys
from typing import Any

from paraview import simple  # type: ignore[import-not-found,unused-ignore]

# The results, as lbm describes them.
SCENE: dict[str, Any] = {}

GREY = [0.6, 0.6, 0.6]
BLACK = [0.0, 0.0, 0.0]


def folder() -> str:
    """That of this file where the results lie beside it, else the one they had."""
    here = os.path.dirname(os.path.abspath(globals().get("__file__", "")))
    files = SCENE["image"]["files"] if SCENE["image"] else SCENE["surfaces"][0]["files"]
    return here if os.path.exists(os.path.join(here, files[0])) else str(SCENE["folder"])


def opened(part: dict[str, Any], time: float) -> Any:
    """The data of a series at a time."""
    files = [os.path.join(folder(), name) for name in part["files"]]
    data = simple.OpenDataFile(files if len(files) > 1 else files[0])
    if data is None:
        sys.exit(f"{files[0]}: this ParaView does not read it")
    simple.RenameSource(part["name"], data)
    data.UpdatePipeline(time)
    return data


def last_time() -> float:
    """The last time of all series."""
    parts = [SCENE["image"]] if SCENE["image"] else []
    return float(max(part["times"][-1] for part in [*parts, *SCENE["surfaces"]]))


def show_field(data: Any, view: Any, part: dict[str, Any], plane: bool) -> Any:
    """Coloured by a field, with a bar below the picture. Returns the display.

    Planes have the colours of the bar; other surfaces are shaded.
    """
    display = simple.Show(data, view)
    display.SetRepresentationType("Surface")
    if plane:
        display.Ambient, display.Diffuse = 1.0, 0.0
    if not part["field"]:
        simple.ColorBy(display, None)
        return display
    simple.ColorBy(display, ("POINTS", part["field"], *part["component"]))
    colours = simple.GetColorTransferFunction(part["field"])
    colours.ApplyPreset("Viridis (matplotlib)", True)
    display.SetScalarBarVisibility(view, True)
    bar = simple.GetScalarBar(colours, view)
    bar.Title, bar.ComponentTitle = part["label"], ""
    bar.TitleColor = bar.LabelColor = BLACK
    bar.Orientation = "Horizontal"
    bar.WindowLocation = "Lower Center"
    bar.ScalarBarLength = 0.5
    bar.AddRangeLabels = 0
    return display


def show_grey(data: Any, view: Any, flat: bool = False) -> None:
    """In one colour: a body."""
    display = simple.Show(data, view)
    if flat:
        display.Ambient, display.Diffuse = 1.0, 0.0
    display.SetRepresentationType("Surface")
    simple.ColorBy(display, None)
    display.AmbientColor = display.DiffuseColor = GREY


def show_image(view: Any, time: float) -> Any:
    """A plane of the fields; the bodies as grey surfaces, or as grey areas of a flat image.

    Returns the display of the plane.
    """
    part = SCENE["image"]
    data = opened(part, time)
    plane = data
    if part["normal"]:
        plane = simple.Slice(Input=data)
        plane.SliceType.Origin, plane.SliceType.Normal = part["middle"], part["normal"]
    display = show_field(plane, view, part, plane=True)
    if part["solid"] and part["normal"]:
        show_grey(
            simple.Contour(Input=data, ContourBy=["POINTS", "solid"], Isosurfaces=[0.5]), view
        )
    elif part["solid"]:
        solid = simple.Threshold(Input=data, Scalars=["POINTS", "solid"], LowerThreshold=0.5)
        solid.UpperThreshold, solid.AllScalars = 1.0, 0
        show_grey(solid, view, flat=True)
    outline = simple.Show(simple.Outline(Input=data), view)
    outline.AmbientColor = outline.DiffuseColor = GREY
    return display


def new_view() -> Any:
    """A white view."""
    view = simple.CreateRenderView()
    view.ViewSize = [1280, 900]
    view.UseColorPaletteForBackground = 0
    view.Background = [1.0, 1.0, 1.0]
    view.OrientationAxesLabelColor = BLACK
    return view


def set_camera(view: Any) -> None:
    """Looks at the whole picture; the bar of the colours has room below it."""
    view.CameraParallelProjection = 1
    view.CameraFocalPoint, view.CameraPosition = [0.0, 0.0, 0.0], SCENE["camera"]["position"]
    view.CameraViewUp = SCENE["camera"]["up"]
    view.ResetCamera()
    view.GetActiveCamera().Zoom(SCENE["camera"]["zoom"])


def main() -> None:
    """Shows the scene; saves a picture where the command line names one."""
    simple._DisableFirstRenderCameraReset()
    time = last_time()
    view = new_view()
    displays = [show_image(view, time)] if SCENE["image"] else []
    for part in SCENE["surfaces"]:
        displays.append(show_field(opened(part, time), view, part, plane=False))
    # The first one gives the range of the colours; showing another one has changed it.
    displays[0].RescaleTransferFunctionToDataRange(False, True)
    scene = simple.GetAnimationScene()
    scene.UpdateAnimationUsingDataTimeSteps()
    scene.AnimationTime = view.ViewTime = time
    simple.SetActiveView(view)
    set_camera(view)
    simple.Render(view)
    pictures = [word for word in getattr(sys, "argv", [])[1:] if word.endswith(".png")]
    if pictures:
        simple.SaveScreenshot(pictures[0], view, ImageResolution=view.ViewSize)


main()
