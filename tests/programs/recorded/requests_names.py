"""requests without a network: its names, what it would send, and how an adapter of one's own answers."""

import io

import requests
from requests.adapters import BaseAdapter, HTTPAdapter
from requests.auth import AuthBase, HTTPBasicAuth
from requests.structures import CaseInsensitiveDict


def attempt(what, *args, **options):
    try:
        print(what(*args, **options))
    except Exception as e:
        print(type(e).__module__, type(e).__name__, e)


def prepared(*args, **options):
    p = requests.Request(*args, **options).prepare()
    print(p, p.method, p.url, p.path_url, p.body, sorted(p.headers.items()))


for name in sorted(vars(requests.exceptions)):
    kind = getattr(requests.exceptions, name)
    if isinstance(kind, type) and issubclass(kind, (requests.RequestException, Warning)) and name != "ContentDecodingError":
        print(name, [base.__name__ for base in kind.__mro__[1:]])
print(requests.ConnectionError is requests.exceptions.ConnectionError, issubclass(requests.ConnectionError, OSError))
print(requests.codes.ok, requests.codes["not_found"], requests.codes.OK, requests.codes["nope"], requests.codes)
print(requests.codes.teapot)
print(requests.codes.get("found"), requests.codes.get("x", 7), requests.codes["\\o/"], requests.codes["✗"])
for code in sorted({v for k, v in vars(requests.codes).items() if k != "name"}):
    print(code, sorted(k for k, v in vars(requests.codes).items() if v == code))
attempt(lambda: requests.codes.nope)

# Addresses that are refused before anything is sent.
for url in ("", "foo", "ftp://x", "http://", "http://*.x", "://x", 3, None, "http:///a", "mailto:x"):
    attempt(requests.get, url, timeout=1)
for verb in (requests.post, requests.put, requests.patch, requests.delete, requests.head, requests.options):
    attempt(verb, "foo")
attempt(requests.request, "GET", "foo")

prepared("GET", "http://A.b/c d?x=1", params={"q": [1, 2], "z": "a b", "n": None}, headers={"A": "b"})
prepared("get", "https://a.b", params="raw=1")
prepared("GET", "https://user:word@A.b:81/%7Ex/%zz/ä?y=ü#part", params=[("a", 1), ("a", "ö")])
prepared("GET", "https://a.b/", auth=("me", "word"))
prepared("GET", "https://a.b/", cookies={"a": "1", "b": "2"})
prepared("post", "http://a.b", json={"a": 1, "ü": None})
prepared("post", "http://a.b", data={"a": "1 2", "b": [1, 2]})
prepared("post", "http://a.b", data="text")
prepared("post", "http://a.b", data=b"bytes", headers={"content-type": "x/y"})
prepared("put", "http://a.b")
prepared("delete", b"http://a.b/c")
prepared("GET", "https://a.b:81/%7Ex/%2f/%c3%a4[1]")
try:
    prepared("post", "http://a.b", json=float("nan"))
except requests.exceptions.InvalidJSONError as e:
    print(type(e).__name__, e.request.method)
print(requests.Request("GET", "http://a.b"))

headers = CaseInsensitiveDict({"Ab": 1}, Cd=2)
headers["AB"] = 3
print(headers, headers["aB"], "cd" in headers, len(headers), headers == {"ab": 3, "CD": 2}, headers == 3, headers.copy())
print(dict(headers.lower_items()), list(headers))
del headers["cd"]
print(headers)

response = requests.Response()
print(response.status_code, response.headers, response.url, response.encoding, response.history, response.elapsed)
print(response.cookies)
response.status_code, response.url, response.reason = 404, "http://a", "Not Found"
print(response, response.ok, bool(response), response.is_redirect)
attempt(response.raise_for_status)
response.status_code, response.reason = 503, b"Busy"
attempt(response.raise_for_status)
response.status_code, response.encoding = 200, "utf-8"
response.raw = io.BytesIO(b'{"a": [1, "\xc3\xbc"]}\nsecond')
print(response.content, response.text, list(response.iter_content(9)), list(response.iter_lines()), bool(response))
attempt(response.json)
attempt(response.iter_content, "x")


class Answer(BaseAdapter):
    """Answers by itself, as in a test."""

    def send(self, request, **options):
        print(request.method, request.url, request.headers.get("X"), request.headers["User-Agent"][:15], sorted(options))
        response = requests.Response()
        response.status_code, response.url, response.request = 200, request.url, request
        response.raw, response.encoding, response.reason = io.BytesIO(b'{"right": true}'), "utf-8", "OK"
        return response

    def close(self):
        print("closed")


class Token(AuthBase):
    def __call__(self, r):
        r.headers["X"] = "token"
        return r


with requests.Session() as session:
    print(session.headers, list(session.adapters), isinstance(session.get_adapter("HTTP://x"), HTTPAdapter))
    session.headers.update({"X": "mine"})
    session.params = {"p": 1}
    session.mount("http://answer", Answer())
    print(list(session.adapters))
    for verb in ("get", "post", "put", "patch", "delete", "options", "head"):
        answer = getattr(session, verb)("http://answer/" + verb)
        print(answer, answer.ok, answer.text and answer.json() == {"right": True})
    session.get("http://answer/", headers={"X": None}, params={"q": 2}, auth=Token())
    session.get("http://answer/", headers={"X": "yours"})
    attempt(session.get, "gopher://x")
    attempt(session.send, requests.Request("GET", "http://answer"))
print(requests.session().max_redirects, HTTPBasicAuth("a", "b") == HTTPBasicAuth("a", "b"))
print(HTTPBasicAuth("a", "b") != HTTPBasicAuth("a", "c"))
