text = "the quick brown fox jumps over the lazy dog " * 400
upper = 0
letters = []
for character in text:
    if character != " ":
        letters.append(character.upper())
        upper += 1
words = "".join(letters)
pieces = [word[::-1].capitalize() for word in text.split() * 4]
found = sum(word.startswith("T") or word.endswith("f") for word in pieces)
line = ""
for i in range(20_000):
    line += f"{i % 10}"
    if len(line) > 80:
        line = line[40:]
assert upper == 14_000 and len(words) == 14_000, upper
