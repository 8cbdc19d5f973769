"""One side of a pattern."""

import keyword
import warnings

from . import EinopsError

_ellipsis = "…"


class AnonymousAxis:
    """An axis that a pattern names by its length."""

    def __init__(self, value):
        self.value = int(value)
        if self.value < 1:
            raise EinopsError(f"Anonymous axis should have positive length, not {self.value}")

    def __repr__(self):
        return f"{self.value}-axis"


class ParsedExpression:
    """`composition` has a list of names for each axis, or the ellipsis. An axis of length 1 has no names."""

    def __init__(self, expression, *, allow_underscore=False, allow_duplicates=False):
        self.has_ellipsis = "." in expression
        self.has_ellipsis_parenthesized = None
        self.identifiers = set()
        self.has_non_unitary_anonymous_axes = False
        self.composition = []
        self._allowed = allow_underscore, allow_duplicates
        if self.has_ellipsis:
            if "..." not in expression:
                raise EinopsError("Expression may contain dots only inside ellipsis (...)")
            if expression.count("...") != 1 or expression.count(".") != 3:
                raise EinopsError("Expression may contain dots only inside ellipsis (...); only one ellipsis for tensor ")
            expression = expression.replace("...", _ellipsis)
        group, name = None, ""
        for char in expression + " ":
            if char.isalnum() or char in ("_", _ellipsis):
                name += char
                continue
            if char not in "() ":
                raise EinopsError(f"Unknown character '{char}'")
            if name:
                self._add(name, group)
                name = ""
            if char == "(":
                if group is not None:
                    raise EinopsError("Axis composition is one-level (brackets inside brackets not allowed)")
                group = []
            elif char == ")":
                if group is None:
                    raise EinopsError("Brackets are not balanced")
                self.composition.append(group)
                group = None
        if group is not None:
            raise EinopsError(f'Imbalanced parentheses in expression: "{expression}"')

    def _add(self, name, group):
        underscore, duplicates = self._allowed
        if name in self.identifiers and not (underscore and name == "_") and not duplicates:
            raise EinopsError(f'Indexing expression contains duplicate dimension "{name}"')
        if name == _ellipsis:
            self.has_ellipsis_parenthesized = group is not None
            axis = [] if group is None else group
            self.identifiers.add(name)
            if group is None:
                self.composition.append(name)
            else:
                axis.append(name)
            return
        if name.isdecimal():
            if int(name) == 1:
                if group is None:
                    self.composition.append([])
                return
            name = AnonymousAxis(name)
            self.has_non_unitary_anonymous_axes = True
        else:
            valid, reason = self.check_axis_name_return_reason(name, allow_underscore=underscore)
            if not valid:
                raise EinopsError(f"Invalid axis identifier: {name}\n{reason}")
        self.identifiers.add(name)
        if group is None:
            self.composition.append([name])
        else:
            group.append(name)

    def has_composed_axes(self):
        return any(isinstance(axes, list) and len(axes) > 1 for axes in self.composition)

    @staticmethod
    def check_axis_name_return_reason(name, allow_underscore=False):
        if not name.isidentifier():
            return False, "not a valid python identifier"
        if "_" in (name[0], name[-1]):
            valid = name == "_" and allow_underscore
            return valid, "" if valid else "axis name should should not start or end with underscore"
        if keyword.iskeyword(name):
            warnings.warn(
                f"It is discouraged to use axes names that are keywords: {name}", RuntimeWarning, stacklevel=2
            )
        if name == "axis":
            warnings.warn(
                "It is discouraged to use 'axis' as an axis name and will raise an error in future",
                FutureWarning,
                stacklevel=2,
            )
        return True, ""

    @staticmethod
    def check_axis_name(name):
        return ParsedExpression.check_axis_name_return_reason(name)[0]
