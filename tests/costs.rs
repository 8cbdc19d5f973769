//! What operators cost on a GPU: kernels, bytes and waits, as in PyTorch 2.15.
//!
//! This wasn't recorded on a GPU. The numbers follow from the source: in-place forms and `out=` from structured kernels
//! (torchgen/gen.py, aten/src/ATen/TensorIterator.cpp), the others from aten/src/ATen/native/cuda/{Shape,Bucketization,
//! SummaryOps,UniqueCub,IndexKernel,Repeat}.cu and aten/src/ATen/native/TensorAdvancedIndexing.cpp.

#![cfg(feature = "python")]

mod gpu;

use gpu::traced;
use tensoryard::trace::EventKind;

/// Everything below has 1024 elements, so a float32 tensor is one block of this size.
const ONE: usize = 4096;

/// What cuBLAS borrows for a product, and gives back.
const WORKSPACE: usize = 8_519_680;

const BEFORE: &str = "
import torch
import torch.nn.functional as F
d = torch.device('cuda')
def new():
    global x, a, b, c, e, i, n, m, w, y, gap, half, long, edges, counts, mask, whole, values, short
    x, a, b, c = (torch.rand(1024, device=d) for _ in range(4))
    e = torch.empty(0, device=d)
    i = torch.randperm(1024, device=d)
    n = torch.zeros(1024, dtype=torch.int64, device=d)
    m = torch.rand(32, 32, device=d)
    w = torch.rand(1024, device=d, requires_grad=True)
    y = w * 1
    gap, half, long = torch.rand(2048, device=d)[::2], a.half(), torch.empty(2048, device=d)
    edges = torch.linspace(0, 1, 11, device=d)
    counts, mask = torch.ones(1024, dtype=torch.int64, device=d), a > 0.5
    whole = torch.rand(32, 32, device=d)
    values, short = torch.empty(1024, dtype=torch.int64, device=d), torch.empty(32, device=d)
";

