counts = {}
for i in range(120_000):
    key = (i * 31) % 997
    counts[key] = counts.get(key, 0) + 1
names = {f"name{i}": i for i in range(20_000)}
total = 0
for name, value in names.items():
    if name in names:
        total += value
assert sum(counts.values()) == 120_000 and total == 199_990_000
