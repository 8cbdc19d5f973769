"""tiktoken: written after the implementation. Texts of many kinds, and what a course on language models does with tokens."""

import pickle
import random

import tiktoken
import torch

random.seed(1)
alphabet = ["a", "B", "é", "Ω", "ж", "中", "अ", "ا", "1", "९", "²", "Ⅳ", " ", "  ", "\n", "\r\n", "\t", "\u00a0", "'", "'s", "'LL", "!", "—", "€", "😀", "\u0301", "_", "-", ".", "$", "ǅ", "ʰ"]
for name in ("gpt2", "cl100k_base"):
    enc = tiktoken.get_encoding(name)
    for case in range(45):
        text = "".join(random.choice(alphabet) for _ in range(random.randint(3, 14)))
        tokens = enc.encode(text)
        print(name, tokens, enc.decode(tokens) == text, enc.decode_bytes(tokens[:1]))
    words = "the quick brown fox jumps over the lazy dog".split()
    print([len(enc.encode(w)) for w in words], [len(enc.encode(" " + w)) for w in words], enc.encode("  ".join(words)))
    print(enc.encode("".join(random.choice("01 ") for _ in range(60))), enc.encode("x" * 300)[:5], enc.decode([220, 220, 198]))
enc = tiktoken.get_encoding("gpt2")
copy = pickle.loads(pickle.dumps(enc))
print(copy.name, copy.encode("same"), copy.n_vocab)
text = "I HAD always thought Jack Gisburn rather a cheap genius -- though a good fellow enough. " * 6
tokens = enc.encode(text)
inputs, targets = [], []
for start in range(0, len(tokens) - 8, 8):
    inputs.append(tokens[start:start + 8])
    targets.append(tokens[start + 1:start + 9])
inputs, targets = torch.tensor(inputs), torch.tensor(targets)
print(len(tokens), inputs.shape, inputs[0], targets[0], (inputs[:, 1:] == targets[:, :-1]).all())
torch.manual_seed(123)
table = torch.nn.Embedding(enc.n_vocab, 4)
print(table(inputs[:2]).shape, enc.decode(inputs[1].tolist()))
print(enc.encode_to_numpy("numbers"), enc.encode_to_numpy("numbers").dtype)
print(enc.decode([50256]), enc.decode(enc.encode("é")[:1]), enc.decode(enc.encode("é")[:1], errors="ignore") == "", repr(enc.decode([447])))
for bad in (lambda: enc.decode([60000]), lambda: enc.encode("x<|endoftext|>y", allowed_special={"<|other|>"}), lambda: enc.decode(enc.encode("é")[:1], errors="strict") if len(enc.encode("é")) > 1 else 1 / 0,
            lambda: tiktoken.Encoding("x", pat_str=".", mergeable_ranks={b"a": 0}, special_tokens={}, explicit_n_vocab=5), lambda: tiktoken.get_encoding("GPT2")):
    try:
        bad()
    except BaseException as error:
        print(type(error).__name__, str(error).splitlines()[:1])
for model in ("gpt-4", "gpt-3.5-turbo", "text-embedding-ada-002", "gpt-4-0314", "ft:gpt-3.5-turbo:x", "gpt-5", "o1-mini", "text-davinci-003", "ada"):
    print(model, tiktoken.encoding_name_for_model(model))
