//! Programs and files that try to break out of their limits: memory stays sound, and the run ends in an orderly way.

#![cfg(feature = "python")]

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tensoryard::engine::{self, Engine};
use tensoryard::executor::cpu::CpuExecutor;
use tensoryard::machine::Machine;
use tensoryard::python::output::Captured;
use tensoryard::python::{Program, run};

/// A program's output, its standard error, and its exit code.
fn python(source: &str) -> (String, String, i32) {
    let source = source.to_string();
    let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(move || again(&source));
    thread.unwrap().join().unwrap()
}

/// Like [`python`], on this thread, after other programs have run here.
fn again(source: &str) -> (String, String, i32) {
    let machine = Machine::preset("cuda:1").unwrap();
    engine::install(Engine::new(machine, |_| Rc::new(CpuExecutor::simulating())));
    let output = Rc::new(Captured::default());
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hostile").to_string();
    let program = Program { folder: Some(folder.clone()), args: vec![folder], ..Program::new("main.py", source) };
    let ended = run(&program, output.clone());
    (output.stdout.take(), output.stderr.take(), ended.exit_code)
}

/// Runs a program that prints the result or the error of each expression.
#[track_caller]
fn says(expressions: &str, expected: &str) {
    let program = format!("{SAYS}\nsay({expressions:?})\n");
    let (stdout, stderr, code) = python(&program);
    assert_eq!((stdout.as_str(), stderr.as_str(), code), (expected, "", 0));
}

/// One expression per line. Lines that begin with `!` are run first.
const SAYS: &str = r#"
import collections, copyreg, sys, warnings, torch, torch.nn.functional as F
warnings.simplefilter("ignore")
def say(lines):
    names = dict(globals())
    for line in lines.strip().splitlines():
        if line.startswith("!"):
            exec(line[1:], names)
            continue
        try:
            print(repr(eval(line, names)).replace("\n", " "))
        except Exception as error:
            print(type(error).__name__ + ":", str(error).split("\n")[0])
"#;

const NO_SUBCLASS: &str = "TypeError: Creating a Tensor subclass from a class that does not inherit from Tensor is not possible. Make sure your class inherits from Tensor.\n";

#[test]
fn no_other_class_holds_a_tensor() {
    let roads = r#"
torch.ones(2).as_subclass(collections.OrderedDict)
torch.ones(2).as_subclass(int)
torch.Tensor._make_subclass(set, torch.ones(2))
torch.nn.Parameter.__new__(dict, torch.ones(2))
torch.nn.Parameter.__new__(torch.Size, torch.ones(2))
torch._tensor._rebuild_from_type_v2(lambda: torch.ones(2), collections.OrderedDict, (), None)
torch.load(sys.argv[1] + "/evil_load.pt")
torch.load(sys.argv[1] + "/evil_nested.pt")
torch.load(sys.argv[1] + "/evil_load.pt", weights_only=False)
"#;
    says(roads, &NO_SUBCLASS.repeat(9));
    // PyTorch's messages, except that `torch._C.TensorBase` is `Tensor` here.
    says(
        r#"
torch.ones(2).as_subclass(3)
torch.Tensor._make_subclass(3, torch.ones(2))
torch.Tensor._make_subclass(torch.Tensor, 3)
torch.Tensor.__new__(dict, 2)
object.__new__(torch.Tensor)
int.__new__(torch.Tensor)
torch.Size.__new__(dict, (1,))
torch.Size.__new__(tuple, (1,))
type("Z", (torch.Tensor, dict), {}) is None
copyreg._reconstructor(torch.nn.Parameter, tuple, (1, 2))
"#,
        "TypeError: cls must be a type (got int)\n\
         TypeError: cls must be a type (got int)\n\
         TypeError: _make_subclass(): argument 'data' (position 2) must be Tensor, not int\n\
         TypeError: Tensor.__new__(dict): dict is not a subtype of Tensor\n\
         TypeError: object.__new__(Tensor) is not safe, use Tensor.__new__()\n\
         TypeError: int.__new__(Tensor): Tensor is not a subtype of int\n\
         TypeError: torch.Size.__new__(dict): dict is not a subtype of torch.Size\n\
         TypeError: torch.Size.__new__(tuple): tuple is not a subtype of torch.Size\n\
         TypeError: multiple bases have instance layout conflict\n\
         TypeError: tuple.__new__(Parameter): Parameter is not a subtype of tuple\n",
    );
}

