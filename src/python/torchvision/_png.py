"""PNG files: 8 bits a channel, not interlaced."""

import struct
import zlib

import numpy as np

_MAGIC = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}


def encode(pixels):
    """The file of a uint8 array (H, W), (H, W, 3) or (H, W, 4)."""
    height, width = pixels.shape[:2]
    color = 0 if pixels.ndim == 2 else {1: 0, 2: 4, 3: 2, 4: 6}[pixels.shape[2]]
    raw = pixels.tobytes()
    stride = len(raw) // height
    # Each row begins with the number of its filter; 0 is none.
    rows = b"".join(b"\0" + raw[y * stride : (y + 1) * stride] for y in range(height))

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, 8, color, 0, 0, 0)
    return _MAGIC + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


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
    if data[:8] != _MAGIC:
        raise RuntimeError("this isn't a PNG file, and without PIL no other kind of image can be read here")
    at, parts, palette, alpha = 8, [], None, None
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        name, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        at += 12 + length
        if name == b"IHDR":
            width, height, depth, color, _, _, interlaced = struct.unpack(">IIBBBBB", body)
        elif name == b"PLTE":
            palette = body
        elif name == b"tRNS":
            alpha = body
        elif name == b"IDAT":
            parts.append(body)
    if depth != 8 or interlaced:
        raise RuntimeError("only PNG files with 8 bits a channel and without interlacing can be read here")
    channels = _CHANNELS[color]
    raw = zlib.decompress(b"".join(parts))
    out = np.frombuffer(bytes(_unfiltered(raw, height, width * channels, channels)), dtype="uint8")
    if color == 3:
        if alpha is not None:
            raise RuntimeError("PNG files with a transparent palette can't be read here")
        table = np.frombuffer(palette, dtype="uint8").reshape(-1, 3)
        return table[out.astype("int64")].reshape(height, width, 3)
    return out.reshape((height, width) if channels == 1 else (height, width, channels))


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
