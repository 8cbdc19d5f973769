# rule: D03
# line: 15
import torch
import torch.nn as nn
class CNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, kernel_size=3)
        self.fc = nn.Linear(8, 10)
    def forward(self, img):
        h = torch.relu(self.conv(img)).mean(dim=(2, 3))
        return self.fc(h)
cnn = CNN().cuda()
photo = torch.rand(1, 3, 16, 16)
print(cnn(photo).shape)
