"""`torch.FloatTensor` and the like: as types, as functions, as names. PyTorch 2.15 recorded `legacy_types.txt` from this file."""

import warnings, torch
def say(name, f):
    with warnings.catch_warnings(record=True) as w:
        warnings.simplefilter("always")
        try: r = f()
        except Exception as e: r = f"{type(e).__name__}: {e}"
    print(name, "->", r)

x = torch.tensor([1.5, 2., 3.])
kinds = "Float Double Half BFloat16 Long Int Short Char Byte Bool".split()
for k in kinds:
    T = getattr(torch, k+"Tensor")
    say(k, lambda: (T, repr(T), T.__module__, T.__name__, T.dtype, T.layout, T.is_cuda))
    say("type", lambda: x.type(T)); say("to", lambda: x.to(T))
    say("str", lambda: x.type(f"torch.{k}Tensor")); say("name", lambda: x.type(T).type())
    say("isinstance", lambda: [isinstance(x.to(d), T) for d in (torch.float32, torch.int64, torch.uint8)])
    say("new", lambda: T([1, 0, 2])); say("new", lambda: T((1, 0))); say("new", lambda: T(2, 1).shape); say("new", lambda: T())
    say("new", lambda: T(torch.Size([2,3])).shape); say("new", lambda: T([[1,2],[3,4]])); say("new", lambda: T(T([1])))
    say("new", lambda: T(x)); say("new", lambda: T(1.5)); say("new", lambda: T("a")); say("new", lambda: T([1.7])); say("new", lambda: T(-1)); say("dev", lambda: T([1], device="cpu")); say("dev", lambda: T([1], device="cuda"))
    say("sub", lambda: issubclass(T, torch.Tensor)); say("in", lambda: isinstance(3, T)); say("iscls", lambda: type(T))
    say("c", lambda: T(range(3))); say("c", lambda: T((x for x in [1])))
say("noarg", lambda: x.type()); say("same", lambda: x.type(torch.FloatTensor) is x); say("dtype", lambda: x.type(torch.int64).type())
for n in ("torch.LongTensor","LongTensor","torch.FooTensor","float","torch.float32","torch.Tensor","Tensor"):
    say(n, lambda: x.type(n))
say("torch.Tensor", lambda: x.type(torch.Tensor)); say("none", lambda: x.type(None)); say("int", lambda: x.type(int)); say("float", lambda: x.type(float)); say("float", lambda: torch.tensor([1]).type(float));say("nonb", lambda: x.type(torch.LongTensor, non_blocking=True)); say("kw", lambda: x.type(dtype=torch.LongTensor))
say("cis", lambda: isinstance(x, torch.cuda.FloatTensor))
say("Tensor", lambda: torch.Tensor([1,2])); say("Tensor", lambda: torch.Tensor(2,3).shape); say("Tensor", lambda: torch.Tensor(x)); say("Tensor", lambda: torch.Tensor(torch.tensor([1]))); say("T", lambda: torch.Tensor("a")); say("Tensor", lambda: torch.Tensor()); say("is", lambda: isinstance(x, torch.Tensor))
say("new", lambda: x.new([1,2])); say("new", lambda: x.new(2,3).shape); say("new", lambda: x.new()); say("new", lambda: x.new(torch.tensor([1.]))); say("new", lambda: torch.tensor([1]).new([2.7])); say("new", lambda: x.new(x)); say("new", lambda:x.new(torch.tensor([1])))
say("type_as", lambda: x.type_as(torch.tensor([1])))
say("default", lambda: torch.set_default_tensor_type(torch.DoubleTensor)); say("t", lambda: torch.tensor([1.]).dtype); say("t", lambda: torch.Tensor([1]).dtype)
say("default", lambda: torch.set_default_tensor_type("torch.FloatTensor")); say("t", lambda: torch.tensor([1.]).dtype)
say("default", lambda: torch.set_default_tensor_type(torch.LongTensor))
say("zeros", lambda: torch.zeros(2, dtype=torch.LongTensor)); say("tensor", lambda: torch.tensor([1], dtype=torch.FloatTensor)); say("astype", lambda: torch.zeros(2).to(dtype=torch.LongTensor)); say("zl", lambda: torch.zeros_like(x, dtype=torch.LongTensor)); say("arange", lambda: torch.arange(3).type(torch.FloatTensor))
say("m", lambda: torch.nn.Linear(2,1).type(torch.DoubleTensor).weight.dtype); say("m", lambda: torch.nn.Linear(2,1).type("torch.HalfTensor").weight.dtype)
say("tensortype", lambda: torch.is_tensor(torch.FloatTensor(2))); say("typename", lambda: torch.typename(x)); say("eq", lambda: torch.FloatTensor == torch.FloatTensor); say("hash", lambda: {torch.FloatTensor: 1}[torch.FloatTensor]); say("typ", lambda: type(torch.FloatTensor([1]))); say("cc", lambda: torch.FloatTensor.__doc__)
say("storage", lambda: torch.FloatStorage([1,2])); say("tt", lambda: torch.tensortype)
say("c", lambda: torch.ComplexFloatTensor); 
say("dims", lambda: torch.LongTensor(2, 3).dtype);say("var", lambda: torch.autograd.Variable(torch.FloatTensor([1.]), requires_grad=True))
say("zeros", lambda: torch.FloatTensor(3).zero_()); say("fill", lambda: torch.LongTensor(2).fill_(3)); say("cls", lambda: torch.FloatTensor.zero_)