#[test]
fn no_object_takes_the_class_of_another_kind() {
    says(
        r#"
!class A: pass
!class D(dict): pass
!class S(staticmethod): pass
!class M(torch.Tensor): pass
!class N(torch.Tensor): pass
!def become(x, cls): x.__class__ = cls; return type(x).__name__
become(torch.ones(2), A)
become(torch.ones(2).as_subclass(M), D)
become(torch.ones(2).as_subclass(M), S)
become(S(len), M)
become(A(), torch.Tensor)
become((torch.ones(2, requires_grad=True) * 2).grad_fn, type(sys._getframe().f_locals))
become(torch.ones(2).as_subclass(M), N)
become(torch.ones(2).as_subclass(M), torch.Tensor)
become(torch.ones(2), M)
type((torch.ones(2, requires_grad=True) * 2).grad_fn)()
torch.autograd.graph.Node()
type(torch.relu)()
"#,
        "TypeError: __class__ assignment: 'A' object layout differs from 'Tensor'\n\
         TypeError: __class__ assignment: 'D' object layout differs from 'M'\n\
         TypeError: __class__ assignment: 'S' object layout differs from 'M'\n\
         TypeError: __class__ assignment: 'M' object layout differs from 'S'\n\
         TypeError: __class__ assignment: 'Tensor' object layout differs from 'A'\n\
         TypeError: __class__ assignment only supported for mutable types or ModuleType subclasses\n\
         'N'\n\
         'Tensor'\n\
         'M'\n\
         TypeError: cannot create 'MulBackward0' instances\n\
         TypeError: cannot create 'torch.autograd.graph.Node' instances\n\
         TypeError: cannot create 'builtin_function_or_method' instances\n",
    );
    // No class from which another can be derived has the same layout as a tensor.
    let (stdout, ..) = python(
        r#"
import sys, torch, _torch
for name in sys.builtin_module_names:
    try: __import__(name)
    except Exception: pass
seen = {object}
def walk(cls):
    for sub in type.__subclasses__(cls):
        if sub not in seen:
            seen.add(sub)
            walk(sub)
walk(object)
def alike(c):
    derivable, fixed = c.__flags__ >> 10 & 1, c.__flags__ >> 8 & 1
    laid_out = c.__basicsize__ == torch.Tensor.__basicsize__ and c.__base__ is object and c.__flags__ >> 40 & 3 == 3
    return laid_out and (derivable or not fixed)
print([c for c in seen if alike(c)])
try: _torch._register_size(dict)
except TypeError as error: print(error)
print(torch.ones(2).shape)
"#,
    );
    assert_eq!(stdout, "[<class 'torch.Tensor'>]\na size is a tuple\ntorch.Size([2])\n");
}

/// Expected from PyTorch 2.15.
#[test]
fn hooks_change_hooks() {
    let (stdout, stderr, _) = python(
        r#"
import torch
def tensor(leaf, what):
    log, x = [], torch.ones(2, requires_grad=True)
    y = x if leaf else x * 2
    def a(g): log.append("a"); what(y, hooks, log)
    hooks = [y.register_hook(a), y.register_hook(lambda g: log.append("b"))]
    (y * 3).sum().backward()
    if leaf:
        (x * 3).sum().backward()
    return "".join(log), x.grad.tolist()
def leaf(what):
    log, x = [], torch.ones(2, requires_grad=True)
    def a(p): log.append("a"); what(x, hooks, log)
    register = x.register_post_accumulate_grad_hook
    hooks = [register(a), register(lambda p: log.append("b"))]
    for _ in range(2): (x * 3).sum().backward()
    return "".join(log), x.grad.tolist()
def module(kind, what):
    log, m = [], torch.nn.Linear(2, 2)
    def a(*_): log.append("a"); what(m, hooks, log)
    register = getattr(m, kind)
    hooks = [register(a), register(lambda *_: log.append("b"))]
    for _ in range(2): m(torch.ones(1, 2))
    return "".join(log)
def add(y, hooks, log): y.register_hook(lambda g: log.append("c"))
def itself(y, hooks, log): hooks[0].remove()
def other(y, hooks, log): hooks[1].remove()
for what in (itself, other, add): print(tensor(True, what), tensor(False, what))
print(leaf(itself), leaf(other), leaf(lambda x, h, log: x.register_post_accumulate_grad_hook(lambda p: log.append("c"))))
for kind in ("register_forward_pre_hook", "register_forward_hook"):
    print(module(kind, itself), module(kind, other),
          module(kind, lambda m, h, log: getattr(m, kind)(lambda *_: log.append("c")) and None))
def optimizer(kind, what):
    p = torch.ones(2, requires_grad=True); o = torch.optim.SGD([p], lr=0.1); hooks = []
    register = getattr(o, kind)
    hooks += [register(lambda *_: what(o, hooks, [])), register(lambda *_: None)]
    p.sum().backward()
    try: o.step()
    except RuntimeError as error: return str(error)
for kind in ("register_step_pre_hook", "register_step_post_hook"):
    print(optimizer(kind, itself), "|", optimizer(kind, other))

# Saved-tensor hooks that run the graph that they unpack for; PyTorch 2.15 waits for itself for ever there.
def unpack(t):
    if not inside:
        inside.append(1)
        with torch.enable_grad(): z.sum().backward(retain_graph=True)
    return t
inside, x = [], torch.ones(2, requires_grad=True)
with torch.autograd.graph.saved_tensors_hooks(lambda t: t, unpack):
    z = x * x
z.sum().backward()
print(x.grad)

# What is let go of runs Python, which looks at what let it go.
class Nosy:
    def __init__(self, of): self.of = of
    def __call__(self, g): pass
    def __del__(self): print("gone", self.of.grad is None); self.of.register_hook(lambda g: None)
x = torch.ones(2, requires_grad=True)
x.register_hook(Nosy(x)).remove()
"#,
    );
    let expected = "('abb', [6.0, 6.0]) ('ab', [6.0, 6.0])\n\
        ('aba', [6.0, 6.0]) ('ab', [6.0, 6.0])\n\
        ('ababc', [6.0, 6.0]) ('ab', [6.0, 6.0])\n\
        ('abb', [6.0, 6.0]) ('aba', [6.0, 6.0]) ('ababc', [6.0, 6.0])\n\
        abb aba ababc\nabb aba ababc\n\
        OrderedDict mutated during iteration | OrderedDict mutated during iteration\n\
        OrderedDict mutated during iteration | OrderedDict mutated during iteration\n\
        tensor([4., 4.])\ngone True\n";
    assert_eq!((stdout.as_str(), stderr.as_str()), (expected, ""));
}

