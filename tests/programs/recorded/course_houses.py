"""Prices of houses: missing values, categories as columns, a linear layer."""

import io

import numpy as np
import pandas as pd
import torch

text = """NumRooms,RoofType,Area,Price
NA,NA,61,127500
2,NA,55,106000
4,Slate,120,178100
NA,NA,88,140000
3,Tile,95,150500
5,Slate,160,265000
"""
data = pd.read_csv(io.StringIO(text))
print(data)
inputs, targets = data.iloc[:, 0:3], data.iloc[:, 3]
inputs = pd.get_dummies(inputs, dummy_na=True)
print(inputs)
inputs = inputs.fillna(inputs.mean())
print(inputs)
X, y = torch.tensor(inputs.to_numpy(dtype=float)), torch.tensor(targets.to_numpy(dtype=float))
print(X, y)
numeric = data.dtypes[data.dtypes != "str"].index
print(list(numeric))
scaled = data[numeric].apply(lambda column: (column - column.mean()) / column.std()).fillna(0)
print(scaled)
print(scaled.mean().abs().max() < 1e-9, scaled.shape, scaled.values.astype(np.float32).dtype)
torch.manual_seed(0)
features = torch.tensor(scaled[["NumRooms", "Area"]].values.astype(np.float32))
labels = torch.tensor(scaled["Price"].values.astype(np.float32)).reshape(-1, 1)
layer = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
for step in range(200):
    loss = torch.nn.functional.mse_loss(layer(features), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(round(loss.item(), 3), [round(w, 3) for w in layer.weight.flatten().tolist()])
submission = pd.DataFrame({"Id": data.index + 1, "SalePrice": (layer(features) * data.Price.std() + data.Price.mean()).detach().numpy().reshape(-1).round(-3)})
import os, tempfile
path = os.path.join(tempfile.mkdtemp(), "submission.csv")
submission.to_csv(path, index=False)
print(pd.read_csv(path).dtypes, submission.shape)
