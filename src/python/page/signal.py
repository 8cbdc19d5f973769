"""`signal` for a program that runs in a web page: the names, and no signals. Stop ends a program with `KeyboardInterrupt`."""

from enum import IntEnum

_WHY = "the page has no signals"


class Signals(IntEnum):
    """Linux's numbers."""

    SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGKILL, SIGUSR1, SIGSEGV, SIGUSR2, SIGPIPE, SIGALRM, SIGTERM = range(1, 16)
    SIGCHLD, SIGCONT, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG = range(17, 24)
    SIGWINCH = 28


class Handlers(IntEnum):
    SIG_DFL = 0
    SIG_IGN = 1


globals().update({member.name: member for kind in (Signals, Handlers) for member in kind})
NSIG = 65


def default_int_handler(signum, frame):
    raise KeyboardInterrupt


def getsignal(signalnum):
    return default_int_handler if signalnum == Signals.SIGINT else Handlers.SIG_DFL


def valid_signals():
    return set()


def strsignal(signalnum):
    return Signals(signalnum).name


def _refused(*args, **options):
    # A ValueError, as when Python is part of a program that keeps signals for itself: `asyncio` then goes on without them.
    raise ValueError(_WHY)


signal = alarm = setitimer = getitimer = pause = raise_signal = set_wakeup_fd = siginterrupt = _refused
