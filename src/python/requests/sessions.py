"""What requests have in common: headers, parameters, adapters."""

from .adapters import HTTPAdapter
from .exceptions import InvalidSchema
from .models import PreparedRequest, Request, RequestsCookieJar
from .structures import CaseInsensitiveDict


def _merged(ours, theirs):
    """The session's dictionary with the request's; a value of None removes what the session has."""
    if theirs is None or ours is None:
        return ours if theirs is None else theirs
    if not hasattr(theirs, "items") or not hasattr(ours, "items"):
        return theirs
    merged = CaseInsensitiveDict(ours) if isinstance(ours, CaseInsensitiveDict) else dict(ours)
    merged.update(theirs)
    for key in [key for key, value in merged.items() if value is None]:
        del merged[key]
    return merged


class Session:
    """Prepares requests as `requests` does. Sending one ends in `ConnectionError`, unless an adapter of yours answers it."""

    def __init__(self):
        self.headers = CaseInsensitiveDict(
            {
                "User-Agent": "python-requests/2.34.2",
                "Accept-Encoding": "gzip, deflate",
                "Accept": "*/*",
                "Connection": "keep-alive",
            }
        )
        self.auth = None
        self.proxies = {}
        self.hooks = {"response": []}
        self.params = {}
        self.stream = False
        self.verify = True
        self.cert = None
        self.max_redirects = 30
        self.trust_env = True
        self.cookies = RequestsCookieJar()
        self.adapters = {}
        self.mount("https://", HTTPAdapter())
        self.mount("http://", HTTPAdapter())

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self.close()

    def close(self):
        for adapter in self.adapters.values():
            adapter.close()

    def mount(self, prefix, adapter):
        self.adapters[prefix] = adapter
        # The longest prefix is asked first.
        self.adapters = dict(sorted(self.adapters.items(), key=lambda item: -len(item[0])))

    def get_adapter(self, url):
        for prefix, adapter in self.adapters.items():
            if url.lower().startswith(prefix.lower()):
                return adapter
        raise InvalidSchema(f"No connection adapters were found for {url!r}")

    def prepare_request(self, request):
        p = PreparedRequest()
        p.prepare(
            method=request.method.upper(),
            url=request.url,
            files=request.files,
            data=request.data,
            json=request.json,
            headers=_merged(self.headers, request.headers),
            params=_merged(self.params, request.params),
            auth=self.auth if request.auth is None else request.auth,
            cookies=_merged(self.cookies, request.cookies),
            hooks=request.hooks,
        )
        return p

    def request(
        self,
        method,
        url,
        params=None,
        data=None,
        headers=None,
        cookies=None,
        files=None,
        auth=None,
        timeout=None,
        allow_redirects=True,
        proxies=None,
        hooks=None,
        stream=None,
        verify=None,
        cert=None,
        json=None,
    ):
        request = Request(method.upper(), url, headers, files, data or {}, params or {}, auth, cookies, hooks, json)
        return self.send(
            self.prepare_request(request),
            timeout=timeout,
            proxies=proxies or {},
            stream=self.stream if stream is None else stream,
            verify=self.verify if verify is None else verify,
            cert=self.cert if cert is None else cert,
        )

    def send(self, request, **kwargs):
        if isinstance(request, Request):
            raise ValueError("You can only send PreparedRequests.")
        return self.get_adapter(url=request.url).send(request, **kwargs)

    def get(self, url, params=None, **kwargs):
        return self.request("GET", url, params=params, **kwargs)

    def options(self, url, **kwargs):
        return self.request("OPTIONS", url, **kwargs)

    def head(self, url, **kwargs):
        kwargs.setdefault("allow_redirects", False)
        return self.request("HEAD", url, **kwargs)

    def post(self, url, data=None, json=None, **kwargs):
        return self.request("POST", url, data=data, json=json, **kwargs)

    def put(self, url, data=None, **kwargs):
        return self.request("PUT", url, data=data, **kwargs)

    def patch(self, url, data=None, **kwargs):
        return self.request("PATCH", url, data=data, **kwargs)

    def delete(self, url, **kwargs):
        return self.request("DELETE", url, **kwargs)


def session():
    return Session()
