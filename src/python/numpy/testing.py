"""Assertions about arrays."""

import numpy


def _fail(what, actual, desired, err_msg):
    raise AssertionError(f"\n{what}\n{err_msg}\n ACTUAL: {actual!r}\n DESIRED: {desired!r}")


def assert_array_equal(actual, desired, err_msg="", verbose=True, *, strict=False):
    if not numpy.array_equal(actual, desired, equal_nan=True):
        _fail("Arrays are not equal", actual, desired, err_msg)


assert_equal = assert_array_equal


def assert_allclose(actual, desired, rtol=1e-07, atol=0, equal_nan=True, err_msg="", verbose=True, *, strict=False):
    actual, desired = numpy.asarray(actual), numpy.asarray(desired)
    if not numpy.allclose(actual, desired, rtol, atol, equal_nan):
        _fail(f"Not equal to tolerance rtol={rtol:g}, atol={atol:g}", actual, desired, err_msg)


def assert_array_almost_equal(actual, desired, decimal=6, err_msg="", verbose=True):
    if not numpy.all(numpy.abs(numpy.subtract(desired, actual)) < 1.5 * 10.0 ** -decimal):
        _fail(f"Arrays are not almost equal to {decimal} decimals", actual, desired, err_msg)


assert_almost_equal = assert_array_almost_equal


def __getattr__(name):
    raise AttributeError(f"numpy.testing.{name} is not part of this numpy")
