"""Compares gradients with finite differences, as in torch.autograd.gradcheck."""

import itertools
import warnings

import torch
from _torch import Tensor
from torch.autograd.function import Function


class GradcheckError(RuntimeError):
    """Gradients differ from finite differences."""


def _outputs(result):
    results = result if isinstance(result, (tuple, list)) else (result,)
    # PyTorch asks each result this first, and what isn't a tensor can't answer.
    return [r for r in results if r.requires_grad or r.is_floating_point() or r.is_complex()]


def _fail(raise_exception, message):
    if raise_exception:
        raise GradcheckError(message)
    return False


# As PyTorch says it.
_NOT_SAME = """Backward is not reentrant, i.e., running backward with same input and grad_output multiple times gives different values, \
although analytical gradient matches numerical gradient.The tolerance for nondeterminism was {}.

NOTE: If your op relies on non-deterministic operations i.e., it is listed here:
https://pytorch.org/docs/stable/generated/torch.use_deterministic_algorithms.html
this failure might be expected.

If you are adding a new operator, please file an issue and then use one of the
workarounds. The workaround depends on how your test invokes gradcheck/gradgradcheck.
If the test
- manually invokes gradcheck/gradgradcheck, then call gradcheck/gradgradcheck
  with `nondet_tol=<tol>` as a keyword argument.
- is OpInfo-based (e.g., in test_ops_gradients.py), then modify the OpInfo for the test
  to have `gradcheck_nondet_tol=<tol>`.
- is a Module test (e.g., in common_nn.py), then modify the corresponding
  module_test entry to have `gradcheck_nondet_tol=<tol>`
"""


def _jacobian_rows(output, wanted):
    """For each element of an output, its gradients by a backward pass."""
    flat = output.reshape(-1)
    rows = []
    for k in range(flat.numel()):
        found = torch.autograd.grad(flat[k], wanted, retain_graph=True, allow_unused=True)
        rows.append([torch.zeros_like(t) if g is None else g for g, t in zip(found, wanted)])
    return rows


def _numerical(func, inputs, t, o, eps):
    """The Jacobian of one output with respect to one input, by central differences."""
    columns = []
    place = t.data
    with torch.no_grad():
        for j in itertools.product(*map(range, t.shape)):
            before = place[j].item()
            slopes = []
            # A gradient of a complex number has the slope along the imaginary axis as its imaginary part.
            for step in (eps, eps * 1j) if t.is_complex() else (eps,):
                place[j] = before + step
                above = _outputs(func(*inputs))[o].reshape(-1).clone()
                place[j] = before - step
                below = _outputs(func(*inputs))[o].reshape(-1).clone()
                slopes.append((above - below) / (2 * eps))
            place[j] = before
            columns.append(slopes[0] if len(slopes) == 1 else torch.complex(*slopes))
    return torch.stack(columns) if columns else None


def _forward_jacobians(func, inputs, wanted, count):
    """For each input that is differentiated, the Jacobian of each output, computed in forward mode."""
    import torch.autograd.forward_ad as fwAD

    made = []
    for t in wanted:
        rows = [[] for _ in range(count)]
        for j in range(t.numel()):
            tangent = torch.zeros_like(t).view(-1)
            tangent[j] = 1
            with fwAD.dual_level():
                dual = fwAD.make_dual(t.detach(), tangent.view_as(t))
                given = [dual if i is t else i.detach() if isinstance(i, Tensor) else i for i in inputs]
                for row, output in zip(rows, _outputs(func(*given))):
                    found = fwAD.unpack_dual(output).tangent
                    row.append((torch.zeros_like(output) if found is None else found).detach().reshape(-1))
        made.append([torch.stack(row) for row in rows])
    return made


