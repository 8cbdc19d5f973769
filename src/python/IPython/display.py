"""What programs show: `display`, `HTML`, `Markdown`, `Image` and others, as IPython prints them outside a notebook."""

from .core.display import (
    HTML,
    JSON,
    SVG,
    DisplayObject,
    Image,
    Javascript,
    Latex,
    Markdown,
    Math,
    Pretty,
    ProgressBar,
    TextDisplayObject,
    display_html,
    display_javascript,
    display_jpeg,
    display_json,
    display_latex,
    display_markdown,
    display_pdf,
    display_png,
    display_pretty,
    display_svg,
    set_matplotlib_close,
    set_matplotlib_formats,
)
from .core.display_functions import DisplayHandle, clear_output, display, publish_display_data, update_display
from .lib.display import Code, IFrame, YouTubeVideo


def _missing(name):
    class Missing:
        def __init__(self, *args, **kwargs):
            raise NotImplementedError(f"IPython.display.{name} isn't here: programs print, and there is no notebook to show it")

    Missing.__name__ = Missing.__qualname__ = name
    return Missing


Audio, Video, VimeoVideo, ScribdDocument = map(_missing, ("Audio", "Video", "VimeoVideo", "ScribdDocument"))
FileLink, FileLinks, GeoJSON = map(_missing, ("FileLink", "FileLinks", "GeoJSON"))
