# SPDX-License-Identifier: Apache-2.0
"""Pictures of a run without opening a window: a slice, streamlines, and an isosurface of Q.

    pvbatch docs/paraview/flow_picture.py out/flow_past_sphere/fields.hdf.series sphere --axis y --q 1

INDEX is any index or file that ParaView opens and that has the array "velocity". Writes
NAME_slice.png, NAME_streamlines.png and NAME_q.png. Takes the last time unless --time says another.
Where there is no display, put `xvfb-run -a` before it (Debian: xvfb).
"""
import argparse

from paraview import simple


def parsed():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index")
    parser.add_argument("name")
    parser.add_argument("--time", type=float, help="in the units of the index; default: the last")
    parser.add_argument("--axis", choices="xyz", default="y", help="across the slice")
    parser.add_argument("--q", type=float, default=1, help="Q on the surface, in (U / L)^2")
    return parser.parse_args()


def show(source, view, array=None, component="Magnitude", **properties):
    display = simple.Show(source, view)
    for name, value in properties.items():
        setattr(display, name, value)
    if array:
        simple.ColorBy(display, ("POINTS", array, component))
        display.RescaleTransferFunctionToDataRange(False, True)
        display.SetScalarBarVisibility(view, True)
        bar = simple.GetScalarBar(simple.GetColorTransferFunction(array), view)
        bar.Title, bar.ComponentTitle = array, ""
        bar.TitleColor = bar.LabelColor = [0, 0, 0]
    else:
        simple.ColorBy(display, ("POINTS", None))
    return display


def new_view(data):
    view = simple.CreateView("RenderView")
    view.ViewSize = [1000, 620]
    view.UseColorPaletteForBackground = 0
    view.Background = [1, 1, 1]
    view.OrientationAxesLabelColor = [0, 0, 0]
    show(simple.Outline(Input=data), view, AmbientColor=[0.4] * 3, DiffuseColor=[0.4] * 3)
    return view


def save(view, name, data, direction, zoom):
    """Looks at the middle of the data from `direction`; the longest axis lies from left to right."""
    middle = [sum(bounds) / 2 for bounds in bounds_of(data)]
    sizes = [most - least for least, most in bounds_of(data)]
    longest = sizes.index(max(sizes))
    # Up is the axis that is neither the longest nor the one that is looked along.
    along = max(range(3), key=lambda d: abs(direction[d]))
    up = next(d for d in (1, 0, 2) if d not in (longest, along))
    view.CameraFocalPoint = middle
    view.CameraPosition = [m + s for m, s in zip(middle, direction)]
    view.CameraViewUp = [float(d == up) for d in range(3)]
    view.ResetCamera(False)
    simple.GetActiveCamera().Zoom(zoom)
    simple.SaveScreenshot(name, view, CompressionLevel="9")
    print(name)


def bounds_of(data):
    """[(least, most)] along each axis."""
    bounds = data.GetDataInformation().GetBounds()
    return [(bounds[2 * d], bounds[2 * d + 1]) for d in range(3)]


def main():
    options = parsed()
    data = simple.OpenDataFile(options.index)
    times = list(data.TimestepValues or [0])
    time = times[-1] if options.time is None else options.time
    simple.GetAnimationScene().AnimationTime = time
    data.UpdatePipeline(time)
    middle = [sum(bounds) / 2 for bounds in bounds_of(data)]
    sizes = [most - least for least, most in bounds_of(data)]
    across = "xyz".index(options.axis)
    normal = [float(d == across) for d in range(3)]

    view = new_view(data)
    plane = simple.Slice(Input=data)
    plane.SliceType.Origin, plane.SliceType.Normal = middle, normal
    show(plane, view, "velocity")
    save(view, f"{options.name}_slice.png", data, normal, 1.5)

    # From points in a ball in the middle, forwards and backwards.
    view = new_view(data)
    lines = simple.StreamTracer(Input=data, SeedType="Point Cloud")
    lines.Vectors = ["POINTS", "velocity"]
    lines.MaximumStreamlineLength = 3 * max(sizes)
    lines.SeedType.Center = middle
    lines.SeedType.Radius = min(sizes) / 4
    lines.SeedType.NumberOfPoints = 80
    show(lines, view, "velocity", LineWidth=1.5)
    oblique = [1 + 2 * n for n in normal]
    save(view, f"{options.name}_streamlines.png", data, oblique, 1.25)

    # Q = (|rotation|^2 - |strain|^2) / 2: positive where the fluid spins more than it is strained.
    view = new_view(data)
    gradient = simple.Gradient(Input=data)
    gradient.ScalarArray = ["POINTS", "velocity"]
    gradient.ComputeGradient = 0
    gradient.ComputeQCriterion = 1
    surface = simple.Contour(Input=gradient)
    surface.ContourBy = ["POINTS", "Q Criterion"]
    surface.Isosurfaces = [options.q]
    show(surface, view, "velocity")
    save(view, f"{options.name}_q.png", data, oblique, 1.25)


if __name__ == "__main__":
    main()
