"""Threads, locks and pools. CPython recorded `threads.txt` from this file."""

import asyncio
import logging
import queue
import threading
from concurrent.futures import ThreadPoolExecutor, as_completed, wait

names = []
def work(n):
    names.append((threading.current_thread().name, threading.get_ident() == main))
    if n: t = threading.Thread(target=work, args=(n - 1,), name=f"inner{n}"); t.start(); t.join()
    names.append(threading.current_thread().name)
main = threading.get_ident()
t = threading.Thread(target=work, args=(2,), name="outer"); t.start(); t.join(); print(names, t.is_alive())
print(threading.current_thread().name, threading.current_thread() is threading.main_thread(), threading.active_count(), [t.name for t in threading.enumerate()])
loc = threading.local(); loc.x = 1
def f(): print(hasattr(loc, "x")); loc.x = 2
t = threading.Thread(target=f); t.start(); t.join(); print(loc.x)
class L(threading.local):
    def __init__(self, n): self.n = n
    k = 3
l = L(5); l.n = 6
t = threading.Thread(target=lambda: print(l.n, l.k)); t.start(); t.join(); print(l.n, l.__dict__)
r = threading.RLock()
with r:
    with r: print(r)if False else None
t = threading.Thread(target=lambda: 1 / 0, name="bad")
threading.excepthook = lambda a: print("hook", a.exc_type.__name__, a.thread.name); t.start(); t.join(); print(threading.current_thread().name)

def attempt(f, *a, **k):
    try: print("ok", f(*a, **k))
    except BaseException as e: print(type(e).__name__, e)
with ThreadPoolExecutor(2, "w", initializer=int) as ex:
    f = ex.submit(lambda: threading.current_thread().name); print(f.result(), f.done(), f.cancelled(), f.cancel(), f.running())
    print(list(ex.map(pow, [2, 3], [3, 2])), [r for r in ex.map(str, range(3), timeout=5)])
    g = ex.submit(int, "x"); print(repr(g.exception())); attempt(g.result); f.add_done_callback(lambda q: print("done", q is f))
    d = {ex.submit(lambda i=i: i * i): i for i in range(3)}; print(sorted((d[f], f.result()) for f in as_completed(d))); print([len(s) for s in wait(d)])
    it = ex.map(lambda x: 1 / x, [1, 0, 2]); print(next(it)); attempt(next, it); attempt(next, it)
    print([f.result() for f in [ex.submit(lambda: ex.submit(lambda: 5).result())]])
attempt(ex.submit, print); attempt(ThreadPoolExecutor, 0); attempt(ThreadPoolExecutor, 1, "", 3)
ex = ThreadPoolExecutor(initializer=lambda: 1 / 0); logging.getLogger("concurrent.futures").disabled = True; attempt(lambda: ex.submit(print).result()); attempt(ex.submit, print)
async def main(): print(await asyncio.to_thread(pow, 2, 5)); l = asyncio.get_running_loop(); print(await l.run_in_executor(None, len, "abc")); print(await asyncio.gather(*[asyncio.to_thread(str, i) for i in range(3)]))
asyncio.run(main())
loc = threading.local(); loc.x = 1
ThreadPoolExecutor().submit(lambda: print(hasattr(loc, "x"))).result()
async def w(n, q):
    while True:
        i = await q.get(); print(n, i); q.task_done()
async def main():
    q = asyncio.Queue(); [q.put_nowait(i) for i in range(4)]; ts = [asyncio.create_task(w(n, q)) for n in "ab"]; await q.join(); [t.cancel() for t in ts]; print(await asyncio.gather(*ts, return_exceptions=True)); await asyncio.sleep(.01)
    try: await asyncio.wait_for(asyncio.sleep(1), .01)
    except asyncio.TimeoutError: print("timeout")
    async with asyncio.timeout(1): print("in")
    l = asyncio.Lock()
    async with l: print(l.locked())
asyncio.run(main())
c = threading.Condition()
with c: c.notify_all(); print(c.wait(.01))
e = threading.Event(); print(e.wait(.01)); s = threading.Semaphore(1)
with s: print("s")
t = threading.Timer(.01, lambda: print("timer")); t.start(); t.join(); b = threading.Barrier(1); print(b.wait())
q = queue.Queue(1)
for f in (lambda: q.get(timeout=.01), lambda: (q.put(1), q.put(2, timeout=.01))):
    try: f()
    except Exception as e: print(type(e).__name__, e)
l = threading.Lock(); print(l.acquire(), l.acquire(timeout=.01), l.acquire(False), l.release(), l.locked())
with l: print(l.locked())
try: l.release()
except RuntimeError as e: print(e)
