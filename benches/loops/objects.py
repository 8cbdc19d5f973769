class Vector:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def plus(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    @property
    def length(self):
        return self.x * self.x + self.y * self.y


at = Vector(0, 0)
step = Vector(1, 2)
far = 0
for _ in range(60_000):
    at = at.plus(step)
    if at.length > 10**9:
        far += 1
assert at.x == 60_000 and far == 45_858, far
