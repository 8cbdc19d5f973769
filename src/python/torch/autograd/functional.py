"""`torch.autograd.functional`: products with Jacobians and Hessians. Two backward passes stand in for forward mode."""

import torch
from torch import Tensor

__all__ = ["vjp", "jvp", "jacobian", "hessian", "hvp", "vhp"]


def _tensors(value, name, function):
    """Whether `value` is a tuple of tensors, and that tuple: a single tensor is put into one. `name` is for the error."""
    if not isinstance(value, tuple):
        if not isinstance(value, Tensor):
            raise TypeError(f"The {name} given to {function} must be either a Tensor or a tuple of Tensors but the given "
                            f"{name} has type {type(value)}.")
        return False, (value,)
    for i, each in enumerate(value):
        if not isinstance(each, Tensor):
            raise TypeError(f"The {name} given to {function} must be either a Tensor or a tuple of Tensors but the value at "
                            f"index {i} has type {type(each)}.")
    return True, value


def _own(tensors, create_graph, need_graph=True):
    """New tensors for this call. With `create_graph` they stay connected to the given ones."""
    return tuple(t.view_as(t) if create_graph and t.requires_grad else t.detach().requires_grad_(need_graph)
                 for t in tensors)


def _finished(result, create_graph):
    """The result, cut from the graph unless the caller wants to differentiate it further."""
    if create_graph:
        return result
    return result.detach() if isinstance(result, Tensor) else tuple(_finished(r, create_graph) for r in result)


def _unpacked(result, is_tuple):
    """The opposite of `_tensors`."""
    return result if is_tuple else result[0]


def _gradient(outputs, inputs, v=None, create_graph=False, retain_graph=None):
    """The gradients of `outputs`, weighted by `v`, for each input; None for an input that they don't depend on."""
    v = (None,) * len(outputs) if v is None else v
    pairs = [(o, w) for o, w in zip(outputs, v) if o is not None and o.requires_grad]
    if not pairs:
        return (None,) * len(inputs)
    return torch.autograd.grad([o for o, _ in pairs], inputs, [w for _, w in pairs], allow_unused=True,
                               create_graph=create_graph, retain_graph=retain_graph)


_NEEDED = {
    "hessian": "The hessian of the user-provided function with respect to input {} is independent of the input. This is not "
               "allowed in strict mode. You should ensure that your function is thrice differentiable and that the hessian "
               "depends on the inputs.",
    "jacobian": "While computing the hessian, found that the jacobian of the user-provided function with respect to input {} "
                "is independent of the input. This is not allowed in strict mode. You should ensure that your function is "
                "twice differentiable and that the jacobian depends on the inputs (this would be violated by a linear "
                "function for example).",
    "grad_inputs": "The gradient with respect to input {} is independent of the inputs of the user-provided function. This is "
                   "not allowed in strict mode.",
    "outputs": "Output {} of the user-provided function does not require gradients. The outputs must be computed in a "
               "differentiable manner from the input when running in strict mode.",
}


def _need_gradients(tensors, what, strict):
    """In strict mode, refuses tensors that don't depend on the inputs. `what` is a key of `_NEEDED`."""
    if not strict:
        return
    for i, t in enumerate(tensors):
        if t is None:
            raise RuntimeError(f"The output of the user-provided function is independent of input {i}. This is not allowed in "
                               "strict mode.")
        if not t.requires_grad:
            raise RuntimeError(_NEEDED[what].format(i))


_ABSENT = {
    "back": "The output of the user-provided function is independent of input {}. This is not allowed in strict mode.",
    "back_trick": "The gradient with respect to the input is independent of entry {} in the grad_outputs when using the double "
                  "backward trick to compute forward mode gradients. This is not allowed in strict mode.",
    "double_back": "The jacobian of the user-provided function is independent of input {}. This is not allowed in strict mode.",
    "double_back_trick": "The hessian of the user-provided function is independent of entry {} in the grad_jacobian. This is "
                         "not allowed in strict mode as it prevents from using the double backward trick to replace forward "
                         "mode AD.",
}


def _with_zeros(gradients, like, strict, create_graph, stage):
    """The gradients, with zeros in place of None; in strict mode None is an error. `stage` is a key of `_ABSENT`."""
    result = []
    for i, (g, other) in enumerate(zip(gradients, like)):
        if g is None:
            if strict:
                raise RuntimeError(_ABSENT[stage].format(i))
            g = torch.zeros_like(other)
        elif strict and create_graph and not g.requires_grad:
            what = "hessian" if "double" in stage else "jacobian"
            raise RuntimeError(f"The {what} of the user-provided function is independent of input {i}. This is not allowed in "
                               "strict mode when create_graph=True.")
        result.append(g)
    return tuple(result)


