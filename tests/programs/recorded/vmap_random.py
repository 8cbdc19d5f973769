"""Random numbers under vmap: those of each row, and those that all rows share."""
import torch
from torch.func import vmap
import torch.nn.functional as F
x=torch.zeros(2,3)
def t(n,f):
    torch.manual_seed(0)
    try: print(n, f())
    except Exception as e: print(n, type(e).__name__, str(e)[:100])
d=dict(randomness="different")
t("nested", lambda: vmap(lambda a: vmap(lambda b: b+torch.rand(1), **d)(a), **d)(x))
t("inner different", lambda: vmap(lambda a: vmap(lambda b: b+torch.rand(1), **d)(a), randomness="same")(x))
t("outer different", lambda: vmap(lambda a: vmap(lambda b: b+torch.rand(1), randomness="same")(a), **d)(x))
t("dropout outer", lambda: vmap(lambda a: vmap(lambda b: F.dropout(a+1), **d)(a), **d)(x))
t("unbatched dropout", lambda: vmap(lambda a: F.dropout(torch.ones(4)), **d)(x))
t("randint", lambda: vmap(lambda a: torch.randint(0, 9, (2,)), **d)(x))
t("randperm", lambda: vmap(lambda a: torch.randperm(4), **d)(x).sum())
t("bern", lambda: vmap(lambda a: torch.bernoulli(torch.full((3,),0.5)), **d)(x))
t("bern batched", lambda: vmap(lambda a: torch.bernoulli(a+0.5), **d)(x))
t("no dims", lambda: vmap(lambda a: (a.sum(()), (a > 0).all(()), a.amax(())))(x))
t("error", lambda: vmap(lambda a: a+torch.rand(3))(x))
t("shared", lambda: vmap(lambda a: vmap(lambda b: torch.zeros_like(a).uniform_(), **d)(a), **d)(x))
t("randn_like", lambda: vmap(lambda a: torch.randn_like(a), **d)(x))
t("randn_like same", lambda: vmap(lambda a: torch.randn_like(a), randomness="same")(x))
t("multinomial", lambda: vmap(lambda a: torch.multinomial(a+1, 2), **d)(x).shape)
t("normal", lambda: vmap(lambda a: torch.normal(0.,1.,(2,)), **d)(x))
# A distribution checks the parameters and the values of all rows, and draws what its base distribution draws.
from torch.distributions import Bernoulli, Normal
one = torch.ones(3)
t("normal of rows", lambda: vmap(lambda a: Normal(a, one).log_prob(one))(x))
t("bernoulli of rows", lambda: vmap(lambda a: Bernoulli(probs=a).log_prob(one))(x + 0.5))
t("a bad row", lambda: vmap(lambda a: Normal(a, a + 1).mean)(torch.tensor([[0.,1.,2.],[0.,-3.,2.]])))
t("a bad value", lambda: vmap(lambda a: Bernoulli(0.5).log_prob(a))(torch.tensor([[0.,1.],[0.5,1.]])))
t("rsample", lambda: vmap(lambda a: Normal(a, one).rsample(), **d)(x))
t("rsample same", lambda: vmap(lambda a: Normal(a, one).rsample(), randomness="same")(x))
