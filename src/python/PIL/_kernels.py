"""What Pillow computes on pixels, with its own rounding, on arrays (H, W) or (H, W, C)."""

import math

import numpy as np

# The fixed-point coefficients of 8-bit images have this many binary digits after the point.
_BITS = 22


# Pillow has these two in single precision.
_HAMMING = float(np.float32(0.54)), float(np.float32(0.46))


def _cubic(x):
    x, a = abs(x), -0.5
    if x < 1.0:
        return ((a + 2.0) * x - (a + 3.0)) * x * x + 1
    return (((x - 5) * x + 8) * x - 4) * a if x < 2.0 else 0.0


def _hamming(x):
    x = abs(x)
    if x == 0.0:
        return 1.0
    if x >= 1.0:
        return 0.0
    x *= math.pi
    return math.sin(x) / x * (_HAMMING[0] + _HAMMING[1] * math.cos(x))


def _sinc(x):
    return 1.0 if x == 0.0 else math.sin(x * math.pi) / (x * math.pi)


# Pillow's numbers of the filters: how far each reaches, and its weight at a distance.
FILTERS = {
    1: (3.0, lambda x: _sinc(x) * _sinc(x / 3) if -3.0 <= x < 3.0 else 0.0),
    2: (1.0, lambda x: max(0.0, 1.0 - abs(x))),
    3: (2.0, _cubic),
    4: (0.5, lambda x: 1.0 if -0.5 < x <= 0.5 else 0.0),
    5: (1.0, _hamming),
}


def _weights(in_size, low, high, out_size, number):
    """For each output pixel, the first input pixel that it reads and the weights, as lists of equal length."""
    reach, weight = FILTERS[number]
    scale = _single(high - low) / out_size
    stretch = max(scale, 1.0)
    reach *= stretch
    starts, rows = [], []
    for i in range(out_size):
        center = low + (i + 0.5) * scale
        first = max(int(center - reach + 0.5), 0)
        last = min(int(center + reach + 0.5), in_size)
        row = [weight((x - center + 0.5) * (1.0 / stretch)) for x in range(first, last)]
        total = 0.0
        for w in row:
            total += w
        starts.append(first)
        rows.append([w / total for w in row] if total != 0.0 else row)
    longest = max(len(row) for row in rows)
    return starts, [row + [0.0] * (longest - len(row)) for row in rows]


def _along_rows(a, low, high, size, number):
    """`a` (H, W, C) resampled from `low` to `high` of its first axis to `size` rows."""
    starts, rows = _weights(a.shape[0], low, high, size, number)
    fixed = str(a.dtype) == "uint8"
    if fixed:
        one = float(1 << _BITS)
        rows = [[int(w * one - 0.5) if w < 0 else int(w * one + 0.5) for w in row] for row in rows]
    table = np.array(rows, dtype="int64" if fixed else "float64")
    wide = a.astype("int64" if fixed else "float64")
    starts = np.array(starts)
    total = None
    for k in range(table.shape[1]):
        at = np.minimum(starts + k, a.shape[0] - 1)
        part = wide[at] * table[:, k][:, None, None]
        total = part if total is None else total + part
    if fixed:
        return np.clip((total + (1 << (_BITS - 1))) >> _BITS, 0, 255).astype("uint8")
    return _stored(total, a.dtype)


def _stored(values, dtype):
    """float64 values as Pillow keeps them in 32 bits: whole numbers are rounded, halves away from 0."""
    if str(dtype) == "float32":
        return values.astype("float32")
    rounded = np.where(values >= 0, np.floor(values + 0.5), -np.floor(np.abs(values) + 0.5))
    return np.clip(rounded, 0, 65535).astype(dtype) if str(dtype) == "uint16" else rounded.astype(dtype)


def resample(a, size, number, box):
    """`a` (H, W, C) at `size` (width, height), read from `box`."""
    width, height = size
    across = width != a.shape[1] or box[0] != 0 or box[2] != width
    down = height != a.shape[0] or box[1] != 0 or box[3] != height
    # Rows come first where they shrink much more than columns do. The order matters, because each pass rounds.
    rows_first = across and down and a.shape[0] - height > 2 * max(a.shape[1] - width, 0)
    if down and rows_first:
        a = _along_rows(a, box[1], box[3], height, number)
    if across:
        a = _along_rows(a.transpose((1, 0, 2)), box[0], box[2], width, number).transpose((1, 0, 2))
    if down and not rows_first:
        a = _along_rows(a, box[1], box[3], height, number)
    return a


