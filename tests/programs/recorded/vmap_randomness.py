"""Which random functions vmap allows with which randomness, and what the generator draws next."""
import torch, torch.nn.functional as F
from torch.func import vmap
A = torch.arange(6.).reshape(2, 3) / 6
fs = dict(bern=lambda x: torch.bernoulli(x), drop=lambda x: F.dropout(x), drop0=lambda x: F.dropout(x, 0.), dropn=lambda x: F.dropout(x, training=False), randl=lambda x: torch.rand_like(x), randnl=lambda x: torch.randn_like(x), ril=lambda x: torch.randint_like(x, 5), rand=lambda x: torch.rand(2), randn=lambda x: torch.randn(2), ri=lambda x: torch.randint(5, (2,)), rp=lambda x: torch.randperm(3), nrm=lambda x: torch.normal(x, torch.ones(3)), nrm2=lambda x: torch.normal(0., 1., (2,)), mult=lambda x: torch.multinomial(x, 1), multu=lambda x: torch.multinomial(torch.ones(3), 1), pois=lambda x: torch.poisson(x), uni=lambda x: x.clone().uniform_(), unin=lambda x: torch.zeros(2).uniform_(), norm_=lambda x: x.clone().normal_(), bern_=lambda x: x.clone().bernoulli_(.5), bernu=lambda x: torch.bernoulli(torch.full((2,), .5)), exp_=lambda x: x.clone().exponential_(), alpha=lambda x: F.alpha_dropout(x), fdrop=lambda x: F.feature_alpha_dropout(x), d1=lambda x: F.dropout1d(x.view(1, 3)), dunb=lambda x: F.dropout(torch.ones(3)), gs=lambda x: F.gumbel_softmax(x).shape and x, sdpa=lambda x: F.scaled_dot_product_attention(x[None], x[None], x[None], dropout_p=.5), rnd_=lambda x: x.clone().random_(5))
for nm, f in fs.items():
    for r in ('error', 'same', 'different'):
        torch.manual_seed(0)
        try: o = vmap(f, randomness=r)(A); print(nm, r, tuple(o.shape), o.flatten()[:4])
        except Exception as e: print(nm, r, type(e).__name__, str(e)[:150])
        print('  next', torch.rand(1).item())