/// Expected from PyTorch 2.15, without its C++ stack traces.
#[test]
fn odd_shapes_are_answered_or_refused() {
    says(
        include_str!("hostile/shapes.txt").split("\n----\n").next().unwrap(),
        include_str!("hostile/shapes.txt").split("\n----\n").nth(1).unwrap(),
    );
}

/// Expected from PyTorch 2.15.
#[test]
fn sizes_are_asked_of_the_allocator() {
    let refused = |bytes: u64| {
        format!(
            "RuntimeError: [enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to allocate {bytes} bytes. Error code 12 (Cannot allocate memory)\n"
        )
    };
    let lines = r#"
torch.linspace(0, 1, 10**14)
torch.logspace(0, 1, 2**60)
torch.linspace(0, 1, 2**62)
torch.multinomial(torch.ones(3), 2**50, replacement=True)
torch.tril_indices(10**9, 10**9)
torch.tril_indices(10**14, 1)
torch.tril_indices(1, 10**12)
torch.tril_indices(3, 4, -1)
torch.triu_indices(3, 4, 1)
torch.tril_indices(3, 3, 2**62)
torch.tile(torch.tensor([]), (2**33, 4))
torch.empty(2**60, 0).tolist()
torch.eye(2**60, 0).tolist()
torch.repeat_interleave(torch.ones(2), torch.tensor([2**50, 1]))
torch.randperm(2**50)
len(torch.tensor_split(torch.ones(3), 2**12))
len(torch.unbind(torch.empty(2**12, 0)))
torch.unbind(torch.empty(2**60, 0))
torch.split(torch.empty(2**60, 0), 1)
torch.tensor_split(torch.ones(3), 2**60)
torch.combinations(torch.arange(30), 15)
torch.tensor(range(10**18))
"#;
    let expected = [
        refused(400_000_000_000_000),
        refused(4_611_686_018_427_387_904),
        "RuntimeError: Storage size calculation overflowed with sizes=[4611686018427387904]\n".into(),
        refused(9_007_199_254_740_992),
        refused(8_000_000_008_000_000_000),
        refused(1_600_000_000_000_000),
        "tensor([[0],         [0]])\n".into(),
        "tensor([[1, 2, 2],         [0, 0, 1]])\n".into(),
        "tensor([[0, 0, 0, 1, 1, 2],         [1, 2, 3, 2, 3, 3]])\n".into(),
        "tensor([[0, 0, 0, 1, 1, 1, 2, 2, 2],         [0, 1, 2, 0, 1, 2, 0, 1, 2]])\n".into(),
        "tensor([], size=(8589934592, 0))\n".into(),
        "MemoryError: \n".into(),
        "MemoryError: \n".into(),
        refused(9_007_199_254_741_000),
        refused(9_007_199_254_740_992),
        "4096\n4096\n".into(),
        "RuntimeError: std::bad_alloc\n".repeat(3),
        "RuntimeError: numel: integer multiplication overflow\n".into(),
        "MemoryError: \n".into(),
    ];
    says(lines, &expected.concat());
    // A sequence class of the program that has more items than its length says.
    says(
        r#"
!S = type("S", (), {"__len__": lambda self: 3, "__getitem__": lambda self, i: 1.0})
torch.tensor(S())
"#,
        "ValueError: expected sequence of length 3 at dim 0 (got 4)\n",
    );
}

