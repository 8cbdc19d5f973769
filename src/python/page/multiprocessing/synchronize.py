"""The locks of processes, of which the page has one."""

SEM_VALUE_MAX = 2**31 - 1
_WHY = "the page has no processes: a program can't start another one that would share this"


def _refused(*args, **options):
    raise OSError(_WHY)


Lock = RLock = Semaphore = BoundedSemaphore = Condition = Event = Barrier = _refused
