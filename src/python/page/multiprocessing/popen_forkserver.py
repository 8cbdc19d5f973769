"""What `multiprocessing` would start processes with."""

from .popen_fork import Popen