def _vector(v, like, like_is_tuple, function, create_graph, unknown):
    """The vector of a product, which must have the shapes of `like`; None if it may be left out. `unknown` is the error if not."""
    if v is None:
        if len(like) != 1 or like[0].nelement() != 1:
            raise RuntimeError(unknown)
        return None
    v = _own(_tensors(v, "v", function)[1], create_graph, need_graph=False)
    if len(v) != len(like):
        if like_is_tuple:
            raise RuntimeError(f"v is a tuple of invalid length: should be {len(like)} but got {len(v)}.")
        raise RuntimeError("The given v should contain a single Tensor.")
    for i, (a, b) in enumerate(zip(v, like)):
        if a.size() != b.size():
            raise RuntimeError(f"{f'Entry {i} in ' if like_is_tuple else ''}v has invalid size: should be {b.size()} but got "
                               f"{a.size()}.")
    return v


_OF_INPUT = ("The vector v can only be None if the input to the user-provided function is a single Tensor with a single "
             "element.")
_OF_OUTPUT = "The vector v can only be None if the user-provided function returns a single Tensor with a single element."
_OUTPUTS = "outputs of the user-provided function"


def vjp(func, inputs, v=None, create_graph=False, strict=False):
    """The outputs of `func`, and v^T J: `v` has the shapes of the outputs, the product those of the inputs."""
    with torch.enable_grad():
        many, inputs = _tensors(inputs, "inputs", "vjp")
        inputs = _own(inputs, create_graph)
        many_out, outputs = _tensors(func(*inputs), _OUTPUTS, "vjp")
        _need_gradients(outputs, "outputs", strict)
        v = _vector(v, outputs, many_out, "vjp", create_graph, _OF_OUTPUT)
    with torch.set_grad_enabled(create_graph or torch.is_grad_enabled()):
        found = _with_zeros(_gradient(outputs, inputs, v, create_graph), inputs, strict, create_graph, "back")
    return _unpacked(_finished(outputs, create_graph), many_out), _unpacked(_finished(found, create_graph), many)


def jvp(func, inputs, v=None, create_graph=False, strict=False):
    """The outputs of `func`, and J v: `v` has the shapes of the inputs, the product those of the outputs."""
    with torch.enable_grad():
        many, inputs = _tensors(inputs, "inputs", "jvp")
        inputs = _own(inputs, create_graph)
        v = _vector(v, inputs, many, "jvp", create_graph, _OF_INPUT)
        many_out, outputs = _tensors(func(*inputs), _OUTPUTS, "jvp")
        _need_gradients(outputs, "outputs", strict)
        # `back` is J^T u for u = `zeros`. It's linear in u, so its gradient with respect to u, weighted by v, is J v.
        zeros = tuple(torch.zeros_like(o, requires_grad=True) for o in outputs)
        back = _gradient(outputs, inputs, zeros, create_graph=True)
        _need_gradients(back, "grad_inputs", strict)
    with torch.set_grad_enabled(create_graph or torch.is_grad_enabled()):
        found = _with_zeros(_gradient(back, zeros, v, create_graph), outputs, strict, create_graph, "back_trick")
    return _unpacked(_finished(outputs, create_graph), many_out), _unpacked(_finished(found, create_graph), many_out)


def _scalar(func, inputs, function, strict):
    """The output of `func`, which must be one number, as a tuple."""
    many_out, outputs = _tensors(func(*inputs), _OUTPUTS, function)
    _need_gradients(outputs, "outputs", strict)
    if many_out:
        raise RuntimeError(f"The function given to {function} should return a single Tensor")
    if outputs[0].nelement() != 1:
        raise RuntimeError(f"The Tensor returned by the function given to {function} should contain a single element")
    return outputs


def vhp(func, inputs, v=None, create_graph=False, strict=False):
    """The output of `func`, one number, and v^T H: `v` and the product have the shapes of the inputs."""
    with torch.enable_grad():
        many, inputs = _tensors(inputs, "inputs", "vhp")
        inputs = _own(inputs, create_graph)
        v = _vector(v, inputs, many, "vhp", create_graph, _OF_INPUT)
        outputs = _scalar(func, inputs, "vhp", strict)
        jac = _gradient(outputs, inputs, create_graph=True)
        _need_gradients(jac, "jacobian", strict)
    with torch.set_grad_enabled(create_graph or torch.is_grad_enabled()):
        found = _with_zeros(_gradient(jac, inputs, v, create_graph), inputs, strict, create_graph, "double_back")
    return _finished(outputs, create_graph)[0], _unpacked(_finished(found, create_graph), many)


