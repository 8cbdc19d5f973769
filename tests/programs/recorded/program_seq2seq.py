"""Encoder-decoder GRU with Bahdanau attention, packed sequences, teacher forcing and beam search. PyTorch 2.15 recorded `program_seq2seq.txt` from this file."""

import re
import random
import string
import unicodedata
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence, pack_sequence
from torch.utils.data import Dataset, DataLoader

random.seed(1)
torch.manual_seed(1)
PAD, SOS, EOS = range(3)


class Lang:
    def __init__(self, name):
        self.name = name
        self.word2index = {}
        self.word2count = {}
        self.index2word = {PAD: "<pad>", SOS: "<sos>", EOS: "<eos>"}
        self.n_words = 3

    def add(self, sentence):
        for w in sentence.split(" "):
            if w not in self.word2index:
                self.word2index[w] = self.n_words
                self.word2count[w] = 1
                self.index2word[self.n_words] = w
                self.n_words += 1
            else:
                self.word2count[w] += 1

    def __repr__(self):
        return f"Lang({self.name!r}, {self.n_words} words)"


def ascii_(s):
    return "".join(c for c in unicodedata.normalize("NFD", s) if unicodedata.category(c) != "Mn")


def normalize(s):
    s = ascii_(s.lower().strip())
    s = re.sub(r"([.!?])", r" \1", s)
    return re.sub(r"[^a-zA-Z!?]+", r" ", s).strip()


pairs = [
    ("Ich sehe.", "I see."),
    ("Ich gehe hinüber!", "I go across!"),
    ("Du siehst mich?", "Do you see me?"),
    ("Wir gehen.", "We go."),
    ("Er sah den Bären", "He saw the bear"),
]
pairs = [tuple(normalize(s) for s in p) for p in pairs]
print(pairs)
src, tgt = Lang("de"), Lang("en")
for a, b in pairs:
    src.add(a)
    tgt.add(b)
print(src, tgt, tgt.word2count)


class Pairs(Dataset):
    def __len__(self):
        return len(pairs)

    def __getitem__(self, i):
        a, b = pairs[i]
        return (
            torch.tensor([src.word2index[w] for w in a.split()] + [EOS]),
            torch.tensor([tgt.word2index[w] for w in b.split()] + [EOS]),
        )


def collate(batch):
    batch.sort(key=lambda p: len(p[0]), reverse=True)
    xs, ys = zip(*batch)
    return (
        pad_sequence(xs, batch_first=True),
        torch.tensor([len(x) for x in xs]),
        pad_sequence(ys, batch_first=True, padding_value=PAD),
    )


class EncoderRNN(nn.Module):
    def __init__(self, n, h):
        super().__init__()
        self.embedding = nn.Embedding(n, h, padding_idx=PAD)
        self.gru = nn.GRU(h, h, batch_first=True, bidirectional=True)
        self.fc = nn.Linear(2 * h, h)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(self.embedding(x), lengths, batch_first=True)
        out, h = self.gru(packed)
        out, lens = pad_packed_sequence(out, batch_first=True)
        return self.fc(out), torch.tanh(self.fc(torch.cat((h[0], h[1]), dim=1))).unsqueeze(0), lens


class BahdanauAttention(nn.Module):
    def __init__(self, h):
        super().__init__()
        self.Wa, self.Ua, self.Va = nn.Linear(h, h), nn.Linear(h, h), nn.Linear(h, 1)

    def forward(self, query, keys, mask):
        scores = self.Va(torch.tanh(self.Wa(query) + self.Ua(keys))).squeeze(2).unsqueeze(1)
        scores = scores.masked_fill(mask.unsqueeze(1) == 0, float("-inf"))
        weights = F.softmax(scores, dim=-1)
        return torch.bmm(weights, keys), weights