/// CPython's error classes. CPython itself overflows its stack if an iterator calls one that calls one.
#[test]
fn chains_of_objects_end_in_order() {
    let (stdout, stderr, code) = python(
        r#"
import itertools, types, torch
def chain(f, x, n=100_000):
    for _ in range(n): x = f(x)
    return x
def delegate(x):
    try: yield from x
    finally: closed.append(1)
closed = []
x = chain(delegate, iter([1]))
del x
print("never begun", len(closed))
def hold(x):
    try: yield x
    finally: closed.append(1)
def begun(x):
    g = hold(x)
    next(g)
    return g
x = chain(begun, 1)
del x
print("suspended", len(closed))
def tried(name, f, x):
    try: print(name, next(chain(f, x)))
    except RecursionError as error: print(name, "RecursionError")
for name in ["map", "zip", "filter", "enumerate"]:
    f = __builtins__.__dict__[name] if not isinstance(__builtins__, dict) else __builtins__[name]
    tried(name, (lambda x: map(abs, x)) if name == "map" else (lambda x: filter(None, x)) if name == "filter" else f, iter([1]))
for name in ["chain", "cycle", "accumulate", "pairwise", "zip_longest", "groupby"]:
    tried(name, getattr(itertools, name), iter([1]))
tried("islice", lambda x: itertools.islice(x, 1), iter([1]))
try: chain(lambda x: types.MethodType(x, 1), lambda *a: 1)()
except RecursionError: print("method RecursionError")
try: chain(staticmethod, lambda: 1)()
except RecursionError: print("staticmethod RecursionError")
import functools, io, operator, weakref
class A: pass
a = A()
def holds(x):
    t = torch.ones(1)
    t.grad = x
    return t
class Frozen(frozenset):
    def __del__(self): closed.append(2)
def proxy(x): return types.MappingProxyType(x)
for name, f, x in [
    ("itemgetter", operator.itemgetter, 1), ("methodcaller", lambda x: operator.methodcaller("a", k=x), 1),
    ("frozenset", lambda x: frozenset([x]), 1), ("frozenset |", lambda x: frozenset() | {x}, 1),
    ("GenericAlias", lambda x: types.GenericAlias(x, (int,)), list), ("list[...]", lambda x: list[x], int),
    ("weakref", lambda x: weakref.ref(a, x), print), ("weakproxy", lambda x: weakref.proxy(a, x), print),
    ("code", lambda x: (lambda: 0).__code__.replace(co_consts=(x,)), 1), ("partial", functools.partial, print),
    ("mappingproxy", proxy, {}), ("property", property, 1), ("slice", slice, 1), ("exception", ValueError, 1),
    ("iterators of frozensets", lambda x: iter(frozenset([x])), 1), ("gradients", holds, None),
]:
    x = chain(f, x)
    del x
    print(name, end=", ")
closed.clear()
x = chain(lambda x: Frozen([x]), 1, 1000)
del x
print(len(closed))
def tried(name, f):
    try: print(name, f())
    except RecursionError as error: print(name, "RecursionError")
x = chain(ValueError, 1)
tried("str", lambda: str(x))
tried("format", lambda: f"{x}")
x = chain(proxy, {1: 2})
for name in ["len", "list", "dict", "iter", "bool"]: tried(name, lambda: eval(name)(x))
tried("in", lambda: 1 in x)
tried("get", lambda: x.get(1))
tried("or", lambda: x | x)
x = chain(lambda x: types.GenericAlias(x, (int,)), list)
tried("call", lambda: x())
tried("parameters", lambda: dir(x))
x = chain(lambda x: types.MethodType(x, 1), lambda *a: 1)
tried("doc", lambda: x.__doc__)
x = chain(property, 1)
tried("name", lambda: x.__name__)
x = proxy({1: 2})
print(len(x), list(x), 1 in x, x | {3: 4}, {3: 4} | x, x[1], str(ValueError(1)), str(KeyError("k")), list[int]())
print(list(map(abs, [-1])), list(zip([1], "a")), list(itertools.chain([1], [2])), (lambda: 3)(), sum(x for x in (1, 2)))
"#,
    );
    let names =
        "map zip filter enumerate chain cycle accumulate pairwise zip_longest groupby islice method staticmethod";
    let refused: String = names.split(' ').map(|name| format!("{name} RecursionError\n")).collect();
    let dropped = "itemgetter, methodcaller, frozenset, frozenset |, GenericAlias, list[...], weakref, weakproxy, code, partial, \
                   mappingproxy, property, slice, exception, iterators of frozensets, gradients, 1000\n";
    let asked = "str format len list dict iter bool in get or call parameters doc name";
    let asked: String = asked.split(' ').map(|name| format!("{name} RecursionError\n")).collect();
    let expected = format!(
        "never begun 0\nsuspended 100000\n{refused}{dropped}{asked}\
         1 [1] True {{1: 2, 3: 4}} {{3: 4, 1: 2}} 2 1 'k' []\n[1] [(1, 'a')] [1, 2] 3 3\n"
    );
    assert_eq!((stdout.as_str(), stderr.as_str(), code), (expected.as_str(), "", 0));
}

