"""BiLSTM-CRF by hand, CTC loss and decoding, Viterbi. PyTorch 2.15 recorded `program_crf.txt` from this file."""

import torch
import torch.autograd as autograd
import torch.nn as nn
import torch.optim as optim
import torch.nn.functional as F
import itertools

torch.manual_seed(1)


def argmax(vec):
    _, idx = torch.max(vec, 1)
    return idx.item()


def prepare_sequence(seq, to_ix):
    return torch.tensor([to_ix[w] for w in seq], dtype=torch.long)


def log_sum_exp(vec):
    m = vec[0, argmax(vec)]
    return m + torch.log(torch.sum(torch.exp(vec - m.view(1, -1).expand(1, vec.size()[1]))))


START_TAG, STOP_TAG = "<START>", "<STOP>"


class BiLSTM_CRF(nn.Module):
    def __init__(self, vocab_size, tag_to_ix, embedding_dim, hidden_dim):
        super(BiLSTM_CRF, self).__init__()
        self.hidden_dim, self.tag_to_ix, self.tagset_size = hidden_dim, tag_to_ix, len(tag_to_ix)
        self.word_embeds = nn.Embedding(vocab_size, embedding_dim)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim // 2, num_layers=1, bidirectional=True)
        self.hidden2tag = nn.Linear(hidden_dim, self.tagset_size)
        self.transitions = nn.Parameter(torch.randn(self.tagset_size, self.tagset_size))
        self.transitions.data[tag_to_ix[START_TAG], :] = -10000
        self.transitions.data[:, tag_to_ix[STOP_TAG]] = -10000
        self.hidden = self.init_hidden()

    def init_hidden(self):
        return (torch.randn(2, 1, self.hidden_dim // 2), torch.randn(2, 1, self.hidden_dim // 2))

    def _forward_alg(self, feats):
        init = torch.full((1, self.tagset_size), -10000.0)
        init[0][self.tag_to_ix[START_TAG]] = 0.0
        fv = init
        for feat in feats:
            al = []
            for t in range(self.tagset_size):
                emit = feat[t].view(1, -1).expand(1, self.tagset_size)
                al.append(log_sum_exp(fv + self.transitions[t].view(1, -1) + emit).view(1))
            fv = torch.cat(al).view(1, -1)
        return log_sum_exp(fv + self.transitions[self.tag_to_ix[STOP_TAG]])

    def _get_lstm_features(self, s):
        self.hidden = self.init_hidden()
        e = self.word_embeds(s).view(len(s), 1, -1)
        out, self.hidden = self.lstm(e, self.hidden)
        return self.hidden2tag(out.view(len(s), self.hidden_dim))

    def _score(self, feats, tags):
        score = torch.zeros(1)
        tags = torch.cat([torch.tensor([self.tag_to_ix[START_TAG]], dtype=torch.long), tags])
        for i, feat in enumerate(feats):
            score = score + self.transitions[tags[i + 1], tags[i]] + feat[tags[i + 1]]
        return score + self.transitions[self.tag_to_ix[STOP_TAG], tags[-1]]

    def _viterbi_decode(self, feats):
        back = []
        fv = torch.full((1, self.tagset_size), -10000.0)
        fv[0][self.tag_to_ix[START_TAG]] = 0
        for feat in feats:
            nxt = fv + self.transitions
            v, b = nxt.max(1)
            back.append(b.tolist())
            fv = (v + feat).view(1, -1)
        term = fv + self.transitions[self.tag_to_ix[STOP_TAG]]
        best = argmax(term)
        score, path = term[0][best], [best]
        for b in reversed(back):
            best = b[best]
            path.append(best)
        assert path.pop() == self.tag_to_ix[START_TAG]
        path.reverse()
        return score, path

    def neg_log_likelihood(self, s, tags):
        feats = self._get_lstm_features(s)
        return self._forward_alg(feats) - self._score(feats, tags)

    def forward(self, s):
        return self._viterbi_decode(self._get_lstm_features(s))


training_data = [
    ("the wall street journal reported today".split(), "B I I I O O".split()),
    ("georgia tech is a university".split(), "B I O O B".split()),
]
word_to_ix = {}
for s, _ in training_data:
    for w in s:
        if w not in word_to_ix:
            word_to_ix[w] = len(word_to_ix)
tag_to_ix = {"B": 0, "I": 1, "O": 2, START_TAG: 3, STOP_TAG: 4}
model = BiLSTM_CRF(len(word_to_ix), tag_to_ix, 5, 4)
optimizer = optim.SGD(model.parameters(), lr=0.01, weight_decay=1e-4)
print(model, optimizer)
with torch.no_grad():
    sc, path = model(prepare_sequence(training_data[0][0], word_to_ix))
    print(f"{sc.item():.3f}", path)
for epoch in range(5):
    for s, tags in training_data:
        model.zero_grad()
        loss = model.neg_log_likelihood(
            prepare_sequence(s, word_to_ix), torch.tensor([tag_to_ix[t] for t in tags], dtype=torch.long)
        )
        loss.backward()
        optimizer.step()
    print(epoch, f"{loss.item():.3f}", loss, loss.shape)
with torch.no_grad():
    print(model(prepare_sequence(training_data[0][0], word_to_ix)))
feats = torch.randn(4, 5)
Z = model._forward_alg(feats)
brute = torch.logsumexp(
    torch.stack([model._score(feats, torch.tensor(p)).squeeze() for p in itertools.product(range(3), repeat=4)]), 0
)
print(torch.allclose(Z, brute, atol=1e-3), type(Z.grad_fn).__name__)
T, B, C, S = 12, 3, 5, 4
torch.manual_seed(3)
logits = torch.randn(T, B, C, requires_grad=True)
targets = torch.randint(1, C, (B, S), dtype=torch.long)
il, tl = torch.full((B,), T, dtype=torch.long), torch.tensor([4, 2, 3])
ctc = nn.CTCLoss(blank=0, zero_infinity=True)
l = ctc(logits.log_softmax(2), targets, il, tl)
l.backward()
print(ctc, l, type(l.grad_fn).__name__, logits.grad.abs().sum(2).shape, logits.grad.sum().abs() < 1e-5)
print(
    F.ctc_loss(logits.log_softmax(2), targets, il, tl, reduction="none"),
    F.ctc_loss(
        logits.log_softmax(2),
        torch.cat([t[:n] for t, n in zip(targets, tl)]),
        tuple(il.tolist()),
        tuple(tl.tolist()),
        reduction="sum",
    ),
)
print(
    F.ctc_loss(torch.zeros(2, 1, 3).log_softmax(2), torch.tensor([[1, 1]]), torch.tensor([2]), torch.tensor([2])),
    F.ctc_loss(
        torch.zeros(2, 1, 3).log_softmax(2),
        torch.tensor([[1, 1]]),
        torch.tensor([2]),
        torch.tensor([2]),
        zero_infinity=True,
    ),
)


def greedy(lp):
    out = []
    for b in range(lp.size(1)):
        best = lp[:, b].argmax(-1)
        keep = torch.unique_consecutive(best)
        out.append([k for k in keep.tolist() if k != 0])
    return out


print(greedy(logits))
for f in (
    lambda: F.ctc_loss(logits, targets, il[:2], tl),
    lambda: F.ctc_loss(logits, targets, il + 1, tl),
    lambda: F.ctc_loss(logits, targets, il, tl, blank=9),
    lambda: model(prepare_sequence(["nobody"], word_to_ix)),
    lambda: nn.NLLLoss()(torch.zeros(2, 3), torch.tensor([0, 3])),
    lambda: F.nll_loss(torch.zeros(2, 3), torch.tensor([0.0, 1.0])),
    lambda: F.cross_entropy(torch.zeros(2, 3), torch.tensor([0])),
    lambda: F.cross_entropy(torch.zeros(2, 3), torch.zeros(2, 4)),
    lambda: F.nll_loss(torch.zeros(2), torch.zeros(2, 2)),
    lambda: F.cross_entropy(torch.zeros(2, 3), torch.tensor([0, 1]), weight=torch.ones(2)),
    lambda: F.cross_entropy(torch.zeros(2, 3), torch.tensor([0, 1]), reduction="avg"),
):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
