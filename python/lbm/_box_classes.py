# SPDX-License-Identifier: Apache-2.0
"""The groups of a case, their attributes the keys of the key table: the box, its faces, the bodies.

Generated; to change it, change the table in cases/case/schema/keys_*.cpp, then
python -m lbm.generate_case_classes python/lbm
"""

import typing
from collections.abc import Sequence
from dataclasses import dataclass

from lbm._groups import (
    AxisOrNumbers, Formulas, Group, Number, NumberOrNumbers, Numbers, PathLike, Resets, Rows,
    Settable, SettableByWord, SettableNamed, Takes, Whole, Wholes, group, named, unless_given,
)


FaceType = typing.Literal["wall", "periodic", "velocity", "pressure", "outflow", "slip", "far_field"]


@dataclass(kw_only=True, repr=False)
class Grid(Group, path="grid"):
    """The box of cells. A cell is one unit of length; walls lie half a cell outside the
    outermost cell centres."""

    cells: Takes[list[int] | None, Wholes] = unless_given(None)
    """Cells in x, y and z: `[nx, ny, nz]`. z is streamed through the device, so make it the
    longest axis. A case with one body of voxels may leave it out: the box then has the size of
    the image with its changes and reservoirs. List of three whole numbers, from 1 to 1000000;
    default: this or size, or those of the one image."""
    size: Takes[list[float] | None, Numbers] = unless_given(None)
    """`units: si` only: extent of the box in m, rounded to whole cells of `grid.spacing`. List
    of three numbers, > 0; default: this or cells."""
    spacing: Takes[float | None, Number] = unless_given(None)
    """`units: si` only: metres per cell. Number, > 0; default: this or cells_per_length."""
    cells_per_length: Takes[float | None, Number] = unless_given(None)
    """`units: si` only: cells per `fluid.length`, which is required then. Number, > 0; default:
    this or spacing."""


@dataclass(kw_only=True, repr=False)
class Turbulence(Group, path="boundaries.FACE.turbulence"):
    """Synthetic disturbances on an inlet."""

    intensity: Takes[float | None, Number] = unless_given(None)
    """`velocity` only: size of synthetic disturbances (rms of a component in reference
    velocities). Number, > 0 and < 1; default: none."""
    length: Takes[float | None, Number] = unless_given(None)
    """Integral scale (of the longitudinal correlation), in cells; in m with `units: si`. Number,
    > 0; default: required for turbulence."""
    seed: Takes[int | None, Whole] = unless_given(None)
    """Another seed gives other disturbances with the same statistics. Whole number, from 0 to
    1000000000; default: 1 in turbulence."""


@dataclass(kw_only=True, repr=False)
class Patch(Group, path="boundaries.FACE.patches.NAME"):
    """A part of a face with a boundary condition of its own."""

    box: Takes[list[float] | None, Numbers] = unless_given(None)
    """The part of the face: `[a0, a1, b0, b1]`, from a0 to a1 along the first transverse axis
    and from b0 to b1 along the second, in the order x, y, z, from the corner of the box. Where
    patches overlap, the first one in the file counts. List of four numbers, such as [8, 24, 0,
    16]; default: this or a circle."""
    center: Takes[list[float] | None, Numbers] = unless_given(None)
    """The part of the face: centre of a circle, in the same coordinates. List of two numbers,
    such as [16, 16]; default: this and radius, or a box."""
    radius: Takes[float | None, Number] = unless_given(None)
    """Radius of that circle. Number, > 0; default: this and center, or a box."""
    type: Resets[typing.Literal[
        "wall", "periodic", "velocity", "pressure", "outflow", "slip", "far_field"
    ]] = unless_given("wall")
    """As `boundaries.FACE.type`. Neither periodic nor slip. Word; default: wall."""
    velocity: Takes[list[float] | list[float | str], Formulas] = unless_given([0.0, 0.0, 0.0])
    """As `boundaries.FACE.velocity`. List of three numbers or formulas, such as [1, 0, 0] or ["1
    - (y/ly)^2", 0, 0]; default: [0, 0, 0]."""
    velocity_factor: str | float | None = None
    """As `boundaries.FACE.velocity_factor`. Formula, such as "1 - exp(-t)", of at most 1000
    ASCII characters; default: none."""
    period: Takes[float | None, Number] = unless_given(None)
    """As `boundaries.FACE.period`. Number, > 0; default: none."""
    pressure: Takes[list[float] | None, Numbers] = unless_given(None)
    """As `boundaries.FACE.pressure`. Number or formula, of any size, or a formula such as
    "-9.81*rho0*(y - ly/2)"; default: 0 where there is one."""
    profile: typing.Literal["uniform", "duct", "pipe", "table"] | None = None
    """As `boundaries.FACE.profile`. Word; default: uniform."""
    profile_center: Takes[list[float] | None, Numbers] = unless_given(None)
    """As `boundaries.FACE.profile_center`. List of two numbers, such as [16, 16]; default:
    required for pipe, but for a round patch its own."""
    profile_radius: Takes[float | None, Number] = unless_given(None)
    """As `boundaries.FACE.profile_radius`. Number, > 0; default: required for pipe, but for a
    round patch its own."""
    file: Takes[str | None, PathLike] = unless_given(None)
    """As `boundaries.FACE.file`. Text, 1 to 1000 characters; default: required for table."""
    ramp_time: Takes[float | None, Number] = unless_given(None)
    """As `boundaries.FACE.ramp_time`. Number, > 0; default: none."""
    turbulence: Settable[Turbulence] = group(Turbulence)