/// CPython's error classes, except for `getrandbits`, which counts in 32 bits there.
#[test]
fn numbers_that_ask_for_too_much_memory_are_refused() {
    let refused = [
        "'%1000000000000000d' % 1",
        "'%-+1000000000000000.3s|' % 'x'",
        "'%*d' % (2**50, 1)",
        "b'%1000000000000000d' % 1",
        "bytearray(b'%*d') % (2**50, 1)",
        "'%(a)1000000000000000d' % {'a': 1}",
        "__import__('random').getrandbits(2**50)",
        "__import__('random').Random().getrandbits(2**62)",
        "__import__('random').randbytes(2**50)",
        "__import__('os').urandom(2**50)",
        "tuple(range(2**50))",
        "tuple(range(2**62))",
        "[0] * 2**60",
        "bytes(2**60)",
        "'x'.rjust(2**60)",
        "1 << 2**60",
        "list(range(2**60))",
        "('a' * 10**6).replace('a', 'b' * 10**8)",
        "('a' * 10**6).replace('', 'b' * 10**8)",
        "(b'a' * 10**6).replace(b'a', b'b' * 10**8)",
        "bytearray(b'a' * 10**6).replace(b'a', b'b' * 10**8, 10**6)",
        "''.join(['b' * 10**8] * 10**6)",
        "('b' * 10**8).join(('a',) * 10**6)",
        "b''.join([b'b' * 10**8] * 10**6)",
        "bytearray(b'b' * 10**8).join([b'a'] * 10**6)",
        "('\\t' * 10**6).expandtabs(10**9)",
        "(b'\\t' * 10**6).expandtabs(10**9)",
        "('a' * 10**6).translate({97: 'b' * 10**8})",
        "7 ** 10**15",
        "[f := __import__('io').BytesIO(), f.seek(2**50), f.write(b'a')]",
        "[f := __import__('io').StringIO(), f.seek(2**50), f.write('a')]",
    ];
    says(&refused.join("\n"), &"MemoryError: \n".repeat(refused.len()));
    says(
        r#"
'%d %s %5.2f %%' % (1, 'a', 2.5)
'%*d|%-*d' % (5, 1, 6, 2**40)
'%s' % 2**40
b'%x%%' % (255,)
'%(key)s' % {'key': '%*d'}
'%999999999999999999999d' % 1
len('%300000000d' % 1)
__import__('random').getrandbits(-1)
__import__('random').getrandbits(3) < 8
len(__import__('os').urandom(5))
tuple(range(3))
type(type("T", (tuple,), {})(range(3))).__name__
'a-b-c'.replace('-', '+', 1) + b'aa'.replace(b'a', b'xyz').decode()
len(('a' * 10**5).replace('b', 'c' * 10**5)), len(('a' * 10**5).replace('a', 'c' * 10**5, 2))
','.join(['a', 'b']) + '-'.join(c for c in 'cd') + b','.join((b'e', b'f')).decode()
'\t|'.expandtabs(4) + 'abc'.translate({97: 'xy', 98: None})
''.join(3)
[f := __import__('io').BytesIO(), f.seek(3), f.write(b'a')][1:] + [f.getvalue()]
"#,
        "'1 a  2.50 %'\n'    1|1099511627776'\n'1099511627776'\nb'ff%'\n'%*d'\nValueError: width too big\n300000000\n\
         ValueError: number of bits must be non-negative\nTrue\n5\n(0, 1, 2)\n'T'\n\
         'a+b-cxyzxyz'\n(100000, 299998)\n'a,bc-de,f'\n'    |xyc'\nTypeError: can only join an iterable\n\
         [3, 1, b'\\x00\\x00\\x00a']\n",
    );
}

/// CPython's answers: long integers are put together from pieces.
#[test]
fn long_integers_are_right() {
    says(
        r#"
!import math
3 ** (12 * 10**6) % 1000003 == pow(3, 12 * 10**6, 1000003)
(-7) ** 6000001 % 1000003 == pow(-7, 6000001, 1000003)
((-7) ** 6000001).bit_length(), (6 ** 7000000).bit_length(), 2 ** 20000000 == 1 << 20000000
math.factorial(25000) % (2**61 - 1), math.perm(25000) == math.factorial(25000)
math.perm(60000, 30000) == math.factorial(60000) // math.factorial(30000)
math.comb(60000, 30000) == math.factorial(60000) // math.factorial(30000) ** 2
math.comb(60000, 59999), math.comb(5, 2), math.perm(5, 2), math.perm(2, 5), math.factorial(5)
math.gcd(12, 18, 27), math.lcm(2, 3, 4), math.gcd(), math.lcm(4), math.gcd(0, 0, 5)
math.gcd(1, 2, "a")
math.factorial(-1)
math.perm(30000, -1)
pow(3, 10**9, 7), 3 ** -1, True ** 10**9, 0 ** 10**9
pow(2, 2**3000, 3**4000) == (lambda r: [r := r * r % 3**4000 for _ in range(3000)][-1])(2), pow(-5, 10**3000, -(7**3000)) % 7**10 == pow(-5, 10**3000, 7**10) % 7**10
pow(3, -1, 7), pow(3, 10**4000, 1), pow(2**5000, 0, 7**3000), pow(3, 10**4000, 2**5000) % 2 == 1
"#,
        concat!(
            "True\nTrue\n",
            "(16844133, 18094738, True)\n",
            "(973820802959970307, True)\n",
            "True\nTrue\n(60000, 10, 20, 0, 120)\n(3, 12, 0, 4, 5)\n",
            "TypeError: 'str' object cannot be interpreted as an integer\n",
            "ValueError: factorial() not defined for negative values\n",
            "ValueError: k must be a non-negative integer\n",
            "(4, 0.3333333333333333, 1, 0)\n",
            "(True, True)\n(5, 0, 1, True)\n",
        ),
    );
}

