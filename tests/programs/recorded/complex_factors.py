# Factors that a tensor's dtype can't hold: a complex number for real tensors.
import torch

a, b = torch.ones(2, 2), torch.ones(2, 2, 2)
for call in [
    lambda: torch.addmm(a,a,a,beta=1j),
    lambda: torch.addmm(a,a,a,alpha=1j),
    lambda: torch.addmm(a,a,a,beta=1+0j),
    lambda: torch.baddbmm(b,b,b,beta=2j),
    lambda: torch.addcmul(a,a,a,value=1j),
    lambda: torch.addcdiv(a,a,a,value=1j),
    lambda: a.clone().addcmul_(a,a,value=1j),
    lambda: torch.addmv(torch.ones(2),a,torch.ones(2),beta=1j),
    lambda: torch.addr(a,torch.ones(2),torch.ones(2),alpha=1j),
    lambda: torch.addbmm(a,b,b,alpha=1j),
    lambda: torch.nn.functional.pad(a,(1,1),value=1j),
    lambda: torch.addmm(a.cfloat(),a.cfloat(),a.cfloat(),beta=1j),
    lambda: a.clone().addmm_(a,a,alpha=1j),
    lambda: torch.addmm(a.long(),a.long(),a.long(),beta=0.5),
    lambda: torch.addmm(a.long(),a.long(),a.long(),beta=1j),
    lambda: torch.addcmul(a.long(),a.long(),a.long(),value=0.5),
    lambda: torch.lerp(a,a,1j),
    lambda: torch.add(a,a,alpha=1j),
    lambda: torch.sub(a,a,alpha=1j),
    lambda: torch.rsub(a,a,alpha=1j),
    lambda: a.clone().add_(a,alpha=1j),
    lambda: torch.full((2,),1j,dtype=torch.float32),
    lambda: torch.addr(a.double(),torch.ones(2).double(),torch.ones(2).double(),beta=1j),
    lambda: torch.addr(a,torch.ones(2),torch.ones(2),beta=2.0),
    lambda: torch.sparse.addmm(a,a.to_sparse(),a,beta=1j),
    lambda: a.clone().fill_(1j),
]:
    try:
        print("OK", call())
    except Exception as error:
        print(type(error).__name__, "|", error)
