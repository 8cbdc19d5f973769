import math
import sqlite3

print(math.pi)
