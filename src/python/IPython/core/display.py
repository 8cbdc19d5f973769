"""Data with the kind that a notebook would show it as. Outside a notebook, most of it prints as the name of its class."""

import base64
import json
import os
import warnings

from .display_functions import clear_output, display, publish_display_data, update_display


def _only(kind):
    def show(*objs, **kwargs):
        """Prints the objects: outside a notebook there is only one way to show them."""
        kwargs.pop("raw", None)
        kwargs.pop("metadata", None)
        display(*objs, **kwargs)

    show.__name__ = show.__qualname__ = f"display_{kind}"
    return show


display_html = _only("html")
display_javascript = _only("javascript")
display_jpeg = _only("jpeg")
display_json = _only("json")
display_latex = _only("latex")
display_markdown = _only("markdown")
display_pdf = _only("pdf")
display_png = _only("png")
display_pretty = _only("pretty")
display_svg = _only("svg")


class DisplayObject:
    """Data from an argument or a file. An address would need a network, so its content is never loaded."""

    _read_flags = "r"
    _show_mem_addr = False
    metadata = None

    def __init__(self, data=None, url=None, filename=None, metadata=None):
        if isinstance(data, (str, os.PathLike)):
            path = os.fspath(data)
            if path.startswith("http"):
                data, url = None, path
            elif self._is_file(path):
                data, filename = None, path
        self.data = data
        self.url = url
        self.filename = filename
        if metadata is not None:
            self.metadata = metadata
        elif self.metadata is None:
            self.metadata = {}
        self.reload()
        self._check_data()

    @staticmethod
    def _is_file(path):
        try:
            return os.path.exists(path)
        except (OSError, ValueError):
            return False

    def __repr__(self):
        if self._show_mem_addr:
            return super().__repr__()
        return f"<{type(self).__module__}.{type(self).__name__} object>"

    def _check_data(self):
        pass

    def _data_and_metadata(self):
        return (self.data, self.metadata) if self.metadata else self.data

    def reload(self):
        """Reads the file again."""
        if self.filename is not None:
            encoding = None if "b" in self._read_flags else "utf-8"
            with open(self.filename, self._read_flags, encoding=encoding) as f:
                self.data = f.read()
        elif self.url is not None:
            raise OSError(f"{self.url} can't be loaded: there is no network here")


class TextDisplayObject(DisplayObject):
    """Data that has to be a string."""

    def _check_data(self):
        if self.data is not None and not isinstance(self.data, str):
            raise TypeError(f"{type(self).__name__} expects text, not {self.data!r}")


class Pretty(TextDisplayObject):
    def _repr_pretty_(self, pp, cycle):
        return pp.text(self.data)


class HTML(TextDisplayObject):
    def __init__(self, data=None, url=None, filename=None, metadata=None):
        start, end = (data[:10].lower(), data[-10:].lower()) if data is not None else ("", "")
        if isinstance(data, str) and start.startswith("<iframe ") and end.endswith("</iframe>"):
            warnings.warn("Consider using IPython.display.IFrame instead", stacklevel=2)
        super().__init__(data=data, url=url, filename=filename, metadata=metadata)

    def _repr_html_(self):
        return self._data_and_metadata()

    def __html__(self):
        return self._repr_html_()


class Markdown(TextDisplayObject):
    def _repr_markdown_(self):
        return self._data_and_metadata()


class Math(TextDisplayObject):
    def _repr_latex_(self):
        formula = r"$\displaystyle {}$".format(self.data.strip("$"))
        return (formula, self.metadata) if self.metadata else formula


class Latex(TextDisplayObject):
    def _repr_latex_(self):
        return self._data_and_metadata()


class SVG(DisplayObject):
    """A drawing. The text is kept as it is given."""

    def _repr_svg_(self):
        return self._data_and_metadata()


class JSON(DisplayObject):
    """A dictionary, a list, or a string in JSON."""

    def __init__(self, data=None, url=None, filename=None, expanded=False, metadata=None, root="root", **kwargs):
        self.metadata = {"expanded": expanded, "root": root} | (metadata or {}) | kwargs
        super().__init__(data=data, url=url, filename=filename)

    def _check_data(self):
        if self.data is not None and not isinstance(self.data, (dict, list)):
            raise TypeError(f"{type(self).__name__} expects JSONable dict or list, not {self.data!r}")

    @property
    def data(self):
        return self._data

    @data.setter
    def data(self, data):
        if isinstance(data, os.PathLike):
            data = os.fspath(data)
        if isinstance(data, str):
            if self.filename is None and self.url is None:
                warnings.warn("JSON expects JSONable dict or list, not JSON strings", stacklevel=2)
            data = json.loads(data)
        self._data = data

    filename = url = None

    def _repr_json_(self):
        return self._data_and_metadata()