/// Native code that runs no instruction of the program's hears Stop all the same.
#[test]
fn native_loops_are_stopped() {
    const ENDLESS: &str = r#"
try:
    while True: pass
except KeyboardInterrupt: pass
import collections, itertools, math, re
def run(x):
    try: print("answered", eval(x))
    except KeyboardInterrupt: print("stopped", x)
run("max(itertools.repeat(1))")
run("sum(range(2**60))")
run("collections.deque(itertools.count(), 3)")
run("1 in map(abs, itertools.repeat(2))")
run("min(iter(int, 1))")
run("math.factorial(10**9)")
run("7 ** 10**10")
run("math.lcm(*range(1, 10**6))")
run("pow(3, 7**500000, 7**500001)")
run("zip(*[range(2)] * 10**7)")
run("map(max, *[[1]] * 10**7)")
run("re.match('(a*)*b', 'a' * 60)")
run("re.search('(x+x+)+y', 'x' * 500)")
run("re.fullmatch(b'(.*)*(.*)*c', b'a' * 500)")
run("re.sub('(.|\\\\w)*b', '', '\\xe9' * 500)")
run("re.findall('(?:a|a)*(?<!a)$', 'a' * 500)")
run("list(re.finditer('(?=(a*)*b)', 'a' * 500))")
run("re.split('(?:(a)|b|ab)*?c', 'ab' * 500)")
run("re.compile('(?s:.)*' * 30 + 'x').scanner('a' * 500).search()")
"#;
    let stop = Arc::new(AtomicBool::new(false));
    let program = stop.clone();
    let runs = std::thread::Builder::new().stack_size(8 << 20).spawn(move || {
        engine::install(Engine::new(Machine::preset("cuda:1").unwrap(), |_| Rc::new(CpuExecutor::simulating())));
        let output = Rc::new(Captured::default());
        run(&Program::hosted("main.py", ENDLESS, program), output.clone());
        (output.stdout.take(), output.stderr.take())
    });
    let runs = runs.unwrap();
    while !runs.is_finished() {
        std::thread::sleep(Duration::from_millis(100));
        stop.store(true, Ordering::Relaxed);
    }
    let stopped: String =
        ENDLESS.split("run(\"").skip(1).map(|line| format!("stopped {}\n", line.split('"').next().unwrap())).collect();
    assert_eq!(runs.join().unwrap(), (stopped, String::new()));
}

/// Expected from PyTorch 2.15. A meta tensor has no values to read.
#[test]
fn a_meta_tensor_is_initialized_without_being_read() {
    says(
        r#"
!x = torch.empty(2, 3, device="meta")
[torch.nn.init.trunc_normal_(x) is x, torch.nn.init.trunc_normal_(x, 5.0, 1.0, -1.0, 1.0)]
"#,
        "[True, tensor(..., device='meta', size=(2, 3))]\n",
    );
}

/// Expected from CPython 3.11.
#[test]
fn regular_expressions_answer_as_in_cpython() {
    let cases = include_str!("hostile/regex.txt");
    let (expressions, expected) = cases.split_once("\n----\n").unwrap();
    says(&format!("!import copy, re\n{expressions}"), expected);
}

/// A handler of the program's may use regular expressions while one is being matched, and what it raises ends the match.
#[cfg(unix)]
#[test]
fn a_handler_of_signals_may_match_as_well() {
    let (stdout, stderr, code) = python(
        r#"
import re, signal
class Enough(Exception): pass
def ring(*_):
    calls.append(re.search("b+", "abbc").span())
    if len(calls) == 3: raise Enough
calls = []
signal.signal(signal.SIGALRM, ring)
signal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)
try: re.match("(a*)*b", "a" * 60)
except Enough: print("enough")
signal.setitimer(signal.ITIMER_REAL, 0)
print(calls, re.match("a+", "aab").span())
"#,
    );
    assert_eq!((stdout.as_str(), stderr.as_str(), code), ("enough\n[(1, 3), (1, 3), (1, 3)] (0, 2)\n", "", 0));
}

