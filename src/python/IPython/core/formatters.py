"""A value in every form in which a notebook can show it."""

import base64
import json

from ..lib.pretty import pretty

# What a value's class may define, and the form that it returns.
_METHODS = {
    "_repr_html_": "text/html",
    "_repr_markdown_": "text/markdown",
    "_repr_svg_": "image/svg+xml",
    "_repr_png_": "image/png",
    "_repr_jpeg_": "image/jpeg",
    "_repr_latex_": "text/latex",
    "_repr_json_": "application/json",
    "_repr_javascript_": "application/javascript",
}

# `%precision`: how floats are shown.
float_format = None


def format_display_data(obj, include=None, exclude=None):
    """The forms of a value by their MIME types, and what is known about each."""
    data, metadata = {}, {}

    def add(kind, value):
        if value is None:
            return
        if isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], dict):
            value, about = value
            if about:
                metadata[kind] = about
        if isinstance(value, bytes):
            value = base64.b64encode(value).decode("ascii")
        data[kind] = value

    bundle = _call(obj, "_repr_mimebundle_", include=include, exclude=exclude)
    if isinstance(bundle, tuple):
        bundle, about = bundle
        metadata.update(about)
    for kind, value in (bundle or {}).items():
        add(kind, value)
    for method, kind in _METHODS.items():
        if kind not in data:
            add(kind, _call(obj, method))
    if "text/plain" not in data:
        plain = float_format(obj) if float_format is not None and isinstance(obj, float) else pretty(obj)
        data = {"text/plain": plain, **data}
    wanted = {k: v for k, v in data.items() if (not include or k in include) and k not in (exclude or ())}
    return wanted, {k: v for k, v in metadata.items() if k in wanted or k not in data}


def _call(obj, method, **arguments):
    """What a method of the value returns. A class isn't one of its own values, and an error only costs this form."""
    if isinstance(obj, type):
        return None
    # A class that answers to every name, such as a mock, doesn't define this one.
    found = getattr(obj, method, None)
    if not callable(found) or getattr(obj, "_ipython_canary_method_should_not_exist_", None) is not None:
        return None
    try:
        return found(**arguments)
    except NotImplementedError:
        return None
    except Exception:
        import traceback

        traceback.print_exc()
        return None


def plain(data):
    """JSON can hold it: keys and values of other classes become strings."""
    return json.dumps(data, default=str)
