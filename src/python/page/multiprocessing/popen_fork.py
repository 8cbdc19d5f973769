"""What `multiprocessing` would start processes with."""


class Popen:
    """Refuses."""

    method = "fork"

    def __init__(self, process):
        raise OSError("the page has no processes: a program can't start another one")
