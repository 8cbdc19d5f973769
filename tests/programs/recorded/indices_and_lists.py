# What is taken as an index or as the elements of a tensor, what is not, and in which words.
import torch, numpy as np
from fractions import Fraction
from decimal import Decimal
def att(n,f):
    try: print(n, f())
    except Exception as e: print(n, type(e).__name__, e)
x=torch.arange(6.).reshape(2,3)
for d in ("int8","int16","int32","int64","uint16","uint32","float32","float64","bool"):
    att("idx "+d, lambda: x[np.array([0,1],dtype=d)])
    def s(d=d):
        y=x.clone(); y[np.array([0,1],dtype=d)]=5.; return y
    att("set "+d, s)
att("a", lambda: torch.randn(2,0)[:, [-1]]); att("b", lambda: torch.randn(0)[[0]]); att("b2", lambda: torch.randn(0)[torch.tensor([3])]); att("b3", lambda: torch.randn(2,0)[[0,1],[0,0]]); att("b4",lambda: torch.randn(0,3)[[5]])
i=torch.tensor([0])
att("c", lambda: torch.randn(2,0).index_select(1,i)); att("c0", lambda: torch.randn(0,2).index_select(0,i)); att("d", lambda: torch.nn.Embedding(0,3)(i)); att("e", lambda: torch.randn(2,0).take(i)); att("e2", lambda: torch.randn(0).take(torch.tensor([],dtype=torch.long)))
att("f", lambda: torch.randn(2,0).argmax(1)); att("f2", lambda: torch.randn(2,0).argmin(-1)); att("f3", lambda: torch.randn(0).argmax()); att("f4", lambda: torch.randn(2,0).max(1))
att("g", lambda: torch.randn(2,3,16).split([8,7],dim=-1)); att("g2", lambda: torch.randn(2,3,16).split([8,7],dim=2))
att("i", lambda: torch.tensor(Fraction(1,2))); att("i2", lambda: torch.tensor(Decimal("1.5"))); att("i3", lambda: torch.tensor([Fraction(1,2)])); att("i4", lambda: torch.tensor(object()));att("i5", lambda: torch.tensor([1.0,Decimal("2")]))
att("j", lambda: torch.tensor([[1,2],3])); att("j2", lambda: torch.tensor([1,[2,3]])); att("j3", lambda: torch.tensor([[1,2],[3]])); att("j4", lambda: torch.tensor([[1,2],"ab"])); att("j5", lambda: torch.tensor([[[1],[2]],[3,4]])); att("j6", lambda: torch.tensor([[1.,2.],None]))
att("k", lambda: torch.tensor([torch.tensor([1,2])])); att("k2", lambda: torch.tensor([torch.tensor([1.,2.])])); att("k3", lambda: torch.tensor([torch.tensor([1,2]),torch.tensor([3,4])])); att("k4", lambda: torch.tensor([torch.tensor([1.,2.]),torch.tensor([3.,4.])])); att("k5", lambda: torch.tensor([1,torch.tensor([1,2])]))
att("m", lambda: torch.nn.Embedding(3,2)(torch.tensor([0],dtype=torch.uint16))); att("m2", lambda: torch.nn.Embedding(3,2)(torch.tensor([0.]))); att("m3", lambda: torch.nn.Embedding(3,2)(torch.tensor([0.],dtype=torch.bfloat16))); att("m4", lambda: torch.nn.Embedding(3,2)(torch.tensor([0.],dtype=torch.complex64)))