@dataclass(kw_only=True, repr=False)
class Face(Group, path="boundaries.FACE"):
    """The boundary condition at a face of the grid. The word of its type may stand for it."""

    type: Resets[typing.Literal[
        "wall", "periodic", "velocity", "pressure", "outflow", "slip", "far_field"
    ]] = unless_given("wall")
    """`wall`: halfway bounce-back; `periodic`; `velocity`: an inlet or outlet with given
    velocity; `pressure`: fixed pressure; `outflow`: characteristic outflow, which imposes its
    pressure only weakly; `slip`: free slip; `far_field`: a far field with given velocity and
    pressure, which lets most of the sound go (docs/far_field.md). Word; default: wall."""
    velocity: Takes[list[float] | list[float | str], Formulas] = unless_given([0.0, 0.0, 0.0])
    """Velocity `[ux, uy, uz]` of the wall, inflow or far field in reference velocities (1 means
    `fluid.lattice_velocity` cells per step); in m/s with `units: si`. A wall has no normal
    velocity. With type `velocity` also formulas (docs/formulas.md) of the two transverse
    coordinates, without `profile`. List of three numbers or formulas, such as [1, 0, 0] or ["1 -
    (y/ly)^2", 0, 0]; default: [0, 0, 0]."""
    velocity_factor: str | float | None = None
    """`wall`, `velocity` and `far_field` only: a formula (docs/formulas.md) of the time `t` that
    multiplies the velocity; `t` in convective times, in s with `units: si`. Without `period` and
    `ramp_time`. Formula, such as "1 - exp(-t)", of at most 1000 ASCII characters; default: none."""
    period: Takes[float | None, Number] = unless_given(None)
    """`wall` only: the wall oscillates; its velocity is multiplied by cos(2 pi t / period), at
    least 4 steps. In convective times; in s with `units: si`. Number, > 0; default: none."""
    pressure: Takes[list[float] | None, Numbers] = unless_given(None)
    """`pressure`, `outflow` and `far_field` only: relative to the reference pressure, in rho0
    U^2; in Pa with `units: si`. With `pressure` and `outflow` also a formula (docs/formulas.md)
    of the two transverse coordinates, such as the weight of the fluid above. Number or formula,
    of any size, or a formula such as "-9.81*rho0*(y - ly/2)"; default: 0 where there is one."""
    profile: typing.Literal["uniform", "duct", "pipe", "table"] | None = None
    """`velocity` only: profile of the velocity over the face. `duct`: developed flow of a
    rectangular duct as wide as the face, or as the patch and its box; slip faces are planes of
    symmetry, and a periodic axis leaves a plane parabola; `pipe`: a parabola in a circle, 0
    outside. In these `velocity` is the peak. `table`: from `file`, without `velocity`. Word;
    default: uniform."""
    profile_center: Takes[list[float] | None, Numbers] = unless_given(None)
    """Centre of the circle on the two transverse axes, in the order x, y, z, from the corner of
    the box. List of two numbers, such as [16, 16]; default: required for pipe, but for a round
    patch its own."""
    profile_radius: Takes[float | None, Number] = unless_given(None)
    """Radius of the circle. Number, > 0; default: required for pipe, but for a round patch its
    own."""
    file: Takes[str | None, PathLike] = unless_given(None)
    """CSV file, relative to the case file, in units of the case: two transverse coordinates and
    three velocities on a regular grid that meets the face, interpolated linearly and constant
    beyond. Text, 1 to 1000 characters; default: required for table."""
    ramp_time: Takes[float | None, Number] = unless_given(None)
    """`velocity` and `far_field` only: time over which the velocity rises smoothly from 0, in
    convective times; in s with `units: si`. Number, > 0; default: none."""
    pressure_drop: Takes[float | None, Number] = unless_given(None)
    """`periodic` only: pressure difference from the min to the max face, which drives the flow.
    Given on one of the two faces. In rho0 U^2; in Pa with `units: si`. Number, of any size;
    default: none."""
    turbulence: Settable[Turbulence] = group(Turbulence)
    patches: SettableNamed[Patch] = named(Patch)


