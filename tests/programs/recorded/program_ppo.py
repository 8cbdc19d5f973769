"""REINFORCE, actor-critic with GAE and PPO's clipped loss on a point that seeks the origin. PyTorch 2.15 recorded `program_ppo.txt` from this file."""

import torch
import torch.nn as nn
from torch.distributions import Categorical, Normal, MultivariateNormal, Bernoulli, TransformedDistribution
from torch.distributions.transforms import TanhTransform
from torch.utils.data import BatchSampler, SubsetRandomSampler
import numpy as np

torch.manual_seed(1)


class Env:
    def __init__(self, n=4, seed=0):
        self.g = torch.Generator().manual_seed(seed)
        self.n = n

    def reset(self):
        self.x = torch.randn(self.n, 2, generator=self.g)
        self.t = 0
        return self.x.clone()

    def step(self, a):
        self.x = (self.x + 0.1 * a).clamp(-3, 3)
        self.t += 1
        return self.x.clone(), -self.x.pow(2).sum(-1), torch.full((self.n,), self.t >= 16)


def layer_init(layer, std=np.sqrt(2), bias_const=0.0):
    torch.nn.init.orthogonal_(layer.weight, std)
    torch.nn.init.constant_(layer.bias, bias_const)
    return layer


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.critic = nn.Sequential(layer_init(nn.Linear(2, 16)), nn.Tanh(), layer_init(nn.Linear(16, 1), std=1.0))
        self.actor_mean = nn.Sequential(layer_init(nn.Linear(2, 16)), nn.Tanh(), layer_init(nn.Linear(16, 2), std=0.01))
        self.actor_logstd = nn.Parameter(torch.zeros(1, 2))

    def get_value(self, x):
        return self.critic(x)

    def get_action_and_value(self, x, action=None):
        mean = self.actor_mean(x)
        probs = Normal(mean, torch.exp(self.actor_logstd.expand_as(mean)))
        if action is None:
            action = probs.sample()
        return action, probs.log_prob(action).sum(1), probs.entropy().sum(1), self.critic(x)


agent = Agent()
print(agent)
w = agent.critic[0].weight
print((w.t() @ w / 2).round(decimals=3))
optimizer = torch.optim.Adam(agent.parameters(), lr=3e-3, eps=1e-5)
env = Env()
T, N = 16, 4
for update in range(3):
    frac = 1.0 - update / 3
    optimizer.param_groups[0]["lr"] = frac * 3e-3
    obs, acts = torch.zeros(T, N, 2), torch.zeros((T, N) + (2,))
    logps, rews, dones, vals = (torch.zeros(T, N) for _ in range(4))
    o, d = env.reset(), torch.zeros(N)
    for t in range(T):
        obs[t], dones[t] = o, d
        with torch.no_grad():
            a, lp, _, v = agent.get_action_and_value(o)
            vals[t] = v.flatten()
        acts[t], logps[t] = a, lp
        o, r, d = env.step(a)
        rews[t] = r
        d = d.float()
    with torch.no_grad():
        nv = agent.get_value(o).reshape(1, -1)
        adv = torch.zeros_like(rews)
        last = 0
        for t in reversed(range(T)):
            nonterminal = 1.0 - (d if t == T - 1 else dones[t + 1])
            nextv = nv if t == T - 1 else vals[t + 1]
            delta = rews[t] + 0.99 * nextv * nonterminal - vals[t]
            adv[t] = last = delta + 0.99 * 0.95 * nonterminal * last
        ret = adv + vals
    b = dict(
        obs=obs.reshape((-1, 2)),
        logp=logps.reshape(-1),
        act=acts.reshape(-1, 2),
        adv=adv.reshape(-1),
        ret=ret.reshape(-1),
    )
    clipfracs = []
    for epoch in range(2):
        for mb in BatchSampler(SubsetRandomSampler(range(T * N)), 32, drop_last=False):
            _, nlp, ent, nvv = agent.get_action_and_value(b["obs"][mb], b["act"][mb])
            logratio = nlp - b["logp"][mb]
            ratio = logratio.exp()
            with torch.no_grad():
                kl = ((ratio - 1) - logratio).mean()
                clipfracs += [((ratio - 1.0).abs() > 0.2).float().mean().item()]
            A = b["adv"][mb]
            A = (A - A.mean()) / (A.std() + 1e-8)
            pg = torch.max(-A * ratio, -A * torch.clamp(ratio, 0.8, 1.2)).mean()
            vl = 0.5 * ((nvv.view(-1) - b["ret"][mb]) ** 2).mean()
            loss = pg - 0.01 * ent.mean() + vl * 0.5
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()
    y, yp = b["ret"].numpy(), agent.get_value(b["obs"]).detach().flatten().numpy()
    ev = 1 - np.var(y - yp) / np.var(y)
    print(
        f"{update} loss {loss.item():.2f} kl {kl.item():.4f} ent {ent.mean().item():.3f} ev {ev:.2f} clip {np.mean(clipfracs):.3f} lr {optimizer.param_groups[0]['lr']:.2e}"
    )
print(type(loss.grad_fn).__name__, type(pg.grad_fn).__name__, type(ratio.grad_fn).__name__, type(nlp.grad_fn).__name__)

c = Categorical(logits=torch.tensor([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]))
torch.manual_seed(3)
s = c.sample((5,))
print(c, s.shape, s, c.log_prob(s).shape, c.entropy(), c.probs, c.mode, c.enumerate_support())
print(Bernoulli(probs=torch.tensor([0.2, 0.8])), MultivariateNormal(torch.zeros(2), torch.eye(2)))
sq = TransformedDistribution(Normal(torch.zeros(2), torch.ones(2)), [TanhTransform(cache_size=1)])
a = sq.rsample()
print(sq, a.abs().max() <= 1, sq.log_prob(a))
for f in (
    lambda: Categorical(probs=torch.tensor([-1.0, 2.0])),
    lambda: Normal(0.0, -1.0),
    lambda: c.log_prob(torch.tensor(7)),
    lambda: Categorical(probs=torch.tensor([0.5, 0.5]), logits=torch.zeros(2)),
    lambda: Bernoulli(),
):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
policy = nn.Linear(2, 3)
returns, R = [], 0
for r in [1.0, 0.0, 2.0][::-1]:
    R = r + 0.9 * R
    returns.insert(0, R)
returns = torch.tensor(returns)
print(returns, (returns - returns.mean()) / (returns.std() + np.finfo(np.float32).eps.item()))
saved = [Categorical(logits=policy(torch.randn(2))) for _ in range(3)]
acts = [m.sample() for m in saved]
loss = torch.stack([-m.log_prob(a) * R for m, a, R in zip(saved, acts, returns)]).sum()
loss.backward()
print(type(loss.grad_fn).__name__, policy.weight.grad.shape, policy.bias.grad.sum().abs() < 1e-5)