/// A statement, and for it kernels, the most bytes that it takes, and waits. `None` where PyTorch's number isn't reached.
type Case = (&'static str, Option<usize>, Option<usize>, usize);

const fn case(text: &'static str, kernels: usize, bytes: usize) -> Case {
    (text, Some(kernels), Some(bytes), 0)
}

const fn waits(text: &'static str, waits: usize) -> Case {
    (text, None, None, waits)
}

const IN_PLACE: &[Case] = &[
    case("x.addcmul_(a, b)", 1, 0),
    case("x.addcmul_(x, b, value=2)", 1, 0),
    case("x.addcdiv_(a, b)", 1, 0),
    case("x.lerp_(a, 0.5)", 1, 0),
    case("x.lerp_(a, b)", 1, 0),
    case("x[1:].lerp_(a[1:], b[1:])", 1, 0),
    case("x.scatter_(0, i, a)", 1, 0),
    case("x.scatter_(0, i, 2.0)", 1, 0),
    case("x.scatter_add_(0, i, a)", 1, 0),
    case("x.scatter_reduce_(0, i, a, 'amax')", 1, 0),
    case("x.scatter_reduce_(0, i, a, 'prod', include_self=False)", 2, 0),
    // Ones, a count of them for each element, where it's 0, and a 1 there.
    ("x.scatter_reduce_(0, i, a, 'mean')", Some(7), None, 0),
    case("x.index_add_(0, i, a)", 1, 0),
    case("x.index_add_(0, i, a, alpha=2)", 1, 0),
    case("x.index_copy_(0, i, a)", 1, 0),
    case("x.index_fill_(0, i, 2.0)", 1, 0),
    case("x.put_(i, a)", 1, 0),
    case("m.put_(i, a, accumulate=True)", 1, 0),
    case("x.clamp_(min=a)", 1, 0),
    case("x.div_(a, rounding_mode='floor')", 1, 0),
    case("m.addmm_(whole, whole)", 1, WORKSPACE),
    case("m.triu_(1)", 1, 0),
    case("F.hardtanh(x, inplace=True)", 1, 0),
    case("torch.nn.ReLU6(inplace=True)(x)", 1, 0),
    case("F.leaky_relu(x, inplace=True)", 1, 0),
    case("F.elu(x, inplace=True)", 1, 0),
    case("F.silu(x, inplace=True)", 1, 0),
    // With a graph.
    case("y.addcmul_(a, b)", 1, 0),
    case("y.addcdiv_(a, b)", 1, 0),
    case("y.lerp_(a, 0.5)", 1, 0),
    case("y.scatter_add_(0, i, a)", 1, 0),
    case("y.index_add_(0, i, a)", 1, 0),
    case("y.index_copy_(0, i, a)", 1, 0),
    case("x.addcmul_(w, b)", 1, 0),
    case("F.hardtanh(y, inplace=True)", 1, 0),
    // Some gradients need what's overwritten: PyTorch saves a copy of it.
    case("F.silu(y, inplace=True)", 2, ONE),
    // Sum, ones, and for the gather's gradient zeros to which it's added.
    case("w.gather(0, i).sum().backward()", 5, ONE + 1024),
];

const OUT: &[Case] = &[
    case("torch.add(a, b, out=x)", 1, 0),
    case("torch.add(x, b, out=x)", 1, 0),
    case("torch.mul(a, 2, out=x)", 1, 0),
    case("torch.exp(a, out=x)", 1, 0),
    case("torch.exp(x, out=x)", 1, 0),
    case("torch.exp(gap, out=x)", 1, 0),
    case("torch.exp(a, out=gap)", 1, 0),
    case("torch.addcmul(a, b, c, out=x)", 1, 0),
    case("torch.where(mask, a, x, out=x)", 1, 0),
    case("torch.clamp(a, 0, 1, out=x)", 1, 0),
    case("torch.clamp(x, 0, 1, out=x)", 1, 0),
    case("torch.clip(x, max=1, out=x)", 1, 0),
    case("torch.clamp(x, min=a, out=x)", 1, 0),
    case("torch.gt(a, b, out=mask)", 1, 0),
    case("torch.mm(m, m, out=whole)", 1, WORKSPACE),
    case("torch.softmax(a, 0, out=x)", 1, 0),
    case("torch.sum(m, 1, out=short)", 1, 0),
    case("torch.gather(a, 0, i, out=x)", 1, 0),
    case("torch.index_select(a, 0, i, out=x)", 1, 0),
    case("torch.scatter_add(x, 0, i, a, out=b)", 2, 0),
    case("torch.cat([a, b], out=long)", 1, 0),
    case("torch.arange(1024, device=d, out=values)", 1, 0),
    case("torch.zeros(1024, device=d, out=x)", 1, 0),
    case("torch.bucketize(a, edges, out=values)", 1, 0),
    // Memory for the result and nothing else.
    case("torch.add(a, b, out=e)", 1, ONE),
    case("torch.mm(m, m, out=e)", 1, ONE + WORKSPACE),
    // The result is written over what's still to be read, so it needs memory of its own.
    case("torch.mm(m, m, out=m)", 2, ONE + WORKSPACE),
    // In PyTorch the kernel converts as it writes.
    ("torch.add(half, half, out=x)", None, None, 0),
];

const JOINED: &[Case] = &[
    case("torch.cat([a, b, c])", 1, 3 * ONE),
    case("torch.cat([m, m.t()], 1)", 1, 2 * ONE),
    case("torch.cat([a] * 128)", 1, 128 * ONE),
    case("torch.cat([a] * 129)", 2, 129 * ONE),
    case("torch.cat([gap] * 64)", 1, 64 * ONE),
    case("torch.cat([gap] * 65)", 2, 65 * ONE),
    case("torch.cat([a])", 1, ONE),
    // One copy for each: of several dtypes, or with many dimensions.
    case("torch.cat([a, half])", 2, 2 * ONE),
    case("torch.cat([a.view(4, 4, 4, 4, 4)] * 3)", 3, 3 * ONE),
    case("torch.stack([a, b, c])", 1, 3 * ONE),
    case("torch.stack([a, b, c], 1)", 1, 3 * ONE),
    case("torch.stack([m, m.t()], 2)", 1, 2 * ONE),
    case("torch.stack([a.view(4, 4, 4, 16)] * 3)", 3, 3 * ONE),
    case("torch.hstack([a, b])", 1, 2 * ONE),
];

// aten/src/ATen/native/cuda/MultiTensorApply.cuh and the files beside it.
const LISTS: &[Case] = &[
    case("torch._foreach_add_([x, a], [b, c], alpha=-0.1)", 1, 0),
    case("torch._foreach_mul_([x, a, b], 0.1)", 1, 0),
    case("torch._foreach_zero_([x, a])", 1, 0),
    case("torch._foreach_copy_([x, a], [b, c])", 1, 0),
    case("torch.foreach.mul([x, a], 2)", 1, 2 * ONE),
    case("torch.foreach.addcmul_([x, a], [b, b], [c, c], value=2)", 1, 0),
    case("torch._foreach_exp_([t for t in x.view(64, 16).unbind()])", 1, 0),
    // A kernel takes 110 tensors, or 64 pairs of them.
    case("torch._foreach_exp_([t for t in x.view(128, 8).unbind()])", 2, 0),
    case("torch._foreach_add_([t for t in x.view(128, 8).unbind()], [t for t in a.view(128, 8).unbind()])", 2, 0),
    case("torch._foreach_add_([y], [a])", 1, 0),
    // One after the other: of several dtypes.
    case("torch._foreach_mul_([x, half], 2)", 2, 0),
];

const OTHERS: &[Case] = &[
    case("torch.bucketize(a, edges)", 1, 2 * ONE),
    case("torch.bucketize(a, edges, out_int32=True, right=True)", 1, ONE),
    case("torch.searchsorted(edges, a)", 1, 2 * ONE),
    case("torch.searchsorted(m, whole, out_int32=True)", 1, ONE),
    waits("a.repeat_interleave(counts)", 2),
    waits("a.repeat_interleave(counts, output_size=1024)", 0),
    waits("torch.repeat_interleave(counts, output_size=1024)", 0),
    waits("torch.histc(a, 10, 0, 1)", 0),
    waits("torch.histc(a, 10)", 2),
    waits("torch.unique_consecutive(n)", 1),
    waits("torch.unique_consecutive(n, return_inverse=True, return_counts=True)", 1),
];

/// Kernels, the most bytes beyond those before, and waits of each case.
fn costs(cases: &[Case]) -> Vec<(usize, usize, usize)> {
    let statements: Vec<&str> = cases.iter().map(|case| case.0).collect();
    let mut source = BEFORE.to_string();
    let first = source.lines().count() as u32 + 2;
    for text in &statements {
        source += "new(); torch.cuda.reset_peak_memory_stats(); before = torch.cuda.memory_allocated()\n";
        source += &format!("r = {text}\n");
        source += "print(torch.cuda.max_memory_allocated() - before); r = None\n";
    }
    let (out, events) = traced(&source);
    let bytes: Vec<usize> = out.lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(bytes.len(), cases.len());
    let lines = (first..).step_by(3);
    lines
        .zip(bytes)
        .map(|(line, bytes)| {
            let here = || events.iter().filter(|e| e.line == line);
            let kernels = here().filter(|e| matches!(e.kind, EventKind::Kernel { .. })).count();
            (kernels, bytes, here().filter(|e| matches!(e.kind, EventKind::Sync { .. })).count())
        })
        .collect()
}

fn check(cases: &[Case]) {
    let mut wrong = Vec::new();
    for ((text, kernels, bytes, waits), cost) in cases.iter().zip(costs(cases)) {
        let wanted = (kernels.unwrap_or(cost.0), bytes.unwrap_or(cost.1), *waits);
        println!("{text}: {} kernels, {} bytes, {} waits", cost.0, cost.1, cost.2);
        if cost != wanted {
            wrong.push(format!("{text}: {cost:?}, in PyTorch {wanted:?}"));
        }
    }
    assert!(wrong.is_empty(), "kernels, bytes, waits\n{}", wrong.join("\n"));
}

#[test]
fn in_place_forms_write_in_place() {
    check(IN_PLACE);
}

#[test]
fn a_result_is_written_into_out() {
    check(OUT);
}

#[test]
fn tensors_are_joined_by_one_kernel() {
    check(JOINED);
}

#[test]
fn lists_of_tensors_share_kernels() {
    check(LISTS);
}

#[test]
fn searches_are_one_kernel_and_counts_wait_no_longer_than_they_must() {
    check(OTHERS);
}

/// What's written in place is the same as what's computed apart, whatever shares memory with it; so are gradients, versions
/// and names of nodes.
#[test]
fn nothing_but_the_costs_differs() {
    let source = "
import warnings
import torch
import torch.nn.functional as F

def same(a, b): assert torch.equal(a.detach().cpu(), b.detach().cpu()), (a, b)

FORMS = [
    (lambda t, a, b, i: t.addcmul_(a, b, value=3), lambda t, a, b, i: t.addcmul(a, b, value=3), 'AddcmulBackward0'),
    (lambda t, a, b, i: t.addcdiv_(a, b), lambda t, a, b, i: t.addcdiv(a, b), 'AddcdivBackward0'),
    (lambda t, a, b, i: t.lerp_(a, 0.25), lambda t, a, b, i: t.lerp(a, 0.25), 'LerpBackward0'),
    (lambda t, a, b, i: t.lerp_(a, b), lambda t, a, b, i: t.lerp(a, b), 'LerpBackward1'),
    (lambda t, a, b, i: t.scatter_(0, i, a), lambda t, a, b, i: t.scatter(0, i, a), 'ScatterBackward0'),
    (lambda t, a, b, i: t.scatter_add_(0, i, a), lambda t, a, b, i: t.scatter_add(0, i, a), 'ScatterAddBackward0'),
    (lambda t, a, b, i: t.scatter_reduce_(0, i, a, 'mean'), lambda t, a, b, i: t.scatter_reduce(0, i, a, 'mean'),
     'ScatterReduceBackward0'),
    (lambda t, a, b, i: t.scatter_reduce_(0, i, a, 'amax', include_self=False),
     lambda t, a, b, i: t.scatter_reduce(0, i, a, 'amax', include_self=False), 'ScatterReduceBackward0'),
    (lambda t, a, b, i: t.index_add_(0, i, a, alpha=2), lambda t, a, b, i: t.index_add(0, i, a, alpha=2), 'IndexAddBackward0'),
    (lambda t, a, b, i: t.index_copy_(0, i, a), lambda t, a, b, i: t.index_copy(0, i, a), 'IndexCopyBackward0'),
    (lambda t, a, b, i: t.index_fill_(0, i[:2], 2.0), lambda t, a, b, i: t.index_fill(0, i[:2], 2.0), 'IndexFillBackward0'),
    (lambda t, a, b, i: F.hardtanh(t, inplace=True), lambda t, a, b, i: F.hardtanh(t), 'HardtanhBackward0'),
    (lambda t, a, b, i: F.elu(t, inplace=True), lambda t, a, b, i: F.elu(t), 'EluBackward0'),
    (lambda t, a, b, i: t.clamp_(min=a, max=b), lambda t, a, b, i: t.clamp(min=a, max=b), 'ClampBackward0'),
]
torch.manual_seed(0)
for device in ['cpu', 'cuda']:
    i = torch.tensor([3, 0, 2, 1], device=device)
    for change, compute, node in FORMS:
        for which in range(4):
            w, a, b = (torch.randn(4, device=device).add(3 * (k == 2)).requires_grad_(which in (k, 3)) for k in range(3))
            apart = compute(w * 1, a, b, i)
            leaves = [t for t in (w, a, b) if t.requires_grad]
            grads = lambda t: torch.autograd.grad((t * t).sum(), leaves, allow_unused=True)
            wanted = grads(apart) if apart.requires_grad else []
            for view in [False, True]:
                t = w * 1
                base = torch.cat([t, t]) if view else t
                if view:
                    t = base[4:]
                version, address = t._version, t.data_ptr()
                change(t, a, b, i)
                assert (t._version, t.data_ptr()) == (version + 1, address), (node, t._version, version)
                same(t, apart)
                assert t.requires_grad == apart.requires_grad, node
                if not t.requires_grad:
                    continue
                assert type(t.grad_fn).__name__ == ('AsStridedBackward0' if view else node), (t.grad_fn, node)
                for mine, theirs in zip(grads(t), wanted):
                    if theirs is not None:
                        torch.testing.assert_close(mine, theirs)

    # Something else that's in the same memory.
    x = torch.arange(6.0, device=device)
    for f in [lambda t: t.addcmul_(t, t), lambda t: t.lerp_(t, 0.5), lambda t: t.addcdiv_(t, t)]:
        y = x + 1
        f(y)
        assert y._version == 1
    y = (x + 1).requires_grad_()
    z = y * 1
    z.addcmul_(z, x)
    try:
        z.sum().backward()
        print('no error for a saved tensor that was overwritten')
    except RuntimeError as error:
        assert 'modified by an inplace operation' in str(error)

    # Where `out` is one of the operands, or a part of the result is read again.
    m = torch.rand(8, 8, device=device)
    for f in [torch.mm, torch.matmul]:
        wanted = f(m, m)
        n = m.clone()
        assert f(n, n, out=n) is n
        same(n, wanted)
    n = m.clone()
    same(torch.cumsum(n, 0, out=n), torch.cumsum(m, 0))
    n = m.clone()
    same(torch.sub(n, 1, out=n), m - 1)
    n = m.clone()
    same(torch.clamp(n, 0.2, 0.8, out=n), m.clamp(0.2, 0.8))
    n = m.clone()
    same(torch.clamp(m * 2, m.sqrt(), n, out=n), (m * 2).clamp(m.sqrt(), m))
    order = torch.randperm(8, device=device)
    n = m.clone()
    same(torch.index_select(n, 0, order, out=n), m[order])
    long = torch.empty(16, 8, device=device)
    same(torch.cat([m, m], out=long), torch.cat([m, m]))
    same(torch.quantile(m, 0.5, dim=0, out=long[0]), torch.quantile(m, 0.5, dim=0))
    values, places = torch.empty(8, 8, device=device), torch.empty(8, 8, dtype=torch.int64, device=device)
    r = torch.sort(m, 1, out=(values, places))
    same(values, m.sort(1)[0]); same(places, m.sort(1)[1])
    whole = torch.randint(0, 9, (8, 8), device=device)
    v, p = torch.empty_like(whole), torch.empty_like(whole)
    torch.sort(whole, 1, out=(v, p))
    same(v, whole.sort(1)[0]); same(p, whole.sort(1)[1])
    for size in [0, 3]:
        out = torch.empty(size, device=device)
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter('always')
            torch.add(m, 1, out=out)
        assert len(seen) == (size > 0), seen
        same(out, m + 1)
    part = torch.zeros(4, 8, 8, device=device)
    torch.mul(m, m.t(), out=part[2])
    same(part[2], m * m.t()); assert part[1].sum() == 0 == part[3].sum()
    torch.mul(m, m.t(), out=part[1].t())
    same(part[1].t(), m * m.t())
    half = torch.empty(8, 8, dtype=torch.float64, device=device)
    same(torch.add(m, m, out=half), (m + m).double())

    # Joining and searching.
    for parts in [[m, m.t()], [m] * 200, [m.t()] * 70, [m, m.half()], [m.view(2, 2, 2, 2, 2, 2)] * 3]:
        for dim in range(parts[0].dim()):
            got = torch.cat(parts, dim)
            end = 0
            for t in parts:
                same(got.narrow(dim, end, t.size(dim)), t.float()); end += t.size(dim)
    same(torch.cat([m[:0], m, torch.empty(0, device=device)]), m)
    z = torch.complex(m, m)
    same(torch.view_as_real(torch.cat([z, z])), torch.view_as_real(z).repeat(2, 1, 1))
    same(torch.stack([m, m.t()], 1)[:, 1], m.t())
    edges = torch.tensor([0.0, 1.0, 1.0, 2.0], device=device)
    x = torch.tensor([[-1.0, 0.0, 0.5], [1.0, 2.0, float('nan')]], device=device)
    assert torch.bucketize(x, edges).tolist() == [[0, 0, 1], [1, 3, 4]]
    assert torch.bucketize(x, edges, right=True).tolist() == [[0, 1, 1], [3, 4, 4]]
    rows = torch.tensor([[3, 1, 2], [9, 7, 8]], device=device)
    order = rows.argsort(1)
    got = torch.searchsorted(rows, torch.tensor([[2, 4], [7, 10]], device=device), sorter=order, out_int32=True)
    assert got.tolist() == [[1, 3], [0, 3]] and got.dtype == torch.int32
    assert torch.searchsorted(edges, 1).item() == 1

    x = torch.tensor([1, 1, 2, 2, 2, 1], device=device)
    got = torch.unique_consecutive(x, return_inverse=True, return_counts=True)
    assert [t.tolist() for t in got] == [[1, 2, 1], [0, 0, 1, 1, 1, 2], [2, 3, 1]]
    counts = torch.tensor([0, 2, 1], device=device)
    assert torch.arange(3, device=device).repeat_interleave(counts, output_size=3).tolist() == [1, 1, 2]
    h = torch.tensor([0.0, 0.1, 0.5, 1.0, 1.5, -1.0, float('nan')], device=device)
    assert torch.histc(h, 4, 0, 1).tolist() == [2, 0, 1, 1]
    x = torch.zeros(2, 3, device=device)
    x.masked_scatter_(torch.tensor([[True, False, True], [False, True, False]], device=device), torch.arange(1.0, 9, device=device))
    assert x.tolist() == [[1, 0, 2], [0, 3, 0]]
print('fine')
";
    assert_eq!(traced(source).0, "fine\n");
}