def gradcheck(
    func, inputs, *, eps=1e-6, atol=1e-5, rtol=1e-3, raise_exception=True, nondet_tol=0.0, check_undefined_grad=True,
    check_grad_dtypes=False, check_batched_grad=False, check_batched_forward_grad=False, check_forward_ad=False,
    check_backward_ad=True, fast_mode=False, masked=None,
):
    """Compares every entry of the Jacobian from backward passes with central differences. Inputs should be float64 or complex128."""
    if not (check_forward_ad or check_backward_ad):
        raise AssertionError("Expected at least one of check_forward_ad or check_backward_ad to be True")
    if check_batched_grad and not check_backward_ad:
        raise AssertionError("Setting check_batched_grad=True requires check_backward_ad to be True")
    if check_batched_forward_grad and not check_forward_ad:
        raise AssertionError("Setting check_batched_forward_grad=True requires check_forward_ad to be True")
    inputs = (inputs,) if isinstance(inputs, Tensor) else tuple(inputs)
    wanted = [i for i in inputs if isinstance(i, Tensor) and i.requires_grad]
    if not wanted:
        raise ValueError("gradcheck expects at least one input tensor to require gradient, but none of them have "
                         "requires_grad=True.")
    for index, t in enumerate(inputs):
        if isinstance(t, Tensor) and t.requires_grad and t.dtype not in (torch.float64, torch.complex128):
            warnings.warn(
                f"Input #{index} requires gradient and is not a double precision floating point or complex. This check "
                "will likely fail if all the inputs are not of double precision floating point or complex. ",
                stacklevel=2,
            )
        strided = isinstance(t, Tensor) and t.requires_grad and t.layout is torch.strided
        if strided and not all(step > 0 or size <= 1 for step, size in zip(t.stride(), t.shape)):
            raise RuntimeError(
                f"The {index}th input has a dimension with stride 0. gradcheck only supports inputs that are non-overlapping to be able to "
                "compute the numerical gradients correctly. You should call .contiguous on the input before passing it to gradcheck."
            )
    checks = dict(eps=eps, atol=atol, rtol=rtol, raise_exception=raise_exception, check_forward_ad=check_forward_ad,
                  check_backward_ad=check_backward_ad, nondet_tol=nondet_tol)
    split = [o for o, output in enumerate(_outputs(func(*inputs))) if output.is_complex()]
    if not split:
        return (_compared(func, inputs, wanted, **checks)
                and (not check_batched_forward_grad or _batched_forward(func, inputs, wanted, raise_exception))
                and (not check_batched_grad or _batched(func, inputs, wanted, raise_exception))
                and (not check_backward_ad or _no_gradients(func, inputs, wanted, check_undefined_grad, raise_exception)))

    def part(name):
        """The function with one part of each complex output."""
        return lambda *args: tuple(getattr(out, name) if out.is_complex() else out for out in _outputs(func(*args)))

    if check_batched_grad or check_batched_forward_grad:
        raise NotImplementedError("torch.autograd.gradcheck of batched gradients of complex outputs")
    compared = all(
        _compared(part(name), inputs, wanted, prefix={o: f"While considering the {word} part of complex outputs only, " for o in split},
                  only=only, **checks)
        for name, word, only in (("imag", "imaginary", split), ("real", "real", None))
    )
    return compared and (not check_backward_ad or _no_gradients(func, inputs, wanted, check_undefined_grad, raise_exception))


def _compared(func, inputs, wanted, *, eps, atol, rtol, raise_exception, check_forward_ad, check_backward_ad, nondet_tol, prefix={},
              only=None):
    """Whether the Jacobians of a function with real outputs are its differences. `only` names the outputs to look at."""
    outputs = _outputs(func(*inputs))
    forward = _forward_jacobians(func, inputs, wanted, len(outputs)) if check_forward_ad else None
    if not any(output.requires_grad for output in outputs):
        for o, t in itertools.product(range(len(outputs)), wanted):
            numerical = _numerical(func, inputs, t, o, eps)
            if numerical is not None and numerical.count_nonzero():
                return _fail(raise_exception, "Numerical gradient for function expected to be zero")
        return True
    for o, output in enumerate(outputs):
        if not output.requires_grad or only is not None and o not in only:
            continue
        # Twice, since a function may draw random numbers in its backward pass.
        rows, again = (_jacobian_rows(output, wanted) if check_backward_ad else [] for _ in range(2))
        for one, other in zip(rows, again):
            if any((g - h).abs().max() > nondet_tol for g, h in zip(one, other) if g.numel()):
                return _fail(raise_exception, _NOT_SAME.format(nondet_tol))
        for i, t in enumerate(wanted):
            analytic = torch.stack([row[i].reshape(-1) for row in rows], 1) if rows else t.new_zeros(t.numel(), output.numel())
            numerical = _numerical(func, inputs, t, o, eps)
            numerical = analytic if numerical is None else numerical
            if forward is not None and not torch.allclose(forward[i][o], numerical.to(t.dtype), rtol, atol):
                return _fail(
                    raise_exception,
                    f"{prefix.get(o, '')}Jacobian computed with forward mode mismatch for output {o} with respect to input {i},\n"
                    f"numerical:{numerical}\nanalytical:{forward[i][o]}\n",
                )
            if check_backward_ad and not torch.allclose(analytic, numerical.to(analytic.dtype), rtol, atol):
                return _fail(
                    raise_exception,
                    f"{prefix.get(o, '')}Jacobian mismatch for output {o} with respect to input {i},\nnumerical:{numerical}\n"
                    f"analytical:{analytic}\n",
                )
    return True


