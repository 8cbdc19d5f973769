"""The names of `requests`, for programs that download something. There is no network here, so every request is refused."""

from . import adapters, api, auth, exceptions, models, sessions, status_codes, structures
from .api import delete, get, head, options, patch, post, put, request
from .exceptions import (
    ConnectionError,
    ConnectTimeout,
    FileModeWarning,
    HTTPError,
    JSONDecodeError,
    ReadTimeout,
    RequestException,
    Timeout,
    TooManyRedirects,
    URLRequired,
)
from .models import PreparedRequest, Request, Response
from .sessions import Session, session
from .status_codes import codes

__version__ = "2.34.2"
