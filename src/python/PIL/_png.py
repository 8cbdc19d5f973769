"""PNG files that aren't interlaced. `PIL` and `torchvision` both read and write them here."""

import struct
import zlib

import numpy as np

MAGIC = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}


class File:
    """What is in a PNG file: `samples` is an array (H, W) or (H, W, C), uint8, or uint16 where `depth` is 16.

    `palette` and `transparency` are the bytes of these parts or None, `info` what the file says about itself."""

    def __init__(self, data):
        if data[:8] != MAGIC:
            raise RuntimeError("this isn't a PNG file, and no other kind of image can be read here")
        self.palette = self.transparency = None
        self.info = {}
        header, parts, at = None, [], 8
        while at + 8 <= len(data):
            (length,) = struct.unpack(">I", data[at : at + 4])
            name, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
            at += 12 + length
            if name == b"IHDR":
                header = struct.unpack(">IIBBBBB", body)
            elif name == b"PLTE":
                self.palette = body
            elif name == b"tRNS":
                self.transparency = body
            elif name == b"IDAT":
                parts.append(body)
            elif name == b"tEXt":
                key, _, text = body.partition(b"\0")
                self.info[key.decode("latin-1")] = text.decode("latin-1")
            elif name == b"eXIf":
                self.info["exif"] = body
            elif name == b"gAMA":
                self.info["gamma"] = struct.unpack(">I", body)[0] / 100000.0
            elif name == b"pHYs":
                across, down, unit = struct.unpack(">IIB", body)
                self.info["dpi" if unit == 1 else "aspect"] = (across * 0.0254, down * 0.0254) if unit == 1 else (across, down)
        if header is None or not parts:
            raise RuntimeError("this PNG file is damaged: a part of it is missing")
        width, height, self.depth, self.color, _, _, interlaced = header
        if interlaced:
            raise NotImplementedError("interlaced PNG files can't be read here")
        channels = _CHANNELS[self.color]
        stride = (width * channels * self.depth + 7) // 8
        try:
            raw = zlib.decompress(b"".join(parts))
        except zlib.error as why:
            raise RuntimeError(f"this PNG file is damaged: {why}") from None
        if len(raw) < height * (stride + 1):
            raise RuntimeError("this PNG file is damaged: rows are missing")
        rows = _unfiltered(raw, height, stride, max(1, channels * self.depth // 8))
        flat = np.frombuffer(bytes(rows), dtype="uint8").reshape(height, stride)
        if self.depth == 16:
            pairs = flat.reshape(height, width * channels, 2).astype("int64")
            flat = (pairs[:, :, 0] * 256 + pairs[:, :, 1]).astype("uint16")
        elif self.depth < 8:
            shifts = np.arange(8 - self.depth, -1, -self.depth)
            flat = (flat.astype("int64")[:, :, None] >> shifts) & (2**self.depth - 1)
            flat = flat.reshape(height, stride * (8 // self.depth))[:, :width].astype("uint8")
        self.samples = flat.reshape((height, width) if channels == 1 else (height, width, channels))


def encode(pixels, depth=8, palette=None, level=-1):
    """The file of an array (H, W), or (H, W, 2, 3 or 4): uint8, or uint16 for a `depth` of 16.

    For a depth of 1, any pixel but 0 is a 1. `palette`: the bytes of a palette for indexes (H, W)."""
    height, width = pixels.shape[:2]
    color = 3 if palette is not None else 0 if pixels.ndim == 2 else {1: 0, 2: 4, 3: 2, 4: 6}[pixels.shape[2]]
    if depth == 1:
        raw = packed_bits(pixels)
    elif depth == 16:
        wide = pixels.astype("int64")
        raw = np.stack([wide >> 8, wide & 255], -1).astype("uint8").tobytes()
    else:
        raw = np.ascontiguousarray(pixels).tobytes()
    stride = len(raw) // max(height, 1)
    # Each row begins with the number of its filter; 0 is none.
    rows = b"".join(b"\0" + raw[y * stride : (y + 1) * stride] for y in range(height))

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, 0)
    table = chunk(b"PLTE", bytes(palette)) if palette is not None else b""
    data = chunk(b"IDAT", zlib.compress(rows, level))
    return MAGIC + chunk(b"IHDR", header) + table + data + chunk(b"IEND", b"")


def packed_bits(pixels):
    """The bytes of an array (H, W) with one bit for each pixel; every row begins with a new byte."""
    height, width = pixels.shape
    padded = np.zeros((height, (width + 7) // 8 * 8), dtype="int64")
    padded[:, :width] = pixels != 0
    weights = np.array([128, 64, 32, 16, 8, 4, 2, 1])
    return (padded.reshape(height, -1, 8) * weights).sum(-1).astype("uint8").tobytes()


def write(file, pixels):
    """Writes a PNG to a path or an open binary file."""
    if hasattr(file, "write"):
        file.write(encode(pixels))
        return
    if not str(file).lower().endswith(".png"):
        raise ValueError(f"only PNG files can be written here, so the name must end in .png: {file}")
    with open(file, "wb") as f:
        f.write(encode(pixels))


def decode(data):
    """The uint8 array of a PNG's bytes: (H, W) for gray, else (H, W, C)."""
    file = File(data)
    if file.depth != 8:
        raise RuntimeError("only PNG files with 8 bits a channel can be read as a tensor here")
    if file.color != 3:
        return file.samples
    if file.transparency is not None:
        raise RuntimeError("PNG files with a transparent palette can't be read as a tensor here")
    return np.frombuffer(file.palette, dtype="uint8").reshape(-1, 3)[file.samples.astype("int64")]


def _unfiltered(raw, height, stride, step):
    """The rows without their filters. A row is predicted from the byte `step` to the left and the row above."""
    out = bytearray()
    above = bytes(stride)
    for y in range(height):
        start = y * (stride + 1)
        kind, row = raw[start], bytearray(raw[start + 1 : start + 1 + stride])
        if kind == 1:
            for i in range(step, stride):
                row[i] = (row[i] + row[i - step]) & 255
        elif kind == 2:
            row = bytearray((a + b) & 255 for a, b in zip(row, above))
        elif kind == 3:
            for i in range(stride):
                left = row[i - step] if i >= step else 0
                row[i] = (row[i] + (left + above[i]) // 2) & 255
        elif kind == 4:
            for i in range(stride):
                left, corner = (row[i - step], above[i - step]) if i >= step else (0, 0)
                row[i] = (row[i] + _paeth(left, above[i], corner)) & 255
        elif kind != 0:
            raise RuntimeError(f"this PNG file is damaged: row {y} has the unknown filter {kind}")
        out += row
        above = row
    return out


def _paeth(left, up, corner):
    guess = left + up - corner
    distances = abs(guess - left), abs(guess - up), abs(guess - corner)
    return (left, up, corner)[distances.index(min(distances))]
