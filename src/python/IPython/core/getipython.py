"""The shell of the running notebook."""

# Set when a notebook begins.
shell = None


def get_ipython():
    """The notebook's shell; None in a program that isn't a notebook."""
    return shell
