"""Images that were read from PNG files."""

import numpy as np

from PIL import Image


class PngImageFile(Image.Image):
    format = "PNG"
    format_description = "Portable network graphics"

    def __init__(self, file, name):
        """`file`: a `_png.File`."""
        super().__init__()
        self.filename = name
        self.info = dict(file.info)
        pixels = file.samples
        if file.color == 3:
            self._mode = "P"
            self._palette = list(file.palette)
        elif file.depth == 16:
            self._mode = {0: "I;16", 2: "RGB", 4: "LA", 6: "RGBA"}[file.color]
            if file.color != 0:
                # Only gray keeps its 16 bits.
                pixels = (pixels.astype("int64") >> 8).astype("uint8")
        elif file.color == 0 and file.depth < 8:
            self._mode = "1" if file.depth == 1 else "L"
            pixels = (pixels.astype("int64") * (255 // (2**file.depth - 1))).astype("uint8")
        else:
            self._mode = {0: "L", 2: "RGB", 4: "LA", 6: "RGBA"}[file.color]
        self._a = np.array(pixels)
        if file.transparency is not None:
            self.info["transparency"] = self._hidden(file)

    @property
    def text(self):
        """What the file says about itself."""
        return {key: value for key, value in self.info.items() if isinstance(value, str)}

    @staticmethod
    def _hidden(file):
        """The transparent color, or for a palette its alpha values (the one index that is 0, if the others are 255)."""
        raw = file.transparency
        if file.color != 3:
            values = tuple(raw[i] * 256 + raw[i + 1] for i in range(0, len(raw), 2))
            return values[0] if file.color == 0 else values
        if raw.count(b"\0") == 1 and raw.count(b"\xff") == len(raw) - 1:
            return raw.index(b"\0")
        return raw
