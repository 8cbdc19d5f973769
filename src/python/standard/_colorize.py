"""No colors. Python's own version imports `dataclasses` and `inspect`, which would make the first traceback slow."""


class _Plain:
    """A theme in which every color is the empty string."""

    def __getattr__(self, name):
        return ""

    def __getitem__(self, name):
        return ""


class _Theme:
    """The themes of `argparse`, `traceback`, …: all without colors."""

    def __getattr__(self, name):
        return _Plain()


COLORIZE = False
ANSIColors = _Plain()


def can_colorize(*, file=None):
    return False


def decolor(text):
    return text


def get_colors(colorize=False, *, file=None):
    return _Plain()


def get_theme(*, tty_file=None, force_color=False, force_no_color=False):
    return _Theme()
