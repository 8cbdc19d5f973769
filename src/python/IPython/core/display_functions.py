"""`display` and its relatives. Outside a notebook they print."""

import importlib.util
import os
import sys

from . import getipython


class DisplayHandle:
    """What `display` returns in a notebook. Made by hand, it prints too."""

    def __init__(self, display_id=None):
        self.display_id = os.urandom(16).hex() if display_id is None else display_id

    def __repr__(self):
        return f"<{type(self).__name__} display_id={self.display_id}>"

    def display(self, obj, **kwargs):
        display(obj, display_id=self.display_id, **kwargs)

    def update(self, obj, **kwargs):
        update_display(obj, display_id=self.display_id, **kwargs)


def display(
    *objs, include=None, exclude=None, metadata=None, transient=None, display_id=None, raw=False, clear=False, **kwargs
):
    """Shows the objects below the cell; in a program that isn't a notebook, prints them.

    Only a notebook returns a handle for `display_id`.
    """
    if getipython.shell is None:
        print(*objs)
        return None
    from .formatters import format_display_data

    update = kwargs.pop("update", False)
    if display_id is True:
        display_id = os.urandom(16).hex()
    if clear:
        clear_output(wait=True)
    for obj in objs:
        if not raw and callable(getattr(type(obj), "_ipython_display_", None)):
            obj._ipython_display_()
            continue
        data, about = (obj, {}) if raw else format_display_data(obj, include, exclude)
        _send(data, {**about, **(metadata or {})}, display_id, update)
    return DisplayHandle(display_id) if display_id is not None and not update else None


def _send(data, metadata, display_id, update=False):
    from .interactiveshell import send

    output = {"output_type": "update_display_data" if update else "display_data", "data": data, "metadata": metadata}
    if display_id is not None:
        output["display_id"] = display_id
    send(output)


def update_display(obj, *, display_id, **kwargs):
    """Replaces what was shown with this id. Printed text can't be replaced, so a program prints the new object below."""
    display(obj, display_id=display_id, update=True, **kwargs)


def clear_output(wait=False):
    """Clears what the cell has shown. In a terminal, this is the line that is being printed."""
    if getipython.shell is not None:
        from .interactiveshell import send

        return send({"output_type": "clear_output", "wait": bool(wait)})
    # The page knows carriage returns, but not the code that erases a line. Only hosted programs have `_files`.
    code = "\033[2K\r" if importlib.util.find_spec("_files") is None else "\r"
    print(code, end="", flush=True)
    print(code, end="")
    sys.stderr.flush()


def publish_display_data(data, metadata=None, *, transient=None, **kwargs):
    """Shows data by its MIME types. In a program that isn't a notebook, prints its plain text if it has one."""
    if getipython.shell is not None:
        _send(data, metadata or {}, (transient or {}).get("display_id"), kwargs.get("update", False))
    elif isinstance(data, dict) and "text/plain" in data:
        print(data["text/plain"])
