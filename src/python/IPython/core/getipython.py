"""The running notebook, which there is none of."""


def get_ipython():
    """None, as in every program that isn't a notebook."""
    return None
