# rule: D02
# line: 12
import torch
from torch import nn
class Classifier:
    def __init__(self):
        self.net = nn.Linear(5, 2).cuda()
    def predict(self, rows):
        return self.net(rows).argmax(1)
clf = Classifier()
sample = torch.rand(3, 5)
print(clf.predict(sample).tolist())
