total = 0
i = 0
while i < 400_000:
    total += i % 7
    i += 1
for a in range(300):
    for b in range(400):
        total -= b & a
assert total == -6_101_907, total
