"""`query`: an expression over columns."""

import ast
import sys

from .errors import UndefinedVariableError

_AT = "__at_"


def _caller():
    """The frame that called pandas, whose variables an expression can name."""
    frame = sys._getframe(1)
    while frame.f_globals.get("__name__", "").partition(".")[0] == "pandas" and frame.f_back is not None:
        frame = frame.f_back
    return frame


def evaluated(frame, text):
    import re

    text = re.sub(r"`([^`]+)`", lambda m: f"__column__[{m.group(1)!r}]", text)
    marked = re.sub(r"@(\w+)", _AT + r"\1", text)
    marked = re.sub(r"\s+", " ", marked.strip())
    tree = ast.parse(marked, mode="eval")
    return _value(_Bitwise().visit(tree).body, frame, _caller())


class _Bitwise(ast.NodeTransformer):
    """`and`, `or` and `not` mean each element; a chain of comparisons means all of them."""

    def visit_BoolOp(self, node):
        self.generic_visit(node)
        sign = ast.BitAnd() if isinstance(node.op, ast.And) else ast.BitOr()
        made = node.values[0]
        for value in node.values[1:]:
            made = ast.BinOp(made, sign, value)
        return made

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        return ast.UnaryOp(ast.Invert(), node.operand) if isinstance(node.op, ast.Not) else node


def _value(node, frame, caller):
    import operator

    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, (ast.List, ast.Tuple)):
        return [_value(x, frame, caller) for x in node.elts]
    if isinstance(node, ast.Name):
        if node.id.startswith(_AT):
            name = node.id[len(_AT) :]
            for where in (caller.f_locals, caller.f_globals):
                if name in where:
                    return where[name]
            raise UndefinedVariableError(f"local variable '{name}' is not defined")
        if node.id in frame.columns:
            return frame[node.id]
        if node.id == "index" or node.id in frame.index.names:
            return frame.index.to_series()
        if node.id in ("True", "False"):
            return node.id == "True"
        raise UndefinedVariableError(f"name '{node.id}' is not defined")
    if isinstance(node, ast.Subscript):
        if isinstance(node.value, ast.Name) and node.value.id == "__column__":
            return frame[node.slice.value]
        return _value(node.value, frame, caller)[_value(node.slice, frame, caller)]
    if isinstance(node, ast.Attribute):
        return getattr(_value(node.value, frame, caller), node.attr)
    if isinstance(node, ast.Call):
        options = {k.arg: _value(k.value, frame, caller) for k in node.keywords}
        return _value(node.func, frame, caller)(*[_value(a, frame, caller) for a in node.args], **options)
    if isinstance(node, ast.UnaryOp):
        value = _value(node.operand, frame, caller)
        return ~value if isinstance(node.op, ast.Invert) else -value
    if isinstance(node, ast.BinOp):
        signs = {
            ast.Add: operator.add,
            ast.Sub: operator.sub,
            ast.Mult: operator.mul,
            ast.Div: operator.truediv,
            ast.Mod: operator.mod,
            ast.Pow: operator.pow,
            ast.FloorDiv: operator.floordiv,
            ast.BitAnd: operator.and_,
            ast.BitOr: operator.or_,
        }
        return signs[type(node.op)](_value(node.left, frame, caller), _value(node.right, frame, caller))
    if isinstance(node, ast.Compare):
        made, left = None, _value(node.left, frame, caller)
        for sign, right in zip(node.ops, node.comparators):
            right = _value(right, frame, caller)
            if isinstance(sign, (ast.In, ast.NotIn)):
                found = left.isin(right)
                found = ~found if isinstance(sign, ast.NotIn) else found
            elif isinstance(right, list):
                found = left.isin(right) if isinstance(sign, ast.Eq) else ~left.isin(right)
            else:
                found = {
                    ast.Eq: operator.eq,
                    ast.NotEq: operator.ne,
                    ast.Lt: operator.lt,
                    ast.LtE: operator.le,
                    ast.Gt: operator.gt,
                    ast.GtE: operator.ge,
                }[type(sign)](left, right)
            made, left = found if made is None else made & found, right
        return made
    raise NotImplementedError(f"pandas: {type(node).__name__} in query")
