"""What sends a session's requests: here, nothing does."""

from .exceptions import ConnectionError


class BaseAdapter:
    """Write your own to answer requests in a test: `session.mount("https://", adapter)`."""

    def send(self, request, stream=False, timeout=None, verify=True, cert=None, proxies=None):
        raise NotImplementedError

    def close(self):
        raise NotImplementedError


def _why():
    import _socket

    # A hosted program's sockets have their own reason. Natively sockets connect, but a program should behave as it does
    # in the page, and lessons are written by people whom nobody here knows.
    return getattr(_socket, "_WHY", "requests has no network, because lessons and learners' programs aren't trusted with one")


class HTTPAdapter(BaseAdapter):
    """Refuses every request."""

    def __init__(self, pool_connections=10, pool_maxsize=10, max_retries=0, pool_block=False):
        self.max_retries = max_retries

    def send(self, request, stream=False, timeout=None, verify=True, cert=None, proxies=None):
        raise ConnectionError(f"{request.url} can't be reached: {_why()}", request=request)

    def close(self):
        pass