class _Undefined(Function):
    """Passes a tensor on, and no gradient back."""

    @staticmethod
    def forward(ctx, tensor):
        return tensor.view_as(tensor)

    @staticmethod
    def backward(ctx, grad):
        return None


def _no_gradients(func, inputs, wanted, check_undefined_grad, raise_exception):
    """Whether gradients of zero give gradients of zero, and missing ones do as well."""
    def differentiable():
        return [output for output in _outputs(func(*inputs)) if output.requires_grad]

    def gradients(outputs):
        return torch.autograd.grad(outputs, wanted, [torch.zeros_like(o) for o in outputs], allow_unused=True)

    outputs = differentiable()
    if not outputs:
        return True
    for grad, t in zip(gradients(outputs), wanted):
        if grad is not None and grad.count_nonzero():
            return _fail(raise_exception, "backward not multiplied by grad_output")
        if grad is not None and grad.dtype != t.dtype:
            return _fail(raise_exception, "grad is incorrect type")
    if not check_undefined_grad:
        return True
    # All of them are missing, then each one by itself.
    missing = [range(len(outputs)), *([i] for i in range(len(outputs)) if len(outputs) > 1)]
    for places in missing:
        given = [_Undefined.apply(o) if i in places else o for i, o in enumerate(differentiable())]
        try:
            found = gradients(given)
        except RuntimeError as error:
            _warn_of_missing()
            why = "Expected backward function to handle undefined output grads."
            if raise_exception:
                raise GradcheckError(why + _SEE_NOTES) from error
            return False
        if any(grad is not None and grad.count_nonzero() for grad in found):
            _warn_of_missing()
            return _fail(raise_exception, "Expected all input grads to be undefined or zero when all output grads are undefined or zero."
                         + _SEE_NOTES)
    return True


_SEE_NOTES = ' Please look at "Notes about undefined output gradients" in "tools/autograd/derivatives.yaml"'


def _warn_of_missing():
    warnings.warn("Backwards compatibility: New undefined gradient support checking feature is enabled by default, but it may break existing "
                  'callers of this function. If this is true for you, you can call this function with "check_undefined_grad=False" to disable '
                  "the feature", stacklevel=4)


def _same_batched(one_by_one, given, numbers, hint, raise_exception):
    """Whether `torch.vmap` over a function's arguments gives what calling it with each of them gives."""
    expected = [torch.stack(shards) for shards in zip(*map(one_by_one, given))]
    try:
        result = torch.vmap(one_by_one)(torch.stack(given))
    except RuntimeError as error:
        raise GradcheckError(f"While computing batched gradients, got: {error}\n\n{hint}") from error
    for place, (res, exp) in enumerate(zip(result, expected)):
        if not torch.allclose(res, exp):
            o, i = numbers(place)
            return _fail(
                raise_exception,
                f"For output {o} and input {i}:\n\nGot:\n{res}\n\nExpected:\n{exp}\n\n{hint}",
            )
    return True


