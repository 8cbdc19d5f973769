"""`ssl` without encryption, which the interpreter doesn't have: contexts can be made and configured, connections refuse."""

import enum

_WHY = "encrypted connections (https) can't be made: this Python has no TLS"


class SSLError(OSError):
    """What a connection raises."""


class SSLZeroReturnError(SSLError):
    pass


class SSLWantReadError(SSLError):
    pass


class SSLWantWriteError(SSLError):
    pass


class SSLSyscallError(SSLError):
    pass


class SSLEOFError(SSLError):
    pass


class SSLCertVerificationError(SSLError, ValueError):
    pass


CertificateError = SSLCertVerificationError


class VerifyMode(enum.IntEnum):
    CERT_NONE = 0
    CERT_OPTIONAL = 1
    CERT_REQUIRED = 2


class _SSLMethod(enum.IntEnum):
    PROTOCOL_TLS = 2
    PROTOCOL_TLS_CLIENT = 16
    PROTOCOL_TLS_SERVER = 17


class Purpose(enum.Enum):
    SERVER_AUTH = "1.3.6.1.5.5.7.3.1"
    CLIENT_AUTH = "1.3.6.1.5.5.7.3.2"


class TLSVersion(enum.IntEnum):
    MINIMUM_SUPPORTED = -2
    MAXIMUM_SUPPORTED = -1
    TLSv1_2 = 0x0303
    TLSv1_3 = 0x0304


for _kind in (VerifyMode, _SSLMethod):
    globals().update({member.name: member for member in _kind})
del _kind

HAS_ALPN = HAS_SNI = HAS_TLSv1_2 = HAS_TLSv1_3 = False


def _refuse(*args, **options):
    raise SSLError(_WHY)


class SSLContext:
    """The settings of a connection. What needs certificates or a connection refuses."""

    def __init__(self, protocol=None):
        self.protocol = _SSLMethod.PROTOCOL_TLS if protocol is None else _SSLMethod(protocol)
        checks = self.protocol is _SSLMethod.PROTOCOL_TLS_CLIENT
        self.check_hostname = checks
        self.verify_mode = VerifyMode.CERT_REQUIRED if checks else VerifyMode.CERT_NONE
        self.options = 0
        self.minimum_version = TLSVersion.MINIMUM_SUPPORTED
        self.maximum_version = TLSVersion.MAXIMUM_SUPPORTED
        self.post_handshake_auth = None
        self.alpn_protocols = []

    def set_alpn_protocols(self, alpn_protocols):
        self.alpn_protocols = list(alpn_protocols)

    load_cert_chain = load_default_certs = load_verify_locations = set_ciphers = _refuse
    wrap_socket = wrap_bio = _refuse


class SSLObject:
    __init__ = _refuse


class SSLSocket:
    __init__ = _refuse


class MemoryBIO:
    __init__ = _refuse


def create_default_context(purpose=Purpose.SERVER_AUTH, *, cafile=None, capath=None, cadata=None):
    """A context that checks certificates."""
    context = SSLContext(PROTOCOL_TLS_CLIENT if purpose is Purpose.SERVER_AUTH else PROTOCOL_TLS_SERVER)
    if cafile or capath or cadata:
        context.load_verify_locations(cafile, capath, cadata)
    return context


def _create_unverified_context(protocol=None, **options):
    """A context that checks nothing."""
    context = SSLContext(protocol)
    context.check_hostname = False
    context.verify_mode = CERT_NONE
    return context


_create_stdlib_context = _create_unverified_context
_create_default_https_context = create_default_context