class Decoder(nn.Module):
    def __init__(self, h, n):
        super().__init__()
        self.embedding = nn.Embedding(n, h)
        self.attention = BahdanauAttention(h)
        self.gru = nn.GRU(2 * h, h, batch_first=True)
        self.out = nn.Linear(h, n)
        self.dropout = nn.Dropout(0.1)

    def step(self, tok, hidden, enc, mask):
        e = self.dropout(self.embedding(tok))
        ctx, w = self.attention(hidden.permute(1, 0, 2), enc, mask)
        o, hidden = self.gru(torch.cat((e, ctx), dim=2), hidden)
        return self.out(o), hidden, w

    def forward(self, enc, hidden, mask, target=None, steps=6):
        tok = torch.empty(enc.size(0), 1, dtype=torch.long).fill_(SOS)
        outs, ws = [], []
        for i in range(steps if target is None else target.size(1)):
            o, hidden, w = self.step(tok, hidden, enc, mask)
            outs.append(o)
            ws.append(w)
            if target is not None and random.random() < 0.5:
                tok = target[:, i].unsqueeze(1)
            else:
                _, topi = o.topk(1)
                tok = topi.squeeze(-1).detach()
        return F.log_softmax(torch.cat(outs, 1), -1), hidden, torch.cat(ws, 1)


enc, dec = EncoderRNN(src.n_words, 16), Decoder(16, tgt.n_words)
print(enc, dec, sep="\n")
opts = [torch.optim.Adam(m.parameters(), lr=0.01) for m in (enc, dec)]
crit = nn.NLLLoss(ignore_index=PAD)
for epoch in range(12):
    for x, lens, y in DataLoader(Pairs(), batch_size=5, collate_fn=collate):
        for o in opts:
            o.zero_grad()
        e, h, lens2 = enc(x, lens)
        mask = (torch.arange(e.size(1))[None, :] < lens2[:, None]).long()
        out, _, w = dec(e, h, mask, y)
        loss = crit(out.view(-1, out.size(-1)), y.view(-1))
        loss.backward()
        for o in opts:
            o.step()
    if epoch % 4 == 3:
        print(epoch, f"{loss.item():.3f}")
print(x, lens, y, mask, w.shape, w[1].sum(-1).detach(), sep="\n")
enc.eval(), dec.eval()
with torch.no_grad():
    e, h, l2 = enc(x, lens)
    out, _, w = dec(e, h, mask)
    print(out.shape, out.argmax(-1).shape, w.shape)


@torch.no_grad()
def beam(i, k=3, steps=5):
    e, h, _ = enc(x[i : i + 1], lens[i : i + 1].cpu())
    m = torch.ones(1, e.size(1))
    beams = [([SOS], 0.0, h)]
    for _ in range(steps):
        cand = []
        for seq, s, hid in beams:
            if seq[-1] == EOS:
                cand.append((seq, s, hid))
                continue
            o, nh, _ = dec.step(torch.tensor([[seq[-1]]]), hid, e, m)
            lp, ix = o[0, -1].log_softmax(-1).topk(k)
            cand += [(seq + [t], s + p, nh) for p, t in zip(lp.tolist(), ix.tolist())]
        beams = sorted(cand, key=lambda c: -c[1])[:k]
    return [len(b[0]) > 1 for b in beams], len(beams)


print(beam(0))
ps = pack_sequence([torch.tensor([1, 2, 3]), torch.tensor([4, 5]), torch.tensor([6])])
print(ps, ps.data, ps.batch_sizes, ps.sorted_indices, type(ps).__name__, ps.is_cuda)
pu = pack_sequence([torch.tensor([4, 5]), torch.tensor([1, 2, 3])], enforce_sorted=False)
print(pu, pad_packed_sequence(pu))
for f in (
    lambda: pack_sequence([torch.tensor([4, 5]), torch.tensor([1, 2, 3])]),
    lambda: pack_padded_sequence(torch.zeros(2, 3, 1), torch.tensor([3, 0]), batch_first=True),
    lambda: enc.gru(torch.zeros(2, 3, 5)),
    lambda: enc.embedding(torch.tensor([99])),
    lambda: enc.gru(torch.zeros(2, 3, 16), torch.zeros(1, 2, 16)),
):
    try:
        f()
    except Exception as ex:
        print(type(ex).__name__, ex)
