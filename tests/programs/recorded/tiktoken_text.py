"""tiktoken: text to tokens and back, with its vocabularies and with one of one's own."""

import tiktoken
import torch

texts = ["Hello, world!", "Hello, do you like tea? <|endoftext|> In the sunlit terraces of someunknownPlace.", "Akwirw ier",
         "I'll say it's 12345 + 67.89 = fun!!!", "   spaces   and\n\n\nnewlines \t tabs  ", "naïve café — “quotes” … ½ ² Ⅷ", "日本語のテキスト、한국어 and русский",
         "def f(x):\n    return x ** 2  # squared\n", "emoji 😀👍🏽 family 👨‍👩‍👧", "", " ", "\n", "HELLO it'S they'RE", "a" * 50, "१२३ ٤٥٦ 123", "line\r\nend\r\n", "ſ K",
         "tab\u00a0nbsp\u2003em\u3000wide", "e\u0301 combining Ā̄", "http://example.com/a?b=c&d=%20", "0.1234567890123 1e-10"]
for name in ("gpt2", "r50k_base", "cl100k_base"):
    enc = tiktoken.get_encoding(name)
    print(enc, enc.name, enc.n_vocab, enc.max_token_value, enc.eot_token, sorted(enc.special_tokens_set), enc is tiktoken.get_encoding(name))
    for text in texts:
        tokens = enc.encode(text, allowed_special={"<|endoftext|>"})
        print(name, len(tokens), tokens, enc.decode(tokens) == text)
    for text in texts[:8]:
        print([enc.decode_single_token_bytes(t) for t in enc.encode_ordinary(text)])
    print(enc.encode(texts[1], disallowed_special=()), enc.encode("a<|endoftext|>b", allowed_special="all"))
    print(enc.encode_batch(["one", "two three"]), enc.decode_batch([[1, 2], [3]]), enc.encode_ordinary_batch(["x y"]))
    print(enc.encode_single_token("hello"), enc.encode_single_token("<|endoftext|>"), enc.decode([15496, 995]), enc.decode_tokens_bytes([220, 628]))
    print(enc.decode_with_offsets(enc.encode("hello 日本 é")), enc.is_special_token(50256), len(enc.token_byte_values()), enc.token_byte_values()[1000:1003])
    for what in (lambda: enc.encode("<|endoftext|>"), lambda: enc.decode_single_token_bytes(10**6), lambda: enc.encode_single_token("not one token"),
                 lambda: enc.encode(5), lambda: enc.encode("ab", disallowed_special={"ab"})):
        try:
            print(what())
        except BaseException as error:
            print(type(error).__name__, str(error).splitlines()[0])
print(tiktoken.encoding_for_model("gpt-4"), tiktoken.encoding_for_model("gpt2"), tiktoken.encoding_name_for_model("gpt-4o-mini"), tiktoken.encoding_name_for_model("davinci"))
ids = torch.tensor(tiktoken.get_encoding("gpt2").encode("Every effort moves you")).unsqueeze(0)
print(ids, ids.dtype, tiktoken.get_encoding("gpt2").decode(ids.squeeze(0).tolist()))
for call in (lambda: tiktoken.encoding_for_model("my-model"), lambda: tiktoken.get_encoding("nothing"), lambda: tiktoken.get_encoding(5)):
    try:
        call()
    except Exception as error:
        print(type(error).__name__, str(error).splitlines()[0])
base = tiktoken.get_encoding("gpt2")
own = tiktoken.Encoding("own", pat_str=r"\p{L}+|\p{N}|[^\p{L}\p{N}]+", mergeable_ranks={bytes([i]): i for i in range(256)} | {b"ab": 256, b"abc": 257, b"bc": 258},
                        special_tokens={"<s>": 259, "<s>x": 260})
print(own, own.n_vocab, own.encode("abcabbc 1ab"), own.encode("<s>abc", allowed_special="all"), own.encode("<s>xb", allowed_special={"<s>", "<s>x"}), own.decode([257, 259, 33]))
more = tiktoken.Encoding("gpt2_im", pat_str=base._pat_str, mergeable_ranks=base._mergeable_ranks, special_tokens={**base._special_tokens, "<|im_start|>": 50257})
print(more.n_vocab, more.encode("<|im_start|>user", allowed_special={"<|im_start|>"}), more.decode([50257, 7220]))
