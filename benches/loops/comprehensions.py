squares = [i * i for i in range(150_000) if i % 3]
pairs = {(a, b): a - b for a in range(150) for b in range(150)}
letters = {chr(97 + i % 26) for i in range(100_000)}
total = sum(x for row in [[i, i + 1] for i in range(40_000)] for x in row)
assert len(squares) == 100_000 and len(pairs) == 22_500 and len(letters) == 26 and total == 1_600_000_000, total
