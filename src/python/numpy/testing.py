"""Assertions about arrays."""

import contextlib

import numpy as np
from numpy._array import ndarray


def assert_(val, msg=""):
    if not val:
        raise AssertionError(msg() if callable(msg) else msg)


def _report(header, x, y, err_msg, names=("ACTUAL", "DESIRED"), lines=()):
    text = ["\n" + header]
    if err_msg:
        text = [text[0] + (" " + err_msg if len(str(err_msg)) < 79 - len(header) and "\n" not in err_msg else "\n" + err_msg)]
    for line in lines:
        text.append(line)
    for name, value in zip(names, (x, y)):
        shown = repr(value)
        text.append(f" {name}: {shown}")
    return AssertionError("\n".join(text))


def _compare(close, actual, desired, header, err_msg="", equal_nan=True, strict=False, precision=6, verbose=True, infinite=False,
             names=("ACTUAL", "DESIRED")):
    x, y = np.asanyarray(actual), np.asanyarray(desired)
    header = "\n" + header

    def built(lines):
        lead = f"{header}\n{err_msg}"
        shown = [f" {name}: {_shown(value, precision)}" for name, value in zip(names, (x, y))] if verbose else []
        return AssertionError("\n".join([lead, *lines, *shown]))

    if x.shape != y.shape and x.ndim and y.ndim or strict and (x.shape != y.shape or x.dtype != y.dtype):
        what, one, other = ("shapes", x.shape, y.shape) if x.shape != y.shape else ("dtypes", x.dtype, y.dtype)
        raise built([f"({what} {one}, {other} mismatch)"])
    places = [("nan", np.isnan)] if equal_nan else []
    places += [("inf", np.isinf)] if infinite else []
    for what, found in places if x.dtype.kind in "biufc" and y.dtype.kind in "biufc" else []:
        gone, other = np.broadcast_arrays(np.asarray(found(x)), np.asarray(found(y)))
        if np.any(gone != other):
            raise built([f"{what} location mismatch:"])
    good = np.asarray(close(x, y))
    if equal_nan and x.dtype.kind in "biufc" and y.dtype.kind in "biufc":
        good = good | (np.isnan(x) & np.isnan(y))
    if np.all(good):
        return
    wrong, total = int(np.count_nonzero(~good)), good.size
    lines = [f"Mismatched elements: {wrong} / {total} ({100 * wrong / total:.3g}%)"]
    if good.ndim:
        wrong_at = np.argwhere(~good).tolist()
        xs, ys = np.broadcast_arrays(x, y)
        lines.append("First 5 mismatches are at indices:" if wrong > 5 else "Mismatch at index:" if wrong == 1 else "Mismatch at indices:")
        lines += [f" {place}: {xs[tuple(place)]} ({names[0]}), {ys[tuple(place)]} ({names[1]})" for place in wrong_at[:5]]
    if x.dtype.kind in "biufc" and y.dtype.kind in "biufc":
        xs, ys = np.broadcast_arrays(x, y)
        d = np.promote_types(np.result_type(xs.dtype, ys.dtype), "int8" if xs.dtype.kind == "b" else xs.dtype)
        gap = np.abs(xs.astype(d) - ys.astype(d))
        bad = gap[~good] if gap.ndim else gap
        lines.append(f"Max absolute difference among violations: {np.array2string(np.asarray(np.max(bad)))}")
        size = np.abs(ys)[~good] if good.ndim else np.abs(ys)
        usable = np.asarray(size != 0)
        lines.append(f"Max relative difference among violations: "
                     f"{np.array2string(np.asarray(np.max(np.asarray(bad)[usable] / np.asarray(size)[usable]))) if np.any(usable) else 'inf'}")
    raise built(lines)


def _shown(x, precision):
    with np.printoptions(precision=precision):
        text = repr(x)
    return text if "\n" not in text else text


def assert_array_equal(actual, desired, err_msg="", verbose=True, *, strict=False):
    _compare(lambda x, y: x == y, actual, desired, "Arrays are not equal", err_msg, strict=strict, verbose=verbose)


