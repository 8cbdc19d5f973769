"""What pickles of protocol 5 name."""


def _frombuffer(buf, dtype, shape, order, axis_order=None):
    from numpy._core.multiarray import restored

    if order == "K" and axis_order is not None:
        return restored(shape, dtype, False, bytes(buf)).transpose(axis_order)
    return restored(shape, dtype, order == "F", bytes(buf))
