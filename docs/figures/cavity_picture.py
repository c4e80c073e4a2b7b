# Draws the picture of README.md with ParaView, from a run of the shipped cavity:
#   lbm run cases/lid_driven_cavity.yaml --out out/cavity
#   pvbatch docs/figures/cavity_picture.py out/cavity/fields_000012800.vtkhdf docs/figures/cavity.png
import sys

from paraview import simple

fields = simple.VTKHDFReader(FileName=[sys.argv[1]])
view = simple.CreateRenderView()
view.ViewSize = [900, 640]
view.Background = [1, 1, 1]
view.UseColorPaletteForBackground = 0
view.OrientationAxesVisibility = 0

middle = simple.Slice(Input=fields)
middle.SliceType.Origin = [0.5, 0.5, 0.5]
middle.SliceType.Normal = [0, 1, 0]
shown = simple.Show(middle, view)
simple.ColorBy(shown, ("POINTS", "velocity", "Magnitude"))
colours = simple.GetColorTransferFunction("velocity")
colours.ApplyPreset("Turbo", True)
shown.SetScalarBarVisibility(view, True)
bar = simple.GetScalarBar(colours, view)
bar.Title, bar.ComponentTitle = "speed / lid velocity", ""
bar.TitleColor = bar.LabelColor = [0, 0, 0]

lines = simple.StreamTracer(Input=fields, SeedType="Point Cloud")
lines.SeedType.Center = [0.5, 0.7, 0.6]
lines.SeedType.Radius = 0.42
lines.SeedType.NumberOfPoints = 70
lines.MaximumStreamlineLength = 3
tubes = simple.Show(simple.Tube(Input=lines, Radius=0.003), view)
simple.ColorBy(tubes, ("POINTS", "velocity", "Magnitude"))
colours.RescaleTransferFunction(0, 0.5)

box = simple.Show(simple.Outline(Input=fields), view)
box.AmbientColor = box.DiffuseColor = [0, 0, 0]
view.CameraPosition = [1.7, -2.4, 1.5]
view.CameraFocalPoint = [0.52, 0.5, 0.47]
view.CameraViewUp = [0, 0, 1]
view.CameraViewAngle = 29
simple.SaveScreenshot(sys.argv[2], view)
