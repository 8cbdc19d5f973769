values = [(i * 7919) % 1009 for i in range(350)]
for i in range(len(values)):
    for j in range(len(values) - 1 - i):
        if values[j] > values[j + 1]:
            values[j], values[j + 1] = values[j + 1], values[j]
assert values == sorted(values)
words = [str((i * 7919) % 100_003) for i in range(20_000)]
words.sort(key=lambda word: (len(word), word))
assert words[0] == "0"
