"""What `socket` is made of, in a page: pairs in memory, which `asyncio` wakes itself with, and no network."""

from collections import deque
import errno

_WHY = "the page has no network: a program can't connect to anything"

AF_UNSPEC, AF_UNIX, AF_INET, AF_INET6 = 0, 1, 2, 10
SOCK_STREAM, SOCK_DGRAM, SOCK_RAW = 1, 2, 3
SOL_SOCKET, SO_REUSEADDR, SO_ERROR, SO_BROADCAST, SO_KEEPALIVE, SO_REUSEPORT = 1, 2, 4, 6, 9, 15
IPPROTO_IP, IPPROTO_TCP, IPPROTO_UDP, IPPROTO_IPV6 = 0, 6, 17, 41
IPV6_V6ONLY, TCP_NODELAY, SOMAXCONN = 26, 1, 4096
SHUT_RD, SHUT_WR, SHUT_RDWR = 0, 1, 2
AI_PASSIVE, AI_CANONNAME, AI_NUMERICHOST, AI_NUMERICSERV = 1, 2, 4, 1024
NI_NUMERICHOST, NI_NUMERICSERV = 1, 2
EAI_NONAME = -2
MSG_OOB, MSG_PEEK, MSG_DONTWAIT = 1, 2, 64
INADDR_ANY, INADDR_LOOPBACK, INADDR_BROADCAST = 0, 0x7F000001, 0xFFFFFFFF
has_ipv6 = False

error = OSError
timeout = TimeoutError


class gaierror(OSError):
    """A name's address can't be found."""


class herror(OSError):
    """A host can't be found."""


# The open ends by their numbers: what was written to the other end, and that end's number.
_ends = {}
# Above any number that a file could have.
_next = 1 << 20


def _has_data(number):
    return number in _ends and (bool(_ends[number][0]) or _ends[number][1] not in _ends)


class socket:
    """An end of a pair. Every other socket would be one of a network."""

    __slots__ = ("_number", "_kind", "_timeout")
    family = property(lambda self: self._kind[0])
    type = property(lambda self: self._kind[1])
    proto = property(lambda self: self._kind[2])
    timeout = property(lambda self: self._timeout)

    def __init__(self, family=-1, type=-1, proto=-1, fileno=None):
        if fileno not in _ends:
            raise OSError(errno.ENETUNREACH, _WHY)
        self._number = fileno
        self._kind = family, type, max(proto, 0)
        self._timeout = None

    def fileno(self):
        return self._number

    def detach(self):
        number, self._number = self._number, -1
        return number

    def close(self):
        _ends.pop(self.detach(), None)

    def settimeout(self, timeout):
        self._timeout = timeout

    def gettimeout(self):
        return self._timeout

    def setblocking(self, flag):
        self._timeout = None if flag else 0.0

    def getblocking(self):
        return self._timeout != 0.0

    def send(self, data, flags=0):
        other = _ends[self._number][1]
        if other not in _ends:
            raise BrokenPipeError(errno.EPIPE, "Broken pipe")
        _ends[other][0].extend(bytes(data))
        return len(data)

    def sendall(self, data, flags=0):
        self.send(data, flags)

    def recv(self, size, flags=0):
        from select import select

        if not select([self._number], [], [], self._timeout)[0]:
            raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable") if self._timeout == 0 else TimeoutError("timed out")
        waiting = _ends[self._number][0]
        return bytes(waiting.popleft() for _ in range(min(size, len(waiting))))

    def getpeername(self):
        return ""

    getsockname = getpeername


SocketType = socket


def socketpair(family=AF_UNIX, type=SOCK_STREAM, proto=0):
    """Two ends: what is written to one is read from the other."""
    global _next
    one, other = _next, _next + 1
    _next += 2
    _ends[one], _ends[other] = (deque(), other), (deque(), one)
    return socket(family, type, proto, one), socket(family, type, proto, other)


def close(fd):
    _ends.pop(fd, None)


def getdefaulttimeout():
    return None


def htons(number):
    return (number & 0xFF) << 8 | number >> 8


ntohs = htons


def _refuses(kind):
    def refused(*args, **options):
        raise kind(errno.ENETUNREACH, _WHY)

    return refused


dup = gethostname = getservbyname = getservbyport = getprotobyname = if_nameindex = setdefaulttimeout = _refuses(OSError)
getaddrinfo = gethostbyname = gethostbyname_ex = getnameinfo = _refuses(gaierror)
gethostbyaddr = _refuses(herror)
