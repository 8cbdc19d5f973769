"""Fonts aren't here: each function says so."""


def _refuse(*args, **kwargs):
    raise NotImplementedError("there are no fonts here, so text can't be drawn into images; matplotlib's text is for figures")


truetype = load = load_default = load_path = _refuse