@dataclass(kw_only=True, repr=False)
class Boundaries(Group, path="boundaries"):
    """Boundary conditions at the faces of the box: FACE stands for `x_min`, `x_max`, `y_min`,
    `y_max`, `z_min` or `z_max`. A face may have patches with boundary conditions of their own,
    each under a NAME that you choose."""

    x_min: SettableByWord[Face, FaceType] = group(Face)
    x_max: SettableByWord[Face, FaceType] = group(Face)
    y_min: SettableByWord[Face, FaceType] = group(Face)
    y_max: SettableByWord[Face, FaceType] = group(Face)
    z_min: SettableByWord[Face, FaceType] = group(Face)
    z_max: SettableByWord[Face, FaceType] = group(Face)


@dataclass(kw_only=True, repr=False)
class Sponge(Group, path="sponge"):
    """Layers before faces in which the flow relaxes to that of the far field."""

    faces: Takes[list[typing.Literal[
        "x_min", "x_max", "y_min", "y_max", "z_min", "z_max"
    ]] | None, Sequence[typing.Literal[
        "x_min", "x_max", "y_min", "y_max", "z_min", "z_max"
    ]]] = unless_given(None)
    """Faces with a sponge before them: a layer in which the flow relaxes to that of the far
    field, so that little sound comes back from the face (docs/far_field.md). Not before periodic
    faces. List of words, x_min, x_max, y_min, y_max, z_min, z_max; default: none."""
    thickness: Takes[float | None, Number] = unless_given(None)
    """Thickness of each layer, in cells; in m with `units: si`. Sound at 45 degrees needs 1.5
    wavelengths. Number, > 0; default: required with faces."""
    strength: Takes[float | None, Number] = unless_given(None)
    """Sound at right angles decays by exp(-strength) on its way to the face, and again on its
    way back. Vortices, which are slower than sound, decay faster. Number, > 0; default: 3 in a
    sponge."""
    velocity: Takes[list[float] | None, Numbers] = unless_given(None)
    """Velocity of the far field, in reference velocities; in m/s with `units: si`. List of three
    numbers, such as [1, 0, 0]; default: required with faces."""
    pressure: Takes[float | None, Number] = unless_given(None)
    """Pressure of the far field relative to the reference pressure, in rho0 U^2; in Pa with
    `units: si`. Number, of any size; default: 0 in a sponge."""
    ramp_time: Takes[float | None, Number] = unless_given(None)
    """The velocity of the far field rises smoothly from 0, as that of an inlet with `ramp_time`.
    Number, > 0; default: none."""


