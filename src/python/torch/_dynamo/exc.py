"""What the compiler raises."""


class TorchDynamoException(RuntimeError):
    """Any error of the compiler."""


class Unsupported(TorchDynamoException):
    """Code that can't be compiled."""


class UncapturedHigherOrderOpError(TorchDynamoException):
    """A branch or a loop that can't become one operator."""


class TorchRuntimeError(TorchDynamoException):
    """An error of an operator that was met while compiling."""