def _scaled(step, start, count, size):
    """Which of `size` pixels each of `count` reads; -1 for none."""
    at, out = start + step * 0.5, []
    for _ in range(count):
        i = int(at) if at >= 0.0 else -1
        out.append(i if i < size else -1)
        at += step
    return np.array(out, dtype="int64")


def _picked(a, rows, columns, into):
    """`into`, with the pixels of `a` at `rows` and `columns` where neither is outside of `a`."""
    height, width = a.shape[:2]
    inside = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
    rows, columns = np.where(inside, rows, 0), np.where(inside, columns, 0)
    found = a.reshape(height * width, -1)[(rows * width + columns).reshape(-1)].reshape(into.shape)
    return np.where(inside[:, :, None], found, into)


def nearest(a, size, box, into):
    """`into` filled with the nearest pixels of `box` in `a`, both (H, W, C)."""
    width, height = size
    columns = _scaled(_single(box[2] - box[0]) / width, box[0], width, a.shape[1])
    rows = _scaled(_single(box[3] - box[1]) / height, box[1], height, a.shape[0])
    return _picked(a, rows[:, None] + 0 * columns[None, :], columns[None, :] + 0 * rows[:, None], into)


def affine_nearest(a, m, into):
    """`into` filled with `a` read through the six numbers `m`, nearest pixels, in Pillow's 16.16 fixed point."""
    height, width = into.shape[:2]
    if m[1] == 0 and m[3] == 0:
        columns, rows = _scaled(m[0], m[2], width, a.shape[1]), _scaled(m[4], m[5], height, a.shape[0])
        return _picked(a, rows[:, None] + 0 * columns[None, :], columns[None, :] + 0 * rows[:, None], into)
    reached = [abs(x * m[i] + y * m[i + 1] + m[i + 2]) for i in (0, 3) for x, y in ((0, 0), (width, height))]
    if max(reached) >= 32768.0:
        raise NotImplementedError("this transform reaches coordinates beyond 32768, which can't be done here")
    fixed = [math.floor(v * 65536.0 + 0.5) for v in m]
    x0 = math.floor((m[2] + m[0] * 0.5 + m[1] * 0.5) * 65536.0 + 0.5)
    y0 = math.floor((m[5] + m[3] * 0.5 + m[4] * 0.5) * 65536.0 + 0.5)
    x, y = np.arange(width)[None, :], np.arange(height)[:, None]
    return _picked(a, (y0 + x * fixed[3] + y * fixed[4]) >> 16, (x0 + x * fixed[0] + y * fixed[1]) >> 16, into)


def affine_points(m, height, width):
    """Where in the source each output pixel comes from: x and y, float64 (H, W)."""
    x, y = (np.arange(width) + 0.5)[None, :], (np.arange(height) + 0.5)[:, None]
    return m[0] * x + m[1] * y + m[2], m[3] * x + m[4] * y + m[5]


def perspective_points(m, height, width):
    x, y = (np.arange(width) + 0.5)[None, :], (np.arange(height) + 0.5)[:, None]
    below = m[6] * x + m[7] * y + 1
    return (m[0] * x + m[1] * y + m[2]) / below, (m[3] * x + m[4] * y + m[5]) / below


def quad_points(m, height, width):
    x, y = (np.arange(width) + 0.5)[None, :], (np.arange(height) + 0.5)[:, None]
    return m[0] + m[1] * x + m[2] * y + m[3] * x * y, m[4] + m[5] * x + m[6] * y + m[7] * x * y


def sampled(a, x, y, number, into):
    """`into` filled with `a` (H, W, C) at the points (`x`, `y`): nearest (0), bilinear (2) or bicubic (3)."""
    height, width = a.shape[:2]
    inside = (x >= 0.0) & (x < width) & (y >= 0.0) & (y < height)
    if number == 0:
        columns, rows = (np.where(inside, v, -1.0).astype("int64") for v in (x, y))
        return _picked(a, rows, columns, into)
    # Points outside aren't used, so any place inside will do for them.
    x, y = np.where(inside, x - 0.5, 0.0), np.where(inside, y - 0.5, 0.0)
    column, row = np.floor(x), np.floor(y)
    dx, dy = (x - column)[:, :, None], (y - row)[:, :, None]
    column, row = column.astype("int64"), row.astype("int64")
    flat = a.reshape(height * width, -1).astype("float64")

    def at(i, j):
        where = np.clip(row + i, 0, height - 1) * width + np.clip(column + j, 0, width - 1)
        return flat[where.reshape(-1)].reshape(into.shape)

    if number == 2:

        def line(i):
            left = at(i, 0)
            return left + (at(i, 1) - left) * dx

        top = line(0)
        out = top + (np.where((row + 1 < height)[:, :, None], line(1), top) - top) * dy
    else:
        lines = []
        for i in range(-1, 3):
            here = _through(*(at(i, j) for j in range(-1, 3)), dx)
            # A row below the image is the one above it, as it was interpolated.
            used = ((row + i >= 0) & (row + i < height))[:, :, None]
            lines.append(here if i == -1 else np.where(used, here, lines[-1]))
        out = _through(*lines, dy)
    if str(a.dtype) == "uint8":
        # Cut off, not rounded.
        out = np.clip(out, 0.0, 255.0).astype("int64").astype("uint8")
    else:
        out = out.astype(a.dtype)
    return np.where(inside[:, :, None], out, into)


