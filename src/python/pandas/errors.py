"""Errors and warnings of pandas."""


class EmptyDataError(ValueError):
    """There is nothing to read."""


class ParserError(ValueError):
    """A file isn't the table that it should be."""


class MergeError(ValueError):
    """Tables can't be merged as asked."""


class IntCastingNaNError(ValueError):
    """A missing value has no integer."""


class InvalidIndexError(Exception):
    """This can't be a label of an index."""


class UnsortedIndexError(KeyError):
    """A slice of labels needs labels in order."""


class UndefinedVariableError(NameError):
    """A name in an expression is neither a column nor a variable."""


class DtypeWarning(Warning):
    """A column holds values of several kinds."""


class PerformanceWarning(Warning):
    """This is slow."""


class SettingWithCopyWarning(Warning):
    """Kept for programs that silence it: pandas 3 never gives it."""


class ChainedAssignmentError(Warning):
    """A value was assigned to a copy."""


class PandasChangeWarning(Warning):
    """A later pandas does something else."""


class PandasDeprecationWarning(PandasChangeWarning, DeprecationWarning):
    pass


class Pandas4Warning(PandasDeprecationWarning):
    """What pandas 4 no longer has."""


def warn_program(text, category=UserWarning):
    """Warns at the line that called pandas."""
    import sys
    import warnings

    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "pandas":
        frame, level = frame.f_back, level + 1
    warnings.warn(text, category, stacklevel=level)


def warn_later(text):
    """Warns that pandas 4 will answer otherwise."""
    warn_program(text, Pandas4Warning)
