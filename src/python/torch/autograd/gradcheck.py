"""Compares gradients with finite differences, as in torch.autograd.gradcheck."""

import itertools
import warnings

import torch
from _torch import Tensor


class GradcheckError(RuntimeError):
    """Gradients differ from finite differences."""


def _outputs(result):
    results = result if isinstance(result, (tuple, list)) else (result,)
    return [r for r in results if isinstance(r, Tensor) and (r.is_floating_point() or r.is_complex())]


def _fail(raise_exception, message):
    if raise_exception:
        raise GradcheckError(message)
    return False


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
    checks = dict(eps=eps, atol=atol, rtol=rtol, raise_exception=raise_exception, check_forward_ad=check_forward_ad,
                  check_backward_ad=check_backward_ad)
    split = [o for o, output in enumerate(_outputs(func(*inputs))) if output.is_complex()]
    if not split:
        return (_compared(func, inputs, wanted, **checks)
                and (not check_batched_forward_grad or _batched_forward(func, inputs, wanted, raise_exception))
                and (not check_batched_grad or _batched(func, inputs, wanted, raise_exception)))

    def part(name):
        """The function with one part of each complex output."""
        return lambda *args: tuple(getattr(out, name) if out.is_complex() else out for out in _outputs(func(*args)))

    if check_batched_grad or check_batched_forward_grad:
        raise NotImplementedError("torch.autograd.gradcheck of batched gradients of complex outputs")
    return all(
        _compared(part(name), inputs, wanted, prefix={o: f"While considering the {word} part of complex outputs only, " for o in split},
                  only=only, **checks)
        for name, word, only in (("imag", "imaginary", split), ("real", "real", None))
    )


def _compared(func, inputs, wanted, *, eps, atol, rtol, raise_exception, check_forward_ad, check_backward_ad, prefix={}, only=None):
    """Whether the Jacobians of a function with real outputs are its differences. `only` names the outputs to look at."""
    outputs = _outputs(func(*inputs))
    forward = _forward_jacobians(func, inputs, wanted, len(outputs)) if check_forward_ad else None
    for o, output in enumerate(outputs):
        if not output.requires_grad or only is not None and o not in only:
            continue
        flat = output.reshape(-1)
        rows = []
        for k in range(flat.numel() if check_backward_ad else 0):
            found = torch.autograd.grad(flat[k], wanted, retain_graph=True, allow_unused=True)
            rows.append([torch.zeros_like(t) if g is None else g for g, t in zip(found, wanted)])
        for i, t in enumerate(wanted):
            analytic = torch.stack([row[i].reshape(-1) for row in rows], 1) if rows else t.new_zeros(t.numel(), flat.numel())
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
            numerical = torch.stack(columns) if columns else analytic
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
        gradients, (*inputs, *seeds), eps=eps, atol=atol, rtol=rtol, raise_exception=raise_exception,
        check_forward_ad=check_fwd_over_rev, check_backward_ad=check_rev_over_rev, check_batched_grad=check_batched_grad,
    )