@dataclass(kw_only=True, repr=False)
class Body(Group, path="bodies.NAME"):
    """A solid body, or a part of one."""

    shape: typing.Literal[
        "box", "sphere", "ellipsoid", "cylinder", "elliptic_cylinder", "capsule", "torus",
        "polygon", "plane", "surface", "stl", "voxels", "union", "intersection",
        "difference"
    ] | None = None
    """`box` and `ellipsoid` (center, size), `sphere` (center, radius), `cylinder` and `capsule`
    (from, to, radius), `elliptic_cylinder` (from, to, radii, direction), `torus` (center, axis,
    radii), `polygon` (points, axis, span: extruded along the axis), `plane` (center, normal:
    solid behind it), `surface` (file; `stl` is its older name), `voxels` (file: an image whose
    voxels are cells), or a combination `of` bodies: `union`, `intersection`, `difference` (the
    first minus the others). Word; default: required."""
    center: Takes[list[float] | None, Numbers] = unless_given(None)
    """Centre of a box, ellipsoid, sphere or torus, or a point on a plane, from the corner of the
    box, in cells; all lengths in m with `units: si`. List of three numbers, such as [1, 0, 0];
    default: by shape."""
    size: Takes[list[float] | None, Numbers] = unless_given(None)
    """Edges of a box, or the three diameters of an ellipsoid. List of three numbers, > 0;
    default: by shape."""
    radius: Takes[float | None, Number] = unless_given(None)
    """Radius of a sphere, cylinder or capsule. Number, > 0; default: by shape."""
    radii: Takes[list[float] | None, Numbers] = unless_given(None)
    """The two half axes of an elliptic cylinder; or the radius of the ring of a torus, which is
    the middle of its tube, and the smaller radius of the tube. List of two numbers, > 0;
    default: by shape."""
    from_: Takes[list[float] | None, Numbers] = unless_given(None)
    """One end of the axis of a cylinder, elliptic cylinder or capsule. List of three numbers,
    such as [1, 0, 0]; default: by shape."""
    to: Takes[list[float] | None, Numbers] = unless_given(None)
    """The other end. List of three numbers, such as [1, 0, 0]; default: by shape."""
    direction: Takes[typing.Literal[
        "x", "y", "z"
    ] | list[float] | None, AxisOrNumbers] = unless_given(None)
    """`elliptic_cylinder`: direction of the first of its `radii`; its part along the axis does
    not count. Required if the axis is along none of x, y, z. Axis or list of three numbers, such
    as z or [0, 1, 1], not all 0; default: x, or y if the axis is along x."""
    axis: Takes[typing.Literal[
        "x", "y", "z"
    ] | list[float] | None, AxisOrNumbers] = unless_given(None)
    """Axis of a torus, normal to its ring; or that along which a polygon is extruded: x, y or z.
    Axis or list of three numbers, such as z or [0, 1, 1], not all 0; default: by shape."""
    points: Takes[list[list[float]] | None, Rows] = unless_given(None)
    """Corners of a polygon in their order, as the two coordinates across `axis`, in the order x,
    y, z. The last one is joined to the first. At most 10000. List of points, such as [[0, 0],
    [8, 0], [0, 6]]; default: by shape."""
    span: Takes[list[float] | None, Numbers] = unless_given(None)
    """`polygon`: from where to where along `axis` it reaches. List of two numbers, such as [0,
    40]; default: endless."""
    normal: Takes[list[float] | None, Numbers] = unless_given(None)
    """Normal of a plane, pointing out of the solid; any length but 0. List of three numbers,
    such as [1, 0, 0]; default: by shape."""
    file: Takes[str | None, PathLike] = unless_given(None)
    """File of a surface of triangles or polygons: STL or OBJ; or of voxels: .npy, .tif, .h5, or
    raw; a folder or a pattern such as rock_*.tif for one plane a file. Relative to the case
    file. Text, 1 to 1000 characters; default: by shape."""
    of: Takes[list[str] | None, Sequence[str]] = unless_given(None)
    """The bodies to combine; combinations nest up to 64 levels deep. List of names, such as
    [hull, keel]; default: by shape."""
    solids: Takes[list[str] | None, Sequence[str]] = unless_given(None)
    """`surface`: only these solids of the file: `solid NAME` of a text STL file, objects `o
    NAME` and groups `g NAME` of an OBJ file. List of names, such as [hull, keel]; default: all
    solids of the file."""
    open: typing.Literal["refuse", "fill", "shell"] | None = None
    """`surface`: a surface that is not closed is an error (`refuse`); or it is filled where most
    of six rays along the axes meet it (`fill`); or the surface itself becomes a solid wall
    (`shell`), also a closed one, which is then hollow. Word; default: refuse."""
    thickness: Takes[float | None, Number] = unless_given(None)
    """`open: shell` only: thickness of the wall, half of it on each side of the surface, in
    cells; in m with `units: si`. At least 1.41422 cells, so that no fluid passes. Number, > 0;
    default: 1.5 cells."""
    merge_tolerance: Takes[float | None, Number] = unless_given(None)
    """`surface`: corners of open edges that are no farther apart are joined. In the units of the
    file, before `scale`. Number, >= 0; default: 1e-6 of the diagonal of the surface."""
    dataset: Takes[str | None, PathLike] = unless_given(None)
    """`voxels`: the path of the labels in an HDF5 file, such as `/labels`. Text, 1 to 1000
    characters; default: the only one of labels in the file."""
    cells: Takes[list[int] | None, Wholes] = unless_given(None)
    """`voxels`: voxels of the image along x, which runs fastest in the file, y and z. Required
    for a raw file. List of three whole numbers, from 1 to 1000000, such as [400, 400, 1200];
    default: by the header."""
    type: typing.Literal["uint8", "int8", "uint16", "int16", "uint32", "int32"] | None = None
    """`voxels`: the type of the labels in the file. Word; default: by the header; raw: `uint8`."""
    byte_order: typing.Literal["little", "big"] | None = None
    """`voxels`: of labels of more than one byte. Word; default: by the header; raw: `little`."""
    header_bytes: Takes[int | None, Whole] = unless_given(None)
    """`voxels`: bytes of the file before the first label. Whole number, from 0 to 1099511627776;
    default: by the header; raw: 0."""
    fluid: Takes[list[int] | None, Wholes] = unless_given(None)
    """`voxels`: the labels of the pores. All other voxels are solid. List of whole numbers, such
    as [0]; default: required by voxels."""
    voxel_size: Takes[list[float] | None, Numbers] = unless_given(None)
    """`voxels`: edges of a voxel along x, y and z of the file, where its header has none or
    wrong ones. Voxels must be cubes with the edge of a cell, `grid.spacing`; in lattice units
    only their ratio counts. List of three numbers, > 0; default: by the header."""
    crop_from: Takes[list[int] | None, Wholes] = unless_given(None)
    """`voxels`: only a part of the image is read: the first voxel of it, counted from 0, along
    x, y and z of the file. List of three whole numbers, from 0 to 1048576, such as [0, 0, 200];
    default: the first voxel."""
    crop_to: Takes[list[int] | None, Wholes] = unless_given(None)
    """`voxels`: the voxel behind the part, as in `image[from:to]` of NumPy. List of three whole
    numbers, from 1 to 1048576, such as [400, 400, 1000]; default: behind the last voxel."""
    resample: bool | None = None
    """`voxels`: voxels that are no cubes become cubes with the shortest edge of a voxel. Each
    takes the label at its centre. Switch; default: false."""
    axes: Takes[list[typing.Literal[
        "x", "y", "z"
    ]] | None, Sequence[typing.Literal[
        "x", "y", "z"
    ]]] = unless_given(None)
    """`voxels`: which axes of the file become x, y and z of the box. An exchange of two axes
    also mirrors the image. List of axes, x, y and z, each once, such as [z, x, y]; default: as
    in the file."""
    coarsen: Takes[int | None, Whole] = unless_given(None)
    """`voxels`: n^3 voxels become one cell, which is solid where at least half of them are. The
    part of the image must have a multiple of n voxels along each axis. Whole number, from 1 to
    1048576; default: none."""
    refine: Takes[int | None, Whole] = unless_given(None)
    """`voxels`: a voxel becomes n^3 cells. Whole number, from 1 to 1048576; default: none."""
    mirror: Takes[list[typing.Literal[
        "x", "y", "z"
    ]] | None, Sequence[typing.Literal[
        "x", "y", "z"
    ]]] = unless_given(None)
    """`voxels`: along these axes the image is followed by its mirror image, so that opposite
    faces of a periodic box fit each other. List of axes, x, y, z, each at most once, such as
    [z]; default: none."""
    repeat: Takes[list[int] | None, Wholes] = unless_given(None)
    """`voxels`: so many images one behind the other along x, y and z. List of three whole
    numbers, from 1 to 1048576, such as [1, 1, 2]; default: once."""
    connected: typing.Literal["x", "y", "z"] | None = None
    """`voxels`: pores that do not lead from one face of the image to the other along this axis
    become solid. The image must fit into memory with one bit a cell. Word; default: no axis."""
    reservoir: Takes[list[int] | None, Wholes] = unless_given(None)
    """`voxels`: cells of fluid before and behind the image along x, y and z. The image begins
    behind the first of them. List of three whole numbers, from 0 to 1048576, such as [0, 0, 10];
    default: none."""
    scale: Takes[float | list[float] | None, NumberOrNumbers] = unless_given(None)
    """Scaling factor of the shape, or one for each axis, applied before `rotate` and
    `translate`. A negative factor of a list mirrors the shape. Converts the units of a file to
    those of the case. Number or list of three numbers, such as 0.001 or [1, -1, 0.5], none 0;
    default: none."""
    rotate: Takes[list[list[float]] | None, Rows] = unless_given(None)
    """Rotations `[ax, ay, az, degrees]` about axes through the origin of the shape's
    coordinates, right-handed, applied in order. List of rotations, such as [[0, 0, 1, 45]], axes
    not 0; default: none."""
    translate: Takes[list[float] | None, Numbers] = unless_given(None)
    """Displacement of the shape, applied last. Voxels: by whole cells; what lies outside the box
    then is cut off. List of three numbers, such as [1, 0, 0]; default: none."""
    solid: Resets[bool] = unless_given(True)
    """`false`: only a part of a combination, not solid itself. Switch; default: true."""
    walls: Resets[typing.Literal[
        "auto", "interpolated", "conserving", "staircase", "multireflection"
    ]] = unless_given("auto")
    """`interpolated`: exact position of the surface; `conserving`: the same, and no mass passes;
    `staircase`: halfway between cells, and no mass passes; `multireflection`: exact position, of
    third order in steady flow; `auto`: `interpolated` if a face is `pressure`, `outflow` or
    `far_field`, else `conserving`; for voxels `staircase`, which is exact. Word; default: auto."""
    velocity: Takes[list[float] | None, Numbers] = unless_given(None)
    """Velocity of the surface in reference velocities, in m/s with `units: si`. The shape itself
    does not move. List of three numbers, such as [1, 0, 0]; default: none."""
    angular_velocity: Takes[list[float] | None, Numbers] = unless_given(None)
    """Angular velocity of the surface in U/L, in rad/s with `units: si`, such as that of a
    cylinder turning about its axis. List of three numbers, such as [1, 0, 0]; default: none."""
    velocity_factor: str | float | None = None
    """A formula (docs/formulas.md) of the time `t` that multiplies `velocity` and
    `angular_velocity`; `t` in convective times, in s with `units: si`. Formula, such as
    "sin(t)", of at most 1000 ASCII characters; default: none."""
    center_of_rotation: Takes[list[float] | None, Numbers] = unless_given(None)
    """Centre of the rotation by `angular_velocity`, and reference point of torques. List of
    three numbers, such as [1, 0, 0]; default: the centre of the shape."""
    reference_area: Takes[float | None, Number] = unless_given(None)
    """Area for force coefficients, in cells^2; in m^2 with `units: si`. Number, > 0; default:
    the reference length squared."""
    reference_length: Takes[float | None, Number] = unless_given(None)
    """Length for torque coefficients. Number, > 0; default: the reference length."""
    reference_velocity: Takes[float | None, Number] = unless_given(None)
    """Velocity for both coefficients. Number, > 0; default: the reference velocity."""
