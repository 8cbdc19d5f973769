"""The part of Pillow that courses use beside torch: images, their pixels, and PNG files."""

__version__ = "13.0.0"


class UnidentifiedImageError(OSError):
    """Raised by `Image.open` when a file isn't an image of a format that it knows."""
