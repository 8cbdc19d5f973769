"""Statistics of the bands of an image."""

import math

from PIL import Image


class Stat:
    """Of an image (the part that `mask` lets through), or of a histogram. Each result is a list with one entry for each band."""

    def __init__(self, image_or_list, mask=None):
        if isinstance(image_or_list, Image.Image):
            self.h = image_or_list.histogram(mask)
        elif isinstance(image_or_list, list):
            self.h = image_or_list
        else:
            raise TypeError("first argument must be image or list")
        self.bands = list(range(len(self.h) // 256))
        counts = [self.h[i * 256 : i * 256 + 256] for i in self.bands]
        self.count = [sum(c) for c in counts]
        self.sum = [sum(v * n for v, n in enumerate(c)) for c in counts]
        self.sum2 = [sum(v * v * n for v, n in enumerate(c)) for c in counts]
        there = [[v for v in range(256) if c[v]] for c in counts]
        self.extrema = [(t[0], t[-1]) if t else (255, 0) for t in there]
        self.mean = [s / n if n else 0 for s, n in zip(self.sum, self.count)]
        self.median = [self._middle(c, n) for c, n in zip(counts, self.count)]
        self.rms = [math.sqrt(s / n) if n else 0 for s, n in zip(self.sum2, self.count)]
        self.var = [(q - s**2 / n) / n if n else 0 for q, s, n in zip(self.sum2, self.sum, self.count)]
        self.stddev = [math.sqrt(v) for v in self.var]

    @staticmethod
    def _middle(counts, total):
        seen = 0
        for value in range(256):
            seen += counts[value]
            if seen > total // 2:
                break
        return value
