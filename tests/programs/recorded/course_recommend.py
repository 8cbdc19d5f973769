"""Ratings of films: ids as numbers, embeddings, a table of the best."""

import numpy as np
import pandas as pd
import torch
from torch import nn

rng = np.random.RandomState(1)
users = [f"u{i}" for i in rng.randint(0, 12, 150)]
films = [f"film {c}" for c in "ABCDEFGH"]
ratings = pd.DataFrame({"user": users, "film": [films[i] for i in rng.randint(0, 8, 150)], "stars": rng.randint(1, 6, 150)})
ratings = ratings.drop_duplicates(["user", "film"]).reset_index(drop=True)
print(ratings.shape, ratings.user.nunique())
print(ratings.head())
print(ratings.groupby("film").stars.agg(["mean", "count"]).sort_values("mean", ascending=False).round(2))
wide = ratings.pivot(index="user", columns="film", values="stars")
print(wide.iloc[:4, :4])
print(wide.notna().sum().sum(), wide.mean().round(2).to_dict()["film A"])
ratings["user_id"], names = pd.factorize(ratings["user"])
ratings["film_id"] = ratings["film"].astype("category").cat.codes
print(ratings.dtypes)
print(names[:3].tolist(), ratings["film_id"].max())


class Dot(nn.Module):
    def __init__(self, users, films, size=4):
        super().__init__()
        self.users, self.films = nn.Embedding(users, size), nn.Embedding(films, size)
        self.bias = nn.Parameter(torch.zeros(1))

    def forward(self, user, film):
        return (self.users(user) * self.films(film)).sum(-1) + self.bias


torch.manual_seed(5)
model = Dot(len(names), 8)
user, film = (torch.tensor(ratings[n].to_numpy(), dtype=torch.long) for n in ("user_id", "film_id"))
stars = torch.tensor(ratings["stars"].values, dtype=torch.float32)
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
for step in range(200):
    loss = nn.functional.mse_loss(model(user, film), stars)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item() < 0.5)
ratings["guess"] = model(user, film).detach().numpy()
ratings["error"] = (ratings.guess - ratings.stars).abs()
print(ratings.nlargest(3, "error").shape, ratings["error"].mean() < 0.7, (ratings["guess"].dtype))