def _through(a, b, c, d, t):
    return b + t * (-a + c + t * (2 * (a - b) + c - d + t * (-a + b - c + d)))


def reduced(a, across, down):
    """`a` (H, W, C) with each block of `across` times `down` pixels averaged; smaller blocks at the end."""
    height, width, channels = a.shape
    fixed = str(a.dtype) == "uint8"
    wide = a.astype("int64" if fixed else "float64")
    out = np.zeros(((height + down - 1) // down, (width + across - 1) // across, channels), dtype=a.dtype)

    def fill(rows, columns, h, w, to):
        part = wide[rows, columns]
        if part.shape[0] == 0 or part.shape[1] == 0:
            return
        total = part.reshape(part.shape[0] // h, h, part.shape[1] // w, w, channels).sum(3).sum(1)
        n = h * w
        if fixed:
            # Divides as Pillow does, by a multiplication in 32 bits.
            total = ((total + n // 2) * (2**32 // (256 * n))) % 2**32 >> 24
            out[to] = total.astype("uint8")
        else:
            out[to] = _stored(total * (1.0 / n), a.dtype)

    h, w = height // down * down, width // across * across
    fill(slice(0, h), slice(0, w), down, across, (slice(0, height // down), slice(0, width // across)))
    if w < width:
        fill(slice(0, h), slice(w, width), down, width - w, (slice(0, height // down), slice(-1, None)))
    if h < height:
        fill(slice(h, height), slice(0, w), height - h, across, (slice(-1, None), slice(0, width // across)))
    if h < height and w < width:
        fill(slice(h, height), slice(w, width), height - h, width - w, (slice(-1, None), slice(-1, None)))
    return out


def _single(x):
    return float(np.float32(x))


def gaussian_radius(radius, passes=3):
    """The radius of the box whose blur, repeated `passes` times, is nearly a Gaussian. In single precision, as Pillow's."""
    f = np.float32
    sigma2 = f(f(f(radius) * f(radius)) / f(passes))
    length = f(math.sqrt(12.0 * float(sigma2) + 1.0))
    whole = f(math.floor((float(length) - 1.0) / 2.0))
    a = f((f(2) * whole + f(1)) * (whole * (whole + f(1)) - f(3) * sigma2))
    a = f(a / (f(6) * (sigma2 - (whole + f(1)) * (whole + f(1)))))
    return float(f(whole + a))


def box_blur(a, across, down, passes):
    """`a` (H, W, C), uint8, blurred `passes` times in each direction."""
    if across:
        a = a.transpose((1, 0, 2))
        for _ in range(passes):
            a = _blurred_rows(a, across)
        a = a.transpose((1, 0, 2))
    if down:
        for _ in range(passes):
            a = _blurred_rows(a, down)
    return a


def _blurred_rows(a, radius):
    radius = _single(radius)
    whole = int(radius)
    full = int(_single((1 << 24) / _single(radius * 2 + 1)))
    edge = ((1 << 24) - (whole * 2 + 1) * full) // 2
    count = a.shape[0]
    # The first and last rows go on beyond the border.
    at = np.clip(np.arange(-whole - 1, count + whole + 1), 0, count - 1)
    wide = a.astype("int64")[at]
    sums = np.concatenate([np.zeros((1,) + tuple(wide.shape[1:]), dtype="int64"), np.cumsum(wide, axis=0)], 0)
    inner = sums[2 * whole + 2 : 2 * whole + 2 + count] - sums[1 : 1 + count]
    outer = wide[:count] + wide[2 * whole + 2 : 2 * whole + 2 + count]
    return ((inner * full + outer * edge + (1 << 23)) >> 24).astype("uint8")


def convolved(a, kernel, size, offset):
    """`a` (H, W), uint8, with each pixel replaced by a weighted sum of its neighbors. The border stays as it is."""
    half = size // 2
    height, width = a.shape
    out = a.copy()
    if height <= 2 * half or width <= 2 * half:
        return out
    wide = a.astype("float32")
    total = np.full((height - 2 * half, width - 2 * half), np.float32(offset + 0.5), dtype="float32")
    # The rows of a kernel go from the bottom to the top.
    for i in range(size):
        y = 2 * half - i
        row = None
        for j in range(size):
            part = wide[y : y + height - 2 * half, j : j + width - 2 * half] * np.float32(kernel[i * size + j])
            row = part if row is None else row + part
        total = total + row
    out[half : height - half, half : width - half] = np.clip(total, 0, 255).astype("int64").astype("uint8")
    return out


def ranked(a, size, rank):
    """`a` (H, W) with each pixel replaced by the one of that `rank` among `size` times `size` around it."""
    half = size // 2
    height, width = a.shape
    rows = np.clip(np.arange(-half, height + half), 0, height - 1)
    columns = np.clip(np.arange(-half, width + half), 0, width - 1)
    wide = a[rows][:, columns]
    around = [wide[i : i + height, j : j + width] for i in range(size) for j in range(size)]
    return np.sort(np.stack(around, -1), axis=-1)[:, :, rank]


def over255(total):
    """Whole numbers divided by 255 and rounded, as Pillow does it."""
    total = total + 128
    return ((total >> 8) + total) >> 8


def dithered(a):
    """`a` (H, W), uint8, as 0 and 255, with each pixel's error handed on to its neighbors (Floyd and Steinberg)."""
    errors = [0] * (a.shape[1] + 1)
    out = []
    for values in a.tolist():
        error = below = ahead = 0
        x = 0
        for value in values:
            given = error + errors[x + 1]
            value += given >> 4 if given >= 0 else -(-given >> 4)
            value = 0 if value < 0 else 255 if value > 255 else value
            if value > 128:
                out.append(255)
                value -= 255
            else:
                out.append(0)
            errors[x] = 3 * value + below
            below = 5 * value + ahead
            ahead = value
            error = 7 * value
            x += 1
        errors[x] = below
    return np.array(out, dtype="uint8").reshape(a.shape)


def rgb_to_hsv(a):
    wide = a.astype("int64")
    r, g, b = (wide[:, :, i].astype("float32") for i in range(3))
    top, bottom = wide.max(-1), wide.min(-1)
    flat = top == bottom
    spread = np.where(flat, 1, top - bottom).astype("float32")
    high = np.where(top == 0, 1, top).astype("float32")
    saturation = spread / high
    rc, gc, bc = ((top.astype("float32") - c) / spread for c in (r, g, b))
    rc, gc, bc = (c.astype("float64") for c in (rc, gc, bc))
    hue = np.where(r == top, bc - gc * 1.0, np.where(g == top, 2.0 + rc - bc, 4.0 + gc - rc)).astype("float32")
    hue = np.fmod(hue.astype("float64") / 6.0 + 1.0, 1.0).astype("float32").astype("float64")
    h = np.clip((hue * 255.0).astype("int64"), 0, 255)
    s = np.clip((saturation.astype("float64") * 255.0).astype("int64"), 0, 255)
    return np.stack([np.where(flat, 0, h), np.where(flat, 0, s), top], -1).astype("uint8")


def hsv_to_rgb(a):
    h, s, v = (a[:, :, i].astype("float64") for i in range(3))
    turned = (h * 6.0 / 255.0).astype("float32").astype("float64")
    share = (s / 255.0).astype("float32").astype("float64")
    sector = np.floor(turned)
    f = (turned - sector).astype("float32").astype("float64")
    p, q, t = (np.clip(np.floor(v * x + 0.5), 0, 255) for x in (1.0 - share, 1.0 - share * f, 1.0 - share * (1.0 - f)))
    sector = sector.astype("int64") % 6
    channels = []
    for choices in ((v, q, p, p, t, v), (t, v, v, q, p, p), (p, p, t, v, v, q)):
        out = choices[5]
        for i in range(5):
            out = np.where(sector == i, choices[i], out)
        channels.append(np.where(s == 0, v, out))
    return np.stack(channels, -1).astype("uint8")
