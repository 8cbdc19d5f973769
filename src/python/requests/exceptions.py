"""What a request can end in."""

import json


class RequestException(OSError):
    """An error of a request, with the request and the response as far as there are any."""

    def __init__(self, *args, **kwargs):
        self.response = kwargs.pop("response", None)
        self.request = kwargs.pop("request", None)
        if self.request is None and self.response is not None:
            self.request = self.response.request
        super().__init__(*args, **kwargs)


class InvalidJSONError(RequestException):
    """What should be sent isn't JSON."""


class JSONDecodeError(InvalidJSONError, json.JSONDecodeError):
    """What a server answered isn't JSON."""

    def __init__(self, *args, **kwargs):
        json.JSONDecodeError.__init__(self, *args)
        InvalidJSONError.__init__(self, *self.args, **kwargs)


class HTTPError(RequestException):
    """The server answered with an error."""


class ConnectionError(RequestException):
    """There is no connection to the server."""


class ProxyError(ConnectionError):
    """There is no connection to the proxy."""


class SSLError(ConnectionError):
    """The connection can't be encrypted."""


class Timeout(RequestException):
    """It took too long."""


class ConnectTimeout(ConnectionError, Timeout):
    """Connecting took too long."""


class ReadTimeout(Timeout):
    """The answer took too long."""


class URLRequired(RequestException):
    """A request without an address."""


class TooManyRedirects(RequestException):
    """The server sends from address to address."""


class MissingSchema(RequestException, ValueError):
    """An address without `http://` or `https://`."""


class InvalidSchema(RequestException, ValueError):
    """An address of a kind that isn't HTTP."""


class InvalidURL(RequestException, ValueError):
    """Not an address."""


class InvalidHeader(RequestException, ValueError):
    """A header that HTTP doesn't allow."""


class InvalidProxyURL(InvalidURL):
    """Not an address of a proxy."""


class ChunkedEncodingError(RequestException):
    """A broken chunk in an answer."""


class ContentDecodingError(RequestException):
    """An answer that can't be decompressed."""


class StreamConsumedError(RequestException, TypeError):
    """The answer has been read already."""


class RetryError(RequestException):
    """Every attempt failed."""


class UnrewindableBodyError(RequestException):
    """What should be sent again can't be read again."""


class RequestsWarning(Warning):
    """Warnings of this package."""


class FileModeWarning(RequestsWarning, DeprecationWarning):
    """A file that should be opened as bytes."""


class RequestsDependencyWarning(RequestsWarning):
    """A dependency of another version."""