/// What is written twice at each level is refused before it takes for ever.
#[test]
fn sets_in_sets_are_refused_by_marshal() {
    says(
        r#"
!import io, marshal
!def nest(n, f): return f(nest(n - 1, f)) if n else 1
!def chain(n): x = 1; [x := frozenset([x]) for _ in range(n)]; return x
!same = lambda x: marshal.loads(marshal.dumps(x)) == x
same(nest(16, lambda x: frozenset([x, 2]))), same({1, (2, frozenset([3]))}), same([[[{"a": {1}}]]] * 3)
marshal.dumps(nest(17, lambda x: frozenset([x])))
marshal.dumps(nest(17, lambda x: (frozenset([(x, 1)]),)))
marshal.dump([chain(100000)], io.BytesIO())
marshal.dumps({1: [slice(None, chain(17))]})
marshal.dumps((lambda: 0).__code__.replace(co_consts=(chain(17),)))
same([nest(16, lambda x: frozenset([x]))] * 1000)
!loop = []; loop.append((loop, {1}))
marshal.dumps(loop) is None
"#,
        &["(True, True, True)\n", &"ValueError: object too deeply nested to marshal\n".repeat(5), "True\nFalse\n"]
            .concat(),
    );
}

/// The compiler compares each parameter with all before it.
#[test]
fn functions_have_a_number_of_parameters_that_is_compiled_soon() {
    says(
        r#"
!names = ", ".join(f"a{i}" for i in range(100_000))
exec(f"def f({names}): pass")
compile(f"lambda {names}: 1", "x", "eval")
eval(f"[lambda *, {names}: 1]")
exec(f"f = lambda *a: len(a)\nassert f({names.replace('a', '')}) == 100_000")
[d := {}, exec(f"def f({', '.join(names.split(', ')[:10_000])}): return a9999", d), d["f"](*range(10_000))][-1]
"#,
        &[&"SyntaxError: more than 10000 parameters in one function (<string>, line 1)\n".repeat(3), "None\n9999\n"]
            .concat(),
    );
}

/// What has no end fills the memory only up to a limit that fits the machine, or the one that is set for the process.
#[cfg(all(target_os = "linux", feature = "cli"))]
#[test]
fn what_has_no_end_is_a_memory_error() {
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("endless.py");
    let program = r#"
import itertools
def run(x):
    try: print("answered", len(eval(x)))
    except MemoryError: print("MemoryError", x)
run("open('/dev/zero').read()")
run("open('/dev/zero', 'rb').read()")
run("open('/dev/zero', 'rb', buffering=0).readall()")
run("list(map(bytes.upper, itertools.repeat(b'x' * 10**5)))")
run("set(map(b'x'.__mul__, itertools.count(10**5)))")
run("open('/proc/self/status').read()[:0]")
run("open('/dev/null').read()")
"#;
    std::fs::write(&path, program).unwrap();
    let command = format!("ulimit -v 2000000; exec {} run {}", env!("CARGO_BIN_EXE_tensoryard"), path.display());
    let output = std::process::Command::new("sh").args(["-c", &command]).output().unwrap();
    let lines: Vec<&str> = program.split("run(\"").skip(1).map(|line| line.split('"').next().unwrap()).collect();
    let (endless, ends) = lines.split_at(5);
    let mut expected: String = endless.iter().map(|line| format!("MemoryError {line}\n")).collect();
    expected += &"answered 0\n".repeat(ends.len());
    let text = |bytes| String::from_utf8(bytes).unwrap();
    assert_eq!((text(output.stdout), text(output.stderr)), (expected, String::new()));
}

/// Long integers are turned into text and back only up to CPython's limit, with its message, on every road.
#[test]
fn long_numbers_stay_short_text() {
    let read = "ValueError: Exceeds the limit (4300 digits) for integer string conversion: value has 5000 digits; use sys.set_int_max_str_digits() to increase the limit\n";
    let write = "ValueError: Exceeds the limit (4300 digits) for integer string conversion; use sys.set_int_max_str_digits() to increase the limit\n";
    let reads = [
        "int('9' * 5000)",
        "int(b'9' * 5000)",
        "int('-' + '9' * 5000)",
        "int('9_' * 4999 + '9')",
        "int('6' * 5000, 7)",
    ];
    says(&reads.join("\n"), &read.repeat(reads.len()));
    let writes = [
        "str(10**5000)",
        "repr(-10**5000)",
        "f'{10**5000}'",
        "'%d' % 10**5000",
        "'%s' % 10**5000",
        "'{:d}'.format(10**5000)",
        "format(10**5000, ',')",
    ];
    says(&writes.join("\n"), &write.repeat(writes.len()));
    says(
        "int('9' * 10**8) if 0 else 1\nlen(hex(10**5000))\nint('f' * 5000, 16).bit_length()\nlen(str(10**4299))\nsys.get_int_max_str_digits()\nsys.set_int_max_str_digits(100)\n",
        "1\n4155\n20000\n4300\n4300\nValueError: maxdigits must be 0 or larger than 640\n",
    );
}

