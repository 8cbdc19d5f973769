"""Images as sets of parts: labels, shapes grown and shrunk, what is measured in parts; and images moved, turned and scaled."""

import math

import numpy as np

NAMES = ("label find_objects sum sum_labels mean variance standard_deviation minimum maximum median extrema minimum_position "
         "maximum_position center_of_mass histogram labeled_comprehension generate_binary_structure iterate_structure binary_dilation "
         "binary_erosion binary_opening binary_closing binary_fill_holes binary_propagation binary_hit_or_miss distance_transform_edt "
         "grey_dilation grey_erosion grey_opening grey_closing morphological_gradient white_tophat black_tophat spline_filter "
         "spline_filter1d map_coordinates affine_transform shift zoom rotate geometric_transform").split()


# ---- parts -----------------------------------------------------------------------------------------------------------


def generate_binary_structure(rank, connectivity):
    connectivity = max(connectivity, 1)
    if rank < 1:
        return np.array(connectivity > 0, dtype=bool)
    away = np.abs(np.indices([3] * rank) - 1).sum(0)
    return away <= connectivity


def iterate_structure(structure, iterations, origin=None):
    structure = np.asarray(structure).astype(bool)
    if iterations < 2:
        return structure.copy()
    wide = np.zeros([n + (iterations - 1) * (n - 1) for n in structure.shape], dtype=bool)
    start = [(iterations - 1) * (n // 2) for n in structure.shape]
    wide[tuple(slice(s, s + n) for s, n in zip(start, structure.shape))] = structure
    made = binary_dilation(wide, structure, iterations - 1)
    return made if origin is None else (made, [iterations * o for o in np.broadcast_to(origin, (structure.ndim,)).tolist()])


def label(input, structure=None, output=None):
    """Numbers the connected parts in the order in which they begin."""
    a = np.asarray(input) != 0
    structure = generate_binary_structure(a.ndim, 1) if structure is None else np.asarray(structure).astype(bool)
    if any(n != 3 for n in structure.shape):
        raise ValueError("structure dimensions must be equal to 3")
    steps = [tuple(int(v) - 1 for v in at) for at in zip(*np.nonzero(structure)) if any(int(v) != 1 for v in at)]
    shape, inside = a.shape, {tuple(p) for p in np.argwhere(a).tolist()}
    found = np.zeros(shape, dtype=np.int32)
    count = 0
    for start in np.argwhere(a).tolist():
        start = tuple(start)
        if start not in inside:
            continue
        count += 1
        waiting = [start]
        inside.discard(start)
        while waiting:
            at = waiting.pop()
            found[at] = count
            for step in steps:
                near = tuple(p + s for p, s in zip(at, step))
                if near in inside:
                    inside.discard(near)
                    waiting.append(near)
    if isinstance(output, np.ndarray):
        output[...] = found
        return count
    return (found if output is None else found.astype(output)), count


def find_objects(input, max_label=0):
    labels = np.asarray(input)
    made = []
    for k in range(1, (max_label or int(labels.max(initial=0))) + 1):
        at = np.nonzero(labels == k)
        made.append(tuple(slice(int(p.min()), int(p.max()) + 1, None) for p in at) if len(at[0]) else None)
    return made


def _each(function, input, labels, index):
    """Calls a function of the values of each part."""
    a = np.asarray(input)
    if labels is None:
        if index is not None:
            raise ValueError("index without defined labels")
        return function(a.ravel())
    labels = np.broadcast_to(np.asarray(labels), a.shape)
    if index is None:
        return function(a[labels > 0])
    if np.ndim(index) == 0:
        return function(a[labels == index])
    return np.array([function(a[labels == k]) for k in np.asarray(index).tolist()])


def sum_labels(input, labels=None, index=None):
    return _each(lambda v: v.sum() if labels is None or v.dtype.kind != "b" else v.sum(), np.asarray(input) if labels is None else
                 np.asarray(input, dtype=float), labels, index)


def sum(input, labels=None, index=None):
    return sum_labels(input, labels, index)


def mean(input, labels=None, index=None):
    return _each(lambda v: np.asarray(v, dtype=float).sum() / v.size if v.size else np.float64(np.nan), input, labels, index)


def variance(input, labels=None, index=None):
    return _each(lambda v: np.asarray(v, dtype=float).var(), input, labels, index)


def standard_deviation(input, labels=None, index=None):
    return np.sqrt(variance(input, labels, index))


def minimum(input, labels=None, index=None):
    return _each(lambda v: v.min(), input, labels, index)


def maximum(input, labels=None, index=None):
    return _each(lambda v: v.max(), input, labels, index)


def median(input, labels=None, index=None):
    return _each(lambda v: np.median(v), input, labels, index)


def _places(choose, input, labels, index):
    a = np.asarray(input)
    at = np.arange(a.size).reshape(a.shape)
    flat = a.ravel()
    found = _each(lambda v: v[choose(flat[v])], at, labels, index)
    one = lambda k: tuple(np.int64(p) for p in np.unravel_index(int(k), a.shape))
    return one(found) if np.ndim(found) == 0 else [one(k) for k in found.tolist()]


def minimum_position(input, labels=None, index=None):
    return _places(np.argmin, input, labels, index)


def maximum_position(input, labels=None, index=None):
    return _places(np.argmax, input, labels, index)


def extrema(input, labels=None, index=None):
    parts = (input, labels, index)
    return minimum(*parts), maximum(*parts), minimum_position(*parts), maximum_position(*parts)


def center_of_mass(input, labels=None, index=None):
    a = np.asarray(input, dtype=float)
    whole = sum_labels(a, labels, index)
    middles = [sum_labels(a * axis, labels, index) / whole for axis in np.indices(a.shape)]
    return tuple(middles) if np.ndim(whole) == 0 else [tuple(row) for row in np.stack(middles, -1)]


def histogram(input, min, max, bins, labels=None, index=None):
    return _each(lambda v: np.histogram(v, bins, (min, max))[0], input, labels, index)


def labeled_comprehension(input, labels, index, func, out_dtype, default, pass_positions=False):
    if pass_positions:
        raise NotImplementedError("scipy.ndimage.labeled_comprehension(pass_positions=True)")
    full = lambda v: func(v) if v.size else default
    return np.asarray(_each(full, input, labels, index)).astype(out_dtype)[()]


# ---- shapes ----------------------------------------------------------------------------------------------------------


def _grown(a, structure, origin, border, all_of):
    """Whether any, or all, of the neighbors that a structure names are true."""
    origins = np.broadcast_to(origin, (a.ndim,)).tolist()
    before = [n // 2 + o for n, o in zip(structure.shape, origins)]
    wide = np.pad(a, [(b, n - 1 - b) for b, n in zip(before, structure.shape)], constant_values=bool(border))
    made = np.full(a.shape, all_of)
    for at in np.argwhere(structure).tolist():
        part = wide[tuple(slice(k, k + n) for k, n in zip(at, a.shape))]
        made = made & part if all_of else made | part
    return made


def _repeated(input, structure, iterations, mask, output, border, origin, all_of):
    a = np.asarray(input) != 0
    structure = generate_binary_structure(a.ndim, 1) if structure is None else np.asarray(structure).astype(bool)
    if structure.ndim != a.ndim:
        raise RuntimeError("structure and input must have same dimensionality")
    if not all_of:
        structure = structure[tuple(slice(None, None, -1) for _ in structure.shape)]
        origin = [-o - (n % 2 == 0) for o, n in zip(np.broadcast_to(origin, (a.ndim,)).tolist(), structure.shape)]
    step = 0
    while step < iterations or iterations < 1:
        made = _grown(a, structure, origin, border, all_of)
        if mask is not None:
            made = np.where(np.asarray(mask).astype(bool), made, a)
        if np.array_equal(made, a):
            break
        a, step = made, step + 1
    if output is not None:
        output[...] = a
        return output
    return a.copy()


def binary_erosion(input, structure=None, iterations=1, mask=None, output=None, border_value=0, origin=0, brute_force=False, *, axes=None):
    return _repeated(input, structure, iterations, mask, output, border_value, origin, True)


def binary_dilation(input, structure=None, iterations=1, mask=None, output=None, border_value=0, origin=0, brute_force=False, *, axes=None):
    return _repeated(input, structure, iterations, mask, output, border_value, origin, False)


def binary_opening(input, structure=None, iterations=1, output=None, origin=0, mask=None, border_value=0, brute_force=False, *, axes=None):
    return binary_dilation(binary_erosion(input, structure, iterations, mask, None, border_value, origin), structure, iterations, mask, output,
                           border_value, origin)


def binary_closing(input, structure=None, iterations=1, output=None, origin=0, mask=None, border_value=0, brute_force=False, *, axes=None):
    return binary_erosion(binary_dilation(input, structure, iterations, mask, None, border_value, origin), structure, iterations, mask, output,
                          border_value, origin)


def binary_propagation(input, structure=None, mask=None, output=None, border_value=0, origin=0, *, axes=None):
    return binary_dilation(input, structure, -1, mask, output, border_value, origin)


def binary_fill_holes(input, structure=None, output=None, origin=0, *, axes=None):
    free = np.asarray(input) == 0
    outside = binary_dilation(np.zeros(free.shape, dtype=bool), structure, -1, free, None, 1, origin)
    if output is not None:
        output[...] = ~outside
        return output
    return ~outside


def distance_transform_edt(input, sampling=None, return_distances=True, return_indices=False, distances=None, indices=None):
    if return_indices or not return_distances:
        raise NotImplementedError("scipy.ndimage.distance_transform_edt(return_indices=True)")
    a = np.asarray(input) != 0
    scale = np.broadcast_to(1.0 if sampling is None else sampling, (a.ndim,))
    # Along each axis, the squared distance is the least one that a parabola from any place gives.
    far = np.where(a, 1e20, 0.0)
    for axis in range(a.ndim):
        n = a.shape[axis]
        away = ((np.arange(n)[:, None] - np.arange(n)[None]) * float(scale[axis])) ** 2
        rows = np.moveaxis(far, axis, -1)
        far = np.moveaxis((rows[..., None, :] + away).min(-1), -1, axis)
    return np.sqrt(far)


def _extreme(input, size, footprint, structure, mode, cval, largest):
    from scipy import ndimage
    if structure is not None or footprint is not None and not np.all(footprint):
        raise NotImplementedError("scipy.ndimage: structure= and footprints with holes")
    size = np.asarray(footprint).shape if size is None else size
    return (ndimage.maximum_filter if largest else ndimage.minimum_filter)(input, size, mode=mode, cval=cval)


def grey_dilation(input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0):
    return _extreme(input, size, footprint, structure, mode, cval, True)


def grey_erosion(input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0):
    return _extreme(input, size, footprint, structure, mode, cval, False)


def grey_opening(input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0):
    return grey_dilation(grey_erosion(input, size, footprint, structure, None, mode, cval), size, footprint, structure, None, mode, cval)


def grey_closing(input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0):
    return grey_erosion(grey_dilation(input, size, footprint, structure, None, mode, cval), size, footprint, structure, None, mode, cval)


def morphological_gradient(input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0):
    options = (size, footprint, structure, None, mode, cval)
    return grey_dilation(input, *options) - grey_erosion(input, *options)


def white_tophat(input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0):
    return np.asarray(input) - grey_opening(input, size, footprint, structure, None, mode, cval)


def black_tophat(input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0):
    return grey_closing(input, size, footprint, structure, None, mode, cval) - np.asarray(input)


# ---- moved images ----------------------------------------------------------------------------------------------------


def spline_filter1d(input, order=3, axis=-1, output=None, mode="mirror"):
    """The weights of cubic B-splines that go through the values: the signal is mirrored at its ends."""
    a = np.asarray(input, dtype=float)
    if order in (0, 1):
        return a.copy()
    if order != 3 or mode not in ("mirror", "constant", "nearest"):
        raise NotImplementedError(f"scipy.ndimage: splines of order {order} with mode={mode!r}")
    rows = np.moveaxis(a, axis, 0)
    n, pole = rows.shape[0], math.sqrt(3) - 2
    if n < 2:
        return a.copy()
    c = [6.0 * row for row in rows]
    total, factor, last = c[0] + pole ** (n - 1) * c[-1], pole, pole ** (2 * n - 3)
    for i in range(1, n - 1):
        total = total + factor * c[i] + last * c[i]
        factor, last = factor * pole, last / pole
    c[0] = total / (1 - pole ** (2 * n - 2))
    for i in range(1, n):
        c[i] = c[i] + pole * c[i - 1]
    c[-1] = (pole / (pole * pole - 1)) * (pole * c[-2] + c[-1])
    for i in range(n - 2, -1, -1):
        c[i] = pole * (c[i + 1] - c[i])
    return np.moveaxis(np.stack(c), 0, axis)


def spline_filter(input, order=3, output=None, mode="mirror"):
    a = np.asarray(input, dtype=float)
    for axis in range(a.ndim):
        a = spline_filter1d(a, order, axis, None, mode)
    return a


def map_coordinates(input, coordinates, output=None, order=3, mode="constant", cval=0.0, prefilter=True):
    a, places = np.asarray(input), np.asarray(coordinates, dtype=float)
    if order not in (0, 1, 3):
        raise NotImplementedError(f"scipy.ndimage: order={order}; 0, 1 and 3 are here")
    if mode not in ("constant", "nearest", "mirror"):
        raise NotImplementedError(f"scipy.ndimage: mode={mode!r} of a moved image; 'constant', 'nearest' and 'mirror' are here")
    if places.shape[0] != a.ndim:
        raise RuntimeError("invalid shape for coordinate array")
    values, room = a.astype(float), 0
    if mode == "nearest" and order == 3:
        room = 12
        values = np.pad(values, room, mode="edge")
    if order == 3 and prefilter:
        values = spline_filter(values, 3, mode="mirror")
    outside = np.zeros(places.shape[1:], dtype=bool)
    axes = []
    for x, n, wide in zip(places, a.shape, values.shape):
        if mode == "constant":
            outside |= (x < 0) | (x > n - 1)
        elif mode == "nearest":
            x = np.clip(x, 0, n - 1)
        elif n > 1:
            period = 2 * (n - 1)
            x = np.abs(x) % period
            x = np.where(x > n - 1, period - x, x)
        x = x + room
        if order == 0:
            axes.append([(np.floor(x + 0.5).astype(int), np.ones(x.shape))])
            continue
        start = np.floor(x).astype(int) - (1 if order == 3 else 0)
        t = x - np.floor(x)
        if order == 1:
            weights = [1 - t, t]
        else:
            weights = [(1 - t) ** 3 / 6, (4 - 6 * t**2 + 3 * t**3) / 6, (1 + 3 * t + 3 * t**2 - 3 * t**3) / 6, t**3 / 6]
        period = max(2 * (wide - 1), 1)
        turned = []
        for k, weight in enumerate(weights):
            at = np.abs(start + k) % period
            turned.append((np.where(at > wide - 1, period - at, at), weight))
        axes.append(turned)
    made = np.zeros(places.shape[1:])
    limits = values.shape

    def add(axis, at, weight):
        nonlocal made
        if axis == a.ndim:
            made = made + weight * values[tuple(np.clip(p, 0, n - 1) for p, n in zip(at, limits))]
            return
        for place, w in axes[axis]:
            add(axis + 1, [*at, place], weight * w)

    add(0, [], 1.0)
    made = np.where(outside, cval, made)
    if isinstance(output, np.ndarray):
        output[...] = made
        return output
    kind = a.dtype if output is None else np.dtype(output)
    return np.round(made).astype(kind) if kind.kind in "iu" else made.astype(kind)


def affine_transform(input, matrix, offset=0.0, output_shape=None, output=None, order=3, mode="constant", cval=0.0, prefilter=True):
    a, matrix = np.asarray(input), np.asarray(matrix, dtype=float)
    shape = a.shape if output_shape is None else tuple(output_shape)
    if matrix.ndim == 2 and matrix.shape == (a.ndim + 1, a.ndim + 1) or matrix.ndim == 2 and matrix.shape == (a.ndim, a.ndim + 1):
        matrix, offset = matrix[:a.ndim, :a.ndim], matrix[:a.ndim, a.ndim]
    grid = np.indices(shape).reshape(len(shape), -1).astype(float)
    moved = (matrix[:, None] * grid if matrix.ndim == 1 else matrix @ grid) + np.broadcast_to(offset, (a.ndim,))[:, None]
    return map_coordinates(a, moved.reshape((a.ndim,) + shape), output, order, mode, cval, prefilter)


def shift(input, shift, output=None, order=3, mode="constant", cval=0.0, prefilter=True):
    a = np.asarray(input)
    away = np.broadcast_to(np.asarray(shift, dtype=float), (a.ndim,))
    return affine_transform(a, np.ones(a.ndim), -away, None, output, order, mode, cval, prefilter)


def zoom(input, zoom, output=None, order=3, mode="constant", cval=0.0, prefilter=True, *, grid_mode=False):
    if grid_mode:
        raise NotImplementedError("scipy.ndimage.zoom(grid_mode=True)")
    a = np.asarray(input)
    shape = tuple(int(round(n * z)) for n, z in zip(a.shape, np.broadcast_to(zoom, (a.ndim,)).tolist()))
    scale = np.array([(n - 1) / (m - 1) if m > 1 else 1.0 for n, m in zip(a.shape, shape)])
    return affine_transform(a, scale, 0.0, shape, output, order, mode, cval, prefilter)


def rotate(input, angle, axes=(1, 0), reshape=True, output=None, order=3, mode="constant", cval=0.0, prefilter=True):
    a = np.asarray(input)
    if a.ndim < 2:
        raise ValueError("input array should be at least 2D")
    axes = sorted(axis % a.ndim for axis in axes)
    turn = math.radians(angle)
    c, s = (math.cos(turn), math.sin(turn)) if angle % 90 else [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)][int(angle // 90) % 4]
    matrix = np.array([[c, s], [-s, c]])
    size = np.array([a.shape[axis] for axis in axes])
    if reshape:
        corners = matrix @ np.array([[0, 0, size[0], size[0]], [0, size[1], 0, size[1]]], dtype=float)
        plane = ((corners.max(1) - corners.min(1)) + 0.5).astype(int)
    else:
        plane = size
    offset = (size - 1) / 2 - matrix @ ((plane - 1) / 2)
    if a.ndim == 2:
        return affine_transform(a, matrix, offset, tuple(plane.tolist()), output, order, mode, cval, prefilter)
    rows = np.moveaxis(a, axes, (-2, -1))
    flat = rows.reshape((-1,) + rows.shape[-2:])
    made = np.stack([affine_transform(one, matrix, offset, tuple(plane.tolist()), output, order, mode, cval, prefilter) for one in flat])
    return np.moveaxis(made.reshape(rows.shape[:-2] + made.shape[-2:]), (-2, -1), axes)


def geometric_transform(input, mapping, output_shape=None, output=None, order=3, mode="constant", cval=0.0, prefilter=True,
                        extra_arguments=(), extra_keywords=None):
    a = np.asarray(input)
    shape = a.shape if output_shape is None else tuple(output_shape)
    places = np.zeros((a.ndim,) + shape)
    for at in np.ndindex(*shape):
        places[(slice(None), *at)] = mapping(at, *extra_arguments, **(extra_keywords or {}))
    return map_coordinates(a, places, output, order, mode, cval, prefilter)


def binary_hit_or_miss(*args, **options):
    raise NotImplementedError("scipy.ndimage.binary_hit_or_miss")
