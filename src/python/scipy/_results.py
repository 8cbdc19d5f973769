"""What statistics return: tuples with names."""


class Result(tuple):
    """Values by name. `_hidden` values aren't in the tuple, but can be read and are printed."""

    _names = _hidden = ()

    def __new__(cls, *values):
        made = super().__new__(cls, values[:len(cls._names)])
        made.__dict__.update(zip(cls._names + cls._hidden, values))
        return made

    def __repr__(self):
        shown = ", ".join(f"{name}={self.__dict__[name]!r}" for name in self._names + self._hidden)
        return f"{type(self).__name__}({shown})"


def result(name, names, hidden=""):
    return type(name, (Result,), {"_names": tuple(names.split()), "_hidden": tuple(hidden.split())})
