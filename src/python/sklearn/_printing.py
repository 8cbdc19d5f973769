"""How estimators are printed: at most 80 letters a line, and only parameters that aren't the default."""

import inspect
import re

_WIDTH = 80
_MOST_ITEMS = 30


def _changed(estimator):
    defaults = inspect.signature(type(estimator).__init__).parameters
    params = estimator.get_params(deep=False)
    return {name: params[name] for name in sorted(params)
            if name not in defaults or repr(params[name]) != repr(defaults[name].default)}


def _is_estimator(value):
    return hasattr(value, "get_params") and not isinstance(value, type) and not hasattr(value, "theta")


def _brief(value):
    """On one line."""
    if _is_estimator(value):
        return f"{type(value).__name__}({', '.join(f'{k}={_brief(v)}' for k, v in _changed(value).items())})"
    if type(value) is dict:
        try:
            items = sorted(value.items())
        except TypeError:
            items = sorted(value.items(), key=lambda item: str(item[0]))
        return "{" + ", ".join(f"{_brief(k)}: {_brief(v)}" for k, v in items) + "}"
    if type(value) is list:
        return f"[{', '.join(map(_brief, value))}]"
    if type(value) is tuple:
        return f"({_brief(value[0])},)" if len(value) == 1 else f"({', '.join(map(_brief, value))})"
    return repr(value)


class _Writer:
    def __init__(self):
        self.parts = []

    def value(self, value, indent, allowance):
        text = _brief(value)
        if len(text) <= _WIDTH - indent - allowance:
            self.parts.append(text)
        elif _is_estimator(value):
            name = type(value).__name__
            self.parts.append(name + "(")
            self.pairs(list(_changed(value).items()), indent + len(name), allowance + 1, str, "=")
            self.parts.append(")")
        elif type(value) is dict and value:
            self.parts.append("{")
            self.pairs(sorted(value.items(), key=lambda item: str(item[0])), indent, allowance + 1, _brief, ": ")
            self.parts.append("}")
        elif type(value) in (list, tuple) and value:
            start, end = ("[", "]") if type(value) is list else ("(", ",)" if len(value) == 1 else ")")
            self.parts.append(start)
            self.items(value, indent, allowance + len(end))
            self.parts.append(end)
        else:
            self.parts.append(text)

    def pairs(self, pairs, indent, allowance, key, middle):
        self._laid(pairs, indent, allowance, lambda pair: key(pair[0]) + middle + _brief(pair[1]),
                   lambda pair, at, left: self._pair(key(pair[0]) + middle, pair[1], at, left))

    def _pair(self, start, value, indent, allowance):
        self.parts.append(start)
        self.value(value, indent + len(start), allowance)

    def items(self, values, indent, allowance):
        self._laid(list(values), indent, allowance, _brief, self.value)

    def _laid(self, entries, indent, allowance, brief, whole):
        indent += 1
        width = most = _WIDTH - indent + 1
        between, line = "", ",\n" + " " * indent
        for i, entry in enumerate(entries):
            if i >= _MOST_ITEMS:
                self.parts.append(", ...")
                return
            last = i == len(entries) - 1
            if last:
                most -= allowance
                width -= allowance
            text = brief(entry)
            need = len(text) + 2
            if width < need:
                width = most
                between = line if between else between
            if width >= need:
                width -= need
                self.parts += [between, text]
                between = ", "
                continue
            self.parts.append(between)
            between = line
            whole(entry, indent, allowance if last else 1)


def shown(estimator, most=700):
    writer = _Writer()
    writer.value(estimator, 0, 0)
    text = "".join(writer.parts)
    if len("".join(text.split())) <= most:
        return text
    half = rf"^(\s*\S){{{most // 2}}}"
    left, right = re.match(half, text).end(), re.match(half, text[::-1]).end()
    if "\n" in text[left:-right]:
        right = re.match(half + r"[^\n]*\n", text[::-1]).end()
    return text[:left] + "..." + text[-right:] if left + 3 < len(text) - right else text


def built(splitter, **params):
    """How splitters are printed."""
    name = type(splitter).__name__
    parts, length, line = [], len(name), ",\n" + (1 + len(name) // 2) * " "
    for i, (key, value) in enumerate(sorted(params.items())):
        text = f"{key}={value}" if isinstance(value, float) else f"{key}={value!r}"
        if i:
            wide = length + len(text) >= 75 or "\n" in text
            parts.append(line if wide else ", ")
            length = len(line) if wide else length + 2
        parts.append(text)
        length += len(text)
    return f"{name}({''.join(parts)})"
