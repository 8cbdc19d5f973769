"""How a request says who sends it."""

from base64 import b64encode


class AuthBase:
    """Something that is called with a prepared request and returns it with what proves who sends it."""

    def __call__(self, r):
        raise NotImplementedError("Auth hooks must be callable.")


class HTTPBasicAuth(AuthBase):
    """A name and a password, in the header `Authorization`."""

    def __init__(self, username, password):
        self.username = username
        self.password = password

    def __eq__(self, other):
        return (self.username, self.password) == (getattr(other, "username", None), getattr(other, "password", None))

    def __ne__(self, other):
        return not self == other

    def __call__(self, r):
        name, password = (v if isinstance(v, bytes) else v.encode("latin1") for v in (self.username, self.password))
        r.headers["Authorization"] = "Basic " + b64encode(name + b":" + password).decode("ascii")
        return r