def assert_equal(actual, desired, err_msg="", verbose=True, *, strict=False):
    if isinstance(desired, dict):
        assert_(isinstance(actual, dict), repr(type(actual)))
        assert_equal(len(actual), len(desired), err_msg)
        for key in desired:
            if key not in actual:
                raise AssertionError(repr(key))
            assert_equal(actual[key], desired[key], f"key={key!r}\n{err_msg}")
        return
    if isinstance(desired, (list, tuple)) and isinstance(actual, (list, tuple)):
        assert_equal(len(actual), len(desired), err_msg)
        for i, (a, b) in enumerate(zip(actual, desired)):
            assert_equal(a, b, f"item={i}\n{err_msg}")
        return
    if isinstance(actual, ndarray) or isinstance(desired, ndarray):
        assert_array_equal(actual, desired, err_msg, strict=strict)
    elif not (desired == actual or desired != desired and actual != actual):
        raise _report("Items are not equal:", actual, desired, err_msg)


def assert_allclose(actual, desired, rtol=1e-07, atol=0, equal_nan=True, err_msg="", verbose=True, *, strict=False):
    _compare(lambda x, y: np.isclose(x, y, rtol=rtol, atol=atol, equal_nan=equal_nan), actual, desired,
             f"Not equal to tolerance rtol={rtol:g}, atol={atol:g}", err_msg, equal_nan, strict, verbose=verbose, infinite=True)


def assert_array_almost_equal(actual, desired, decimal=6, err_msg="", verbose=True):
    _compare(lambda x, y: np.isclose(x, y, rtol=0, atol=1.5 * 10.0 ** -decimal), actual, desired,
             f"Arrays are not almost equal to {decimal} decimals", err_msg, precision=decimal, verbose=verbose, infinite=True)


def assert_almost_equal(actual, desired, decimal=7, err_msg="", verbose=True):
    if isinstance(actual, (ndarray, tuple, list)) or isinstance(desired, (ndarray, tuple, list)):
        assert_array_almost_equal(actual, desired, decimal, err_msg)
    elif not (abs(desired - actual) < 1.5 * 10.0 ** -decimal or desired != desired and actual != actual):
        raise _report(f"Arrays are not almost equal to {decimal} decimals", actual, desired, err_msg)


def assert_approx_equal(actual, desired, significant=7, err_msg="", verbose=True):
    if actual != desired:
        scale = 10 ** np.floor(np.log10(0.5 * (abs(desired) + abs(actual))))
        if not abs(desired / scale - actual / scale) < 10.0 ** -(significant - 1):
            raise _report(f"Items are not equal to {significant} significant digits:", actual, desired, err_msg)


def assert_array_less(x, y, err_msg="", verbose=True, *, strict=False):
    _compare(lambda a, b: a < b, x, y, "Arrays are not strictly ordered `x < y`", err_msg, True, strict, verbose=verbose, names=("x", "y"))


def assert_string_equal(actual, desired):
    if actual != desired:
        raise AssertionError(f"Differences in strings:\n- {actual}+ {desired}")


@contextlib.contextmanager
def _raising(exception_class, regex=None, called=None):
    import re
    try:
        yield
    except exception_class as error:
        if regex is not None and not re.search(regex, str(error)):
            raise AssertionError(f'"{regex}" does not match "{error}"') from None
        return
    raise AssertionError(f"{exception_class.__name__} not raised" + (f" by {called}" if called else ""))


def assert_raises(exception_class, *args, **kwargs):
    if not args:
        return _raising(exception_class)
    with _raising(exception_class, None, getattr(args[0], "__name__", None)):
        args[0](*args[1:], **kwargs)


def assert_raises_regex(exception_class, expected_regexp, *args, **kwargs):
    if not args:
        return _raising(exception_class, expected_regexp)
    with _raising(exception_class, expected_regexp, getattr(args[0], "__name__", None)):
        args[0](*args[1:], **kwargs)


def __getattr__(name):
    raise AttributeError(f"module 'numpy.testing' has no attribute {name!r}")