def hvp(func, inputs, v=None, create_graph=False, strict=False):
    """The output of `func`, one number, and H v: `v` and the product have the shapes of the inputs."""
    with torch.enable_grad():
        many, inputs = _tensors(inputs, "inputs", "hvp")
        inputs = _own(inputs, create_graph)
        v = _vector(v, inputs, many, "hvp", create_graph, _OF_INPUT)
        outputs = _scalar(func, inputs, "hvp", strict)
        jac = _gradient(outputs, inputs, create_graph=True)
        _need_gradients(jac, "jacobian", strict)
        zeros = tuple(torch.zeros_like(i, requires_grad=True) for i in inputs)
        twice = _gradient(jac, inputs, zeros, create_graph=True)
        _need_gradients(jac, "hessian", strict)
    with torch.set_grad_enabled(create_graph or torch.is_grad_enabled()):
        found = _gradient(twice, zeros, v, create_graph)
        found = _with_zeros(found, inputs, strict, create_graph, "double_back_trick")
    return _finished(outputs, create_graph)[0], _unpacked(_finished(found, create_graph), many)


def _check_strategy(strategy, hint):
    if strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError('Expected strategy to be either "forward-mode" or "reverse-mode".' + hint)


def jacobian(func, inputs, create_graph=False, strict=False, vectorize=False, strategy="reverse-mode"):
    """The derivatives of every output with respect to every input: for each pair, a tensor of shape output.shape + input.shape."""
    _check_strategy(strategy, ' Hint: If your function has more outputs than inputs, "forward-mode" tends to be more '
                              'performant. Otherwise, prefer to use "reverse-mode".')
    if strategy == "forward-mode":
        # The numbers are those of reverse mode; only PyTorch's checks differ.
        for given, what, kind in ((create_graph, "create_graph", NotImplementedError), (strict, "strict", RuntimeError)):
            if given:
                raise kind(f"torch.autograd.functional.jacobian: `{what}=True` and `strategy=\"forward-mode\"` are not "
                           f"supported together (yet). Please either set `{what}=False` or `strategy=\"reverse-mode\"`.")
        if not vectorize:
            raise NotImplementedError("Computing Jacobian using forward-AD or forward-over-reverse Hessian isonly implemented "
                                      "for `vectorize=True`.")
    with torch.enable_grad():
        many, inputs = _tensors(inputs, "inputs", "jacobian")
        inputs = _own(inputs, create_graph)
        many_out, outputs = _tensors(func(*inputs), _OUTPUTS, "jacobian")
        _need_gradients(outputs, "outputs", strict)
        if vectorize and strict:
            raise RuntimeError("torch.autograd.functional.jacobian: `strict=True` and `vectorized=True` are not supported "
                               "together. Please either set `strict=False` or `vectorize=False`.")
        rows = tuple(_rows(i, output, inputs, create_graph, strict) for i, output in enumerate(outputs))
    rows = _finished(rows, create_graph)
    return _unpacked(tuple(_unpacked(row, many) for row in rows), many_out)


def _rows(number, output, inputs, create_graph, strict):
    """The derivatives of one output with respect to every input."""
    found = [[] for _ in inputs]
    for element in output.reshape(-1).unbind() if output.nelement() else ():
        gradients = _gradient((element,), inputs, create_graph=create_graph, retain_graph=True)
        for i, (g, own) in enumerate(zip(gradients, inputs)):
            if g is None:
                if strict:
                    raise RuntimeError(f"Output {number} of the user-provided function is independent of input {i}. This is "
                                       "not allowed in strict mode.")
                g = torch.zeros_like(own)
            elif strict and create_graph and not g.requires_grad:
                # PyTorch's message gives the output's number here as well.
                raise RuntimeError(f"The jacobian of the user-provided function is independent of input {number}. This is not "
                                   "allowed in strict mode when create_graph=True.")
            found[i].append(g)
    return tuple(
        (torch.stack(parts, dim=0) if parts else own.new_zeros((0,))).view(tuple(output.size()) + tuple(own.size()))
        for parts, own in zip(found, inputs))


def hessian(func, inputs, create_graph=False, strict=False, vectorize=False, outer_jacobian_strategy="reverse-mode"):
    """All second derivatives of a function whose output is one number: for inputs a and b, a tensor of shape a.shape + b.shape."""
    many, inputs = _tensors(inputs, "inputs", "hessian")
    _check_strategy(outer_jacobian_strategy, "")

    def single(*inner):
        return _scalar(func, inner, "hessian", strict)[0].squeeze()

    def first(*inner):
        if outer_jacobian_strategy == "forward-mode":
            inner = tuple(t.requires_grad_(True) for t in inner)
        found = jacobian(single, inner, create_graph=True)
        _need_gradients(found, "jacobian", strict)
        return found

    rows = jacobian(first, inputs, create_graph=create_graph, strict=strict, vectorize=vectorize,
                    strategy=outer_jacobian_strategy)
    return _unpacked(tuple(_unpacked(row, many) for row in rows), many)
