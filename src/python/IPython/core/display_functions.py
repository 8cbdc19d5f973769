"""`display` and its relatives, which print outside a notebook."""

import importlib.util
import os
import sys


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
    """Prints the objects, as outside every notebook. Only a notebook returns a handle for `display_id`."""
    print(*objs)


def update_display(obj, *, display_id, **kwargs):
    """Prints the new object below the old one, because printed text can't be replaced."""
    display(obj, display_id=display_id, update=True, **kwargs)


def clear_output(wait=False):
    """Clears the line that is being printed. What ended with a new line stays, as in a terminal."""
    # The page knows carriage returns, but not the code that erases a line. Only hosted programs have `_files`.
    code = "\033[2K\r" if importlib.util.find_spec("_files") is None else "\r"
    print(code, end="", flush=True)
    print(code, end="")
    sys.stderr.flush()


def publish_display_data(data, metadata=None, *, transient=None, **kwargs):
    """Prints the plain text of `data`, a dictionary by MIME type, if it has one."""
    if isinstance(data, dict) and "text/plain" in data:
        print(data["text/plain"])