/// With the message of PyTorch's allocator. A kernel's additional memory is requested in the same way as its operands'.
#[test]
fn kernels_ask_for_the_memory_they_work_in() {
    says(
        "F.conv1d(torch.ones(1, 1, 2 * 10**6), torch.ones(1, 1, 10**6))",
        "RuntimeError: [enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to allocate 4000004000000 bytes. Error code 12 (Cannot allocate memory)\n",
    );
}

#[test]
fn a_panic_is_a_system_error() {
    const CODE: &str = "import torch\nprint('before')\nx = torch.ones(3)\nf = lambda: 0\nf.__code__ = f.__code__.replace(co_code=b'\\xff' * 20)\nf()\nprint('after')\n";
    let (stdout, stderr, code) = python(CODE);
    // The interpreter's own message is free; the output, the place, the class and the exit code must be right.
    assert_eq!((stdout.as_str(), code), ("before\n", 1));
    assert!(
        stderr.starts_with("Traceback (most recent call last):\n  File \"main.py\", line 6, in <module>\n    f()\n"),
        "{stderr}"
    );
    let last = stderr.lines().last().unwrap();
    assert!(
        last.starts_with("SystemError: internal error: ") && last.ends_with("the program that led to it."),
        "{last}"
    );
    // The thread can run other programs afterwards.
    std::thread::spawn(|| {
        again(CODE);
        let (stdout, stderr, code) = again("import torch\ndef f(): return torch.ones(2) + 1\nprint(f())\n1 / 0\n");
        assert_eq!((stdout.as_str(), code), ("tensor([2., 2.])\n", 1));
        assert!(stderr.ends_with("ZeroDivisionError: division by zero\n"), "{stderr}");
    })
    .join()
    .unwrap();
}

/// The class is made once for all programs of a thread. What one program adds is gone in the next.
#[test]
fn a_program_changes_the_class_of_tensors_for_itself() {
    let patch = r#"
import torch
torch.Tensor.double_it = lambda self: self * 2
torch.Tensor.unfold = lambda self, *args: "unfolded"
plus = torch.Tensor.__add__
torch.Tensor.__add__ = lambda self, other: plus(self, other) * 10
torch.Tensor.shape = property(lambda self: "a shape")
x = torch.ones(2)
print(x.double_it(), x.unfold(0, 1, 1), x + 1, torch.nn.Parameter(x) + 1, x.shape)
del torch.Tensor.double_it
print(hasattr(x, "double_it"))
torch.Tensor.another = 1
"#;
    let look = "import torch\nx = torch.ones(2)\nprint(hasattr(x, 'double_it'), hasattr(x, 'another'), x.unfold(0, 1, 1).shape, x + 1, x.shape)\n";
    let thread =
        std::thread::Builder::new().stack_size(8 << 20).spawn(move || [again(patch), again(look), again(patch)]);
    let [first, second, third] = thread.unwrap().join().unwrap();
    let patched =
        "tensor([2., 2.]) unfolded tensor([20., 20.]) tensor([20., 20.], grad_fn=<MulBackward0>) a shape\nFalse\n";
    assert_eq!((first.0.as_str(), first.1.as_str()), (patched, ""));
    assert_eq!(
        (second.0.as_str(), second.1.as_str()),
        ("False False torch.Size([2, 1]) tensor([2., 2.]) torch.Size([2])\n", "")
    );
    assert_eq!((third.0.as_str(), third.1.as_str()), (patched, ""));
}

#[test]
fn a_checkpoint_unpacks_to_what_it_may_hold() {
    let (stdout, stderr, _) = python(include_str!("hostile/bombs.py"));
    let refused = "RuntimeError: torch.load refuses this ";
    let expected = [
        "reduce: ",
        refused,
        "file: it asks for 137438953472 bytes that it doesn't hold\n",
        "inner: ",
        refused,
        "file: it asks for 137438953472 bytes that it doesn't hold\n",
        "zip: ",
        refused,
        "archive: its records together would unpack to far more bytes than the file has\n",
        "legacy: ",
        refused,
        "file: a storage of 65536 elements cannot be in it\n",
        "tuples: ",
        refused,
        "file: its objects nest more than 1000 deep\n",
        "lists: ",
        refused,
        "file: its objects nest more than 1000 deep\n",
        "keys: ",
        refused,
        "file: its objects nest more than 1000 deep\n",
        "downwards: ",
        refused,
        "file: its objects nest more than 1000 deep\n",
        "honest: 3000 tensors, nested 200 deep\n",
    ];
    assert_eq!((stdout.as_str(), stderr.as_str()), (expected.concat().as_str(), ""));
}
