"""What `subprocess` would start processes with."""


def fork_exec(*args):
    raise OSError("the page has no processes: a program can't start another one")