def _batched(func, inputs, wanted, raise_exception):
    """Whether backward passes of several gradients at once give what they give one after another."""
    hint = "gradcheck was run with check_batched_grad=True: vmap over torch.autograd.grad disagrees with a loop over it."
    for o, output in enumerate(_outputs(func(*inputs))):
        if not output.requires_grad:
            continue

        def vjp(v, output=output):
            found = torch.autograd.grad(output, wanted, v, retain_graph=True, allow_unused=True)
            return tuple(torch.zeros_like(t) if g is None else g for g, t in zip(found, wanted))

        given = [torch.randn_like(output) for _ in range(2)]
        if not _same_batched(vjp, given, lambda place, o=o: (o, place), hint, raise_exception):
            return False
    return True


def _batched_forward(func, inputs, wanted, raise_exception):
    """Whether forward mode with several tangents at once gives what it gives with one after another."""
    import torch.autograd.forward_ad as fwAD

    hint = "gradcheck was run with check_batched_forward_grad=True: vmap over forward mode disagrees with a loop over it."
    for t in wanted:
        def jvp(tangent, t=t):
            with fwAD.dual_level():
                dual = fwAD.make_dual(t.detach(), tangent)
                given = [dual if i is t else i.detach() if isinstance(i, Tensor) else i for i in inputs]
                pairs = map(fwAD.unpack_dual, _outputs(func(*given)))
                return tuple(torch.zeros_like(p.primal) if p.tangent is None else p.tangent for p in pairs)

        given = [torch.randn_like(t) for _ in range(2)]
        if not _same_batched(jvp, given, lambda place: (place, place), hint, raise_exception):
            return False
    return True


def gradgradcheck(
    func, inputs, grad_outputs=None, *, eps=1e-6, atol=1e-5, rtol=1e-3, gen_non_contig_grad_outputs=False, raise_exception=True,
    nondet_tol=0.0, check_undefined_grad=True, check_grad_dtypes=False, check_batched_grad=False, check_fwd_over_rev=False,
    check_rev_over_rev=True, fast_mode=False, masked=False,
):
    """Like `gradcheck`, for the gradients of gradients."""
    if not (check_fwd_over_rev or check_rev_over_rev):
        raise AssertionError("Expected at least one of check_fwd_over_rev or check_rev_over_rev to be True")
    if check_undefined_grad and not check_rev_over_rev:
        raise AssertionError("Setting check_undefined_grad=True requires check_rev_over_rev to be True")
    if check_batched_grad and not check_rev_over_rev:
        raise AssertionError("Setting check_batched_grad=True requires check_rev_over_rev to be True")
    inputs = (inputs,) if isinstance(inputs, Tensor) else tuple(inputs)
    if grad_outputs is None:
        # Drawn as PyTorch draws them, so that a program's later random numbers are PyTorch's.
        grad_outputs = [
            torch.testing.make_tensor(o.shape, dtype=o.dtype, device=o.device, low=-1, high=1, requires_grad=True,
                                      noncontiguous=gen_non_contig_grad_outputs)
            for o in _outputs(func(*inputs))
        ]
    seeds = [grad_outputs] if isinstance(grad_outputs, Tensor) else list(grad_outputs)
    count = len(seeds)
    needed = [isinstance(i, Tensor) and i.requires_grad for i in (*inputs, *seeds)]

    def gradients(*args):
        with torch.enable_grad():
            # Forward mode gives tensors that no longer say they need a gradient.
            args = [i.requires_grad_() if need else i for i, need in zip(args, needed)]
            own = args[:-count]
            wanted = [i for i, need in zip(own, needed) if need]
            found = torch.autograd.grad(
                _outputs(func(*own)), wanted, args[-count:], create_graph=True, allow_unused=True
            )
        return tuple(torch.zeros_like(t) if g is None else g for g, t in zip(found, wanted))

    return gradcheck(
        gradients, (*inputs, *seeds), eps=eps, atol=atol, rtol=rtol, raise_exception=raise_exception, nondet_tol=nondet_tol,
        check_forward_ad=check_fwd_over_rev, check_backward_ad=check_rev_over_rev, check_batched_grad=check_batched_grad,
    )
