"""Requests as they would be sent, and answers."""

import datetime
import json as _json
import re
from urllib.parse import quote, unquote, urlencode, urlsplit, urlunsplit

from .auth import HTTPBasicAuth
from .exceptions import HTTPError, InvalidJSONError, InvalidURL, JSONDecodeError, MissingSchema, StreamConsumedError
from .structures import CaseInsensitiveDict

_UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"


class RequestsCookieJar(dict):
    """Cookies by name."""

    def __repr__(self):
        return f"<RequestsCookieJar[{', '.join(f'<Cookie {k}={v} for />' for k, v in self.items())}]>"

    def set(self, name, value, **kwargs):
        self[name] = value


def _normal(part, safe):
    """A part of an address, in which a `%` that quotes nothing is quoted, if there is one, and then every other one too."""
    codes = re.findall("%[0-9a-fA-F]{2}", part)
    if len(codes) != part.count("%"):
        return quote(part, safe=safe)
    return quote(re.sub("%[0-9a-fA-F]{2}", lambda code: code[0].upper(), part), safe=safe + "%")


def _quoted(url):
    """The address with everything quoted that has to be. An address with a `%` that quotes nothing is quoted whole."""
    safe = "!#$&'()*+,/:;=?@[]~"
    first, *rest = url.split("%")
    parts = [first]
    for part in rest:
        code = part[:2]
        if re.fullmatch("[0-9a-fA-F]{2}", code) is None:
            return quote(url, safe=safe)
        letter = chr(int(code, 16))
        parts.append(letter + part[2:] if letter in _UNRESERVED else "%" + part)
    return quote("".join(parts), safe=safe + "%")


def _encoded(params):
    """A query of a dictionary or pairs, in which a value may be a list; None is left out."""
    if isinstance(params, (str, bytes)) or hasattr(params, "read"):
        return params
    pairs = []
    for key, values in params.items() if hasattr(params, "items") else params:
        if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
            values = [values]
        pairs += [(key, value) for value in values if value is not None]
    return urlencode(pairs, doseq=True)


class Request:
    """What a program asks for."""

    def __init__(
        self,
        method=None,
        url=None,
        headers=None,
        files=None,
        data=None,
        params=None,
        auth=None,
        cookies=None,
        hooks=None,
        json=None,
    ):
        self.hooks = {"response": []} | (hooks or {})
        self.method = method
        self.url = url
        self.headers = {} if headers is None else headers
        self.files = [] if files is None else files
        self.data = [] if data is None else data
        self.json = json
        self.params = {} if params is None else params
        self.auth = auth
        self.cookies = cookies

    def __repr__(self):
        return f"<Request [{self.method}]>"

    def prepare(self):
        p = PreparedRequest()
        p.prepare(
            self.method,
            self.url,
            self.headers,
            self.files,
            self.data,
            self.params,
            self.auth,
            self.cookies,
            self.hooks,
            self.json,
        )
        return p


