"""Threads have names, and a logging call with wrong arguments doesn't end the program."""
import logging
import sys
import threading


def inner():
    print(threading.current_thread().name)


def outer():
    thread = threading.Thread(target=inner, name="inner")
    thread.start()
    thread.join()
    print(threading.current_thread().name)


thread = threading.Thread(target=outer, name="outer")
thread.start()
thread.join()
print(threading.current_thread().name, threading.current_thread() is threading.main_thread(), thread.is_alive())
logging.basicConfig(stream=sys.stdout, format="%(threadName)s %(message)s")
logging.warning("fine")
logging.warning("wrong %d", "x")
print("goes on")