class Javascript(TextDisplayObject):
    """A program for a notebook's page. Nothing runs it here."""

    def __init__(self, data=None, url=None, filename=None, lib=None, css=None):
        for name, value in (("lib", lib), ("css", css)):
            if value is not None and not isinstance(value, (str, list)):
                raise TypeError(f"expected sequence, got: {value!r}")
        self.lib = [lib] if isinstance(lib, str) else lib or []
        self.css = [css] if isinstance(css, str) else css or []
        super().__init__(data=data, url=url, filename=filename)


class Image(DisplayObject):
    """A picture from bytes or a file; one from an address keeps only the address."""

    _read_flags = "rb"
    _KINDS = {"jpg": "jpeg", "jpeg": "jpeg", "png": "png", "gif": "gif", "webp": "webp"}

    def __init__(
        self,
        data=None,
        url=None,
        filename=None,
        format=None,
        embed=None,
        width=None,
        height=None,
        retina=False,
        unconfined=False,
        metadata=None,
        alt=None,
    ):
        if isinstance(data, os.PathLike):
            data = os.fspath(data)
        name = filename or url or (data if isinstance(data, str) else None)
        if name is None and data is None:
            raise ValueError("No image data found. Expecting filename, url, or data.")
        if format is None and name is not None:
            ending = str(name).rsplit(".", 1)[-1].lower() if "." in str(name) else ""
            format = self._KINDS.get(ending, ending or None)
        elif format is None and isinstance(data, bytes) and data[:2] == b"\xff\xd8":
            format = "jpeg"
        self.format = "png" if format is None else self._KINDS.get(format.lower(), format.lower())
        self.embed = embed if embed is not None else url is None and not str(name or "").startswith("http")
        if self.embed and self.format not in self._KINDS.values():
            raise ValueError(f"Cannot embed the '{self.format}' image format")
        self.width = width
        self.height = height
        self.retina = retina
        self.unconfined = unconfined
        self.alt = alt
        super().__init__(data=data, url=url, filename=filename, metadata=metadata or {})

    def reload(self):
        if self.embed:
            super().reload()

    def _repr_html_(self):
        if self.embed:
            return None
        size = "".join(f' {name}="{value}"' for name, value in (("width", self.width), ("height", self.height)) if value)
        alt = f' alt="{self.alt}"' if self.alt else ""
        return f'<img src="{self.url}"{size}{alt}/>'

    def _encoded(self, *formats):
        return base64.b64encode(self.data).decode("ascii") if self.embed and self.format in formats else None

    def _repr_png_(self):
        return self._encoded("png")

    def _repr_jpeg_(self):
        return self._encoded("jpeg")


class ProgressBar:
    """A bar of 60 characters, which prints again whenever `progress` changes."""

    def __init__(self, total):
        self.total = total
        self._progress = 0
        self.text_width = 60

    def __repr__(self):
        done = self.progress / self.total
        bar = "=" * int(done * self.text_width)
        return f"[{bar.ljust(self.text_width)}] {self.progress}/{self.total}"

    def display(self):
        display(self)

    def update(self):
        display(self)

    @property
    def progress(self):
        return self._progress

    @progress.setter
    def progress(self, value):
        self._progress = value
        self.update()

    def __iter__(self):
        self.display()
        self._progress = -1
        return self

    def __next__(self):
        self.progress += 1
        if self.progress < self.total:
            return self.progress
        raise StopIteration


def set_matplotlib_formats(*formats, **kwargs):
    """Warns as IPython does. Figures are drawn by the page, so there is no format to choose."""
    warnings.warn(
        "`set_matplotlib_formats` is deprecated since IPython 7.23, directly use "
        "`matplotlib_inline.backend_inline.set_matplotlib_formats()`",
        DeprecationWarning,
        stacklevel=2,
    )


def set_matplotlib_close(close=True):
    """Warns as IPython does. There are no cells at whose end a figure could be closed."""
    warnings.warn(
        "`set_matplotlib_close` is deprecated since IPython 7.23, directly use "
        "`matplotlib_inline.backend_inline.set_matplotlib_close()`",
        DeprecationWarning,
        stacklevel=2,
    )