class PreparedRequest:
    """A request with the address, headers and body that would be sent."""

    def __init__(self):
        self.method = self.url = self.headers = self._cookies = self.body = None
        self.hooks = {"response": []}

    def __repr__(self):
        return f"<PreparedRequest [{self.method}]>"

    def prepare(
        self,
        method=None,
        url=None,
        headers=None,
        files=None,
        data=None,
        params=None,
        auth=None,
        cookies=None,
        hooks=None,
        json=None,
    ):
        self.method = None if method is None else method.upper()
        self.prepare_url(url, params)
        self.headers = CaseInsensitiveDict(headers)
        self.prepare_cookies(cookies or {})
        self.prepare_body(data, files, json)
        if not auth:
            parts = urlsplit(self.url)
            if parts.username is not None and parts.password is not None:
                auth = unquote(parts.username), unquote(parts.password)
        if auth:
            (HTTPBasicAuth(*auth) if isinstance(auth, tuple) and len(auth) == 2 else auth)(self)
        self.hooks = {"response": []} | (hooks or {})

    @property
    def path_url(self):
        parts = urlsplit(self.url)
        return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")

    def prepare_url(self, url, params):
        url = (url.decode("utf8") if isinstance(url, bytes) else str(url)).lstrip()
        if ":" in url and not url.lower().startswith("http"):
            self.url = url
            return
        try:
            scheme, netloc, path, url_query, fragment = urlsplit(url)
        except ValueError as e:
            raise InvalidURL(*e.args) from None
        if not scheme:
            raise MissingSchema(f"Invalid URL {url!r}: No scheme supplied. Perhaps you meant https://{url}?")
        if not netloc:
            raise InvalidURL(f"Invalid URL {url!r}: No host supplied")
        user, at, host = netloc.rpartition("@")
        if not host.isascii():
            try:
                host = host.encode("idna").decode("ascii")
            except UnicodeError:
                raise InvalidURL("URL has an invalid label.") from None
        elif host.startswith(("*", ".")):
            raise InvalidURL("URL has an invalid label.")
        more = _encoded(params or {})
        if isinstance(more, bytes):
            more = more.decode("utf8")
        path = _normal(path, "/:@!$&'()*+,;=")
        query, fragment = (_normal(part, "/:@!$&'()*+,;=?") for part in (url_query, fragment))
        query = f"{query}&{more}" if query and more else query or more
        self.url = _quoted(urlunsplit((scheme, user + at + host.lower(), path or "/", query, fragment)))

    def prepare_cookies(self, cookies):
        self._cookies = cookies
        if cookies:
            self.headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())

    def prepare_body(self, data, files, json=None):
        if files:
            raise NotImplementedError("requests: files= isn't here, because nothing can be sent")
        body = kind = None
        if not data and json is not None:
            kind = "application/json"
            try:
                body = _json.dumps(json, allow_nan=False).encode("utf-8")
            except ValueError as e:
                raise InvalidJSONError(e, request=self) from None
        elif data:
            body = _encoded(data)
            if not isinstance(data, (str, bytes)) and not hasattr(data, "read"):
                kind = "application/x-www-form-urlencoded"
        if isinstance(body, (str, bytes)):
            self.headers["Content-Length"] = str(len(body.encode("utf-8") if isinstance(body, str) else body))
        elif body is not None:
            self.headers["Transfer-Encoding"] = "chunked"
        elif self.method not in ("GET", "HEAD"):
            self.headers["Content-Length"] = "0"
        if kind and "content-type" not in self.headers:
            self.headers["Content-Type"] = kind
        self.body = body


class Response:
    """An answer, which only an adapter of your own can give."""

    def __init__(self):
        self._content = False
        self._content_consumed = False
        self._next = None
        self.status_code = None
        self.headers = CaseInsensitiveDict()
        self.raw = None
        self.url = None
        self.encoding = None
        self.history = []
        self.reason = None
        self.cookies = RequestsCookieJar()
        self.elapsed = datetime.timedelta(0)
        self.request = None

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self.close()

    def __repr__(self):
        return f"<Response [{self.status_code}]>"

    def __bool__(self):
        return self.ok

    def __iter__(self):
        return self.iter_content(128)

    @property
    def ok(self):
        try:
            self.raise_for_status()
        except HTTPError:
            return False
        return True

    @property
    def is_redirect(self):
        return "location" in self.headers and self.status_code in (301, 302, 303, 307, 308)

    @property
    def content(self):
        """The bytes of the answer."""
        if self._content is False:
            if self._content_consumed:
                raise RuntimeError("The content for this response was already consumed")
            self._content = None if self.status_code == 0 or self.raw is None else self.raw.read()
        self._content_consumed = True
        return self._content

    def iter_content(self, chunk_size=1, decode_unicode=False):
        if self._content_consumed and isinstance(self._content, bool):
            raise StreamConsumedError()
        if chunk_size is not None and not isinstance(chunk_size, int):
            raise TypeError(f"chunk_size must be an int, it is instead a {type(chunk_size)}.")
        whole = self.content or b""
        whole = whole.decode(self.encoding, "replace") if decode_unicode and self.encoding else whole
        size = chunk_size or max(len(whole), 1)
        return (whole[i : i + size] for i in range(0, len(whole), size))

    def iter_lines(self, chunk_size=512, decode_unicode=False, delimiter=None):
        whole = self.content or b""
        whole = whole.decode(self.encoding, "replace") if decode_unicode and self.encoding else whole
        return iter(whole.split(delimiter) if delimiter else whole.splitlines())

    @property
    def text(self):
        """The answer in `encoding`; in UTF-8 if the server named none, where `requests` would guess."""
        return str(self.content or b"", self.encoding or "utf-8", errors="replace")

    def json(self, **kwargs):
        try:
            return _json.loads(self.text, **kwargs)
        except _json.JSONDecodeError as e:
            raise JSONDecodeError(e.msg, e.doc, e.pos) from None

    def raise_for_status(self):
        reason = self.reason.decode("utf-8", "replace") if isinstance(self.reason, bytes) else self.reason
        if 400 <= self.status_code < 600:
            who = "Client" if self.status_code < 500 else "Server"
            raise HTTPError(f"{self.status_code} {who} Error: {reason} for url: {self.url}", response=self)

    def close(self):
        if hasattr(self.raw, "close"):
            self.raw.close()
