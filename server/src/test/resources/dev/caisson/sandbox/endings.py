#--- nothing but a line
print(1)
#--- text without the end of a line
import sys
sys.stdout.write("out")
sys.stderr.write("err")
sys.stdout.buffer.write(b"!")
#--- exit without a status
import sys
print("x")
sys.exit()
#--- exit with a number
import sys
sys.exit(3)
#--- exit with True
raise SystemExit(True)
#--- exit with a number below zero
import sys
sys.exit(-1)
#--- exit with a large number
import sys
sys.exit(256 + 7)
#--- exit with a number that is no C number
import sys
sys.exit(2**70)
#--- exit with a text
import sys
print("x", end="")
sys.exit("that is why")
#--- exit with a tuple
raise SystemExit((1, 2))
#--- exit with something that cannot be shown
class Bad:
    def __str__(self):
        raise ValueError("no text")
raise SystemExit(Bad())
#--- exit of another kind
class Exit(SystemExit):
    @property
    def code(self):
        print("asked")
        return 5
    def __del__(self):
        print("exit gone")
raise Exit(2)
#--- exit while others are in the way
import sys
def inner():
    try:
        sys.exit(4)
    finally:
        print("finally")
try:
    inner()
except SystemExit as exit:
    print("caught", exit.code)
    raise
#--- exit with a status that has a value of its own
class Number(int):
    def __del__(self):
        print("number gone")
raise SystemExit(Number(6))
#--- an error
def fails():
    class Local:
        def __del__(self):
            print("local gone")
    local = Local()
    raise ValueError("no")
fails()
#--- an error with a cause
try:
    {}["a"]
except KeyError as problem:
    raise RuntimeError("why") from problem
#--- an error in no valid program
print(1
#--- an error hook
import sys
def hook(kind, value, trace):
    print("hook", kind.__name__, value)
sys.excepthook = hook
raise ValueError("no")
#--- an error hook that exits
import sys
def hook(kind, value, trace):
    sys.exit(9)
sys.excepthook = hook
raise ValueError("no")
#--- an error hook that fails
import sys
def hook(kind, value, trace):
    raise KeyError("in the hook")
sys.excepthook = hook
raise ValueError("no")
#--- an interrupt
import atexit
atexit.register(print, "at exit")
class Gone:
    def __del__(self):
        print("gone")
gone = Gone()
raise KeyboardInterrupt
#--- an interrupt of another kind
class Interrupt(KeyboardInterrupt):
    pass
raise Interrupt("mine")
#--- an interrupt by the signal
import os, signal
os.kill(os.getpid(), signal.SIGINT)
import time
time.sleep(5)
#--- a signal
import os, signal
print("x", end="", flush=True)
os.kill(os.getpid(), signal.SIGTERM)
#--- a kill
import os
print("x", flush=True)
os.kill(os.getpid(), 9)
#--- an abort
import os
print("x", flush=True)
os.abort()
#--- an end without an end
import os, atexit
atexit.register(print, "never")
print("x", flush=True)
os._exit(4)
#--- functions at exit
import atexit, sys
def fail():
    raise ValueError("at exit")
def leave():
    sys.exit(8)
atexit.register(print, "first and last")
atexit.register(fail)
atexit.register(leave)
atexit.register(lambda: print("file" if "__file__" in globals() else "no file"))
atexit.register(lambda: atexit.register(print, "late"))
#--- functions at exit after an exit
import atexit, sys
atexit.register(lambda: print("file" if "__file__" in globals() else "no file"))
sys.exit(2)
#--- what is finalized
import sys
class Gone:
    def __init__(self, name):
        self.name = name
    def __del__(self):
        print(self.name, "gone", sys.is_finalizing(), "Gone" in globals(), __name__)
a = Gone("a")
_b = Gone("b")
cycle = [Gone("cycle")]
cycle.append(cycle)
sys.mine = Gone("of sys")
import builtins
builtins.mine = Gone("of builtins")
import colorsys
colorsys.mine = Gone("of a module")
def closure(inside=Gone("default")):
    return inside
lost = [Gone("lost")]
lost.append(lost)
del lost
#--- what is finalized with its own words
import os
class Gone:
    def __init__(self, name):
        self.name = name
    def __del__(self, write=os.write):
        write(1, self.name.encode() + b" gone\n")
import contextvars, sys, threading
contextvars.ContextVar("v").set(Gone("context"))
local = threading.local()
local.it = Gone("of the thread")
sys.setrecursionlimit(900)
sys.last_value = Gone("last value")
#--- what hangs on what was there before
import codecs, os, signal, sys
class Gone:
    def __init__(self, name):
        self.name = name
    def __del__(self, write=os.write):
        write(1, self.name.encode() + b" gone\n")
hold, search, handler = Gone("hook of audits"), Gone("codec"), Gone("handler")
sys.addaudithook(lambda event, arguments, hold=hold: None)
codecs.register(lambda name, search=search: None)
signal.signal(signal.SIGUSR1, lambda number, frame, handler=handler: None)
del hold, search, handler
os.mine = Gone("of a module")
#--- files that nobody closes
late = open(1, "w", closefd=False)
late.write("late\n")
import contextvars
held = open(1, "w", closefd=False)
held.write("held by the context\n")
contextvars.ContextVar("v").set(held)
del held
#--- a warning of files that nobody closes
import warnings
warnings.simplefilter("always")
late = open("/dev/null")
#--- generators that are under way
def steps():
    try:
        yield 1
        yield 2
    finally:
        print("finally of", __name__)
generator = steps()
next(generator)
class Manager:
    def __enter__(self):
        return self
    def __exit__(self, *arguments):
        print("left", arguments[0].__name__ if arguments[0] else None)
def within():
    with Manager():
        yield 1
other = within()
next(other)
#--- coroutines that nobody awaits
async def never():
    pass
waiting = never()
#--- an event loop with tasks
import asyncio
async def main():
    async def forever():
        try:
            await asyncio.sleep(100)
        finally:
            print("cancelled")
    task = asyncio.ensure_future(forever())
    await asyncio.sleep(0)
    return 1
print(asyncio.run(main()))
#--- an asynchronous generator that is under way
import asyncio
async def steps():
    try:
        yield 1
    finally:
        print("closed")
kept = steps()
async def main():
    await kept.__anext__()
asyncio.run(main())
#--- weak references
import weakref
class Thing:
    pass
thing = Thing()
weakref.finalize(thing, print, "finalized")
other = weakref.finalize(thing, print, "not at exit")
other.atexit = False
#--- temporary directories
import os, tempfile, atexit
directory = tempfile.TemporaryDirectory()
name = directory.name
atexit.register(lambda: print(os.path.exists(name)))
class Last:
    def __del__(self, there=os.access, name=name, write=os.write):
        write(1, b"there\n" if there(name, 0) else b"removed\n")
import sys
sys.last = Last()
#--- a finalizer that needs a module at the very end
import os, sys
class Last:
    def __del__(self, exists=os.path.exists, write=os.write):
        write(1, b"there\n" if exists("/") else b"removed\n")
sys.last = Last()
#--- a thread that goes on
import threading, time
def work():
    time.sleep(0.1)
    print("thread")
threading.Thread(target=work).start()
print("main")
#--- a thread that fails after the end
import threading, time
def work():
    time.sleep(0.1)
    raise ValueError("in a thread")
threading.Thread(target=work, name="late").start()
#--- a thread that nobody waits for
import threading, time
def work():
    while True:
        time.sleep(0.001)
threading.Thread(target=work, daemon=True).start()
time.sleep(0.02)
print("main")
#--- a thread that nobody waits for and computes
import threading, sys
def work():
    n = 0
    while True:
        n += 1
for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
sys.exit(3)
#--- an exit in a thread
import threading, sys
threading.Thread(target=sys.exit, args=(7,)).start()
print("main")
#--- pools of threads
from concurrent.futures import ThreadPoolExecutor
import time
pool = ThreadPoolExecutor(2)
for number in range(4):
    pool.submit(lambda: time.sleep(0.01))
pool.submit(print, "last")
#--- processes
import multiprocessing
def work(number):
    print("child", number, flush=True)
process = multiprocessing.get_context("fork").Process(target=work, args=(1,))
process.start()
#--- pools of processes
from concurrent.futures import ProcessPoolExecutor
import multiprocessing
with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("fork")) as pool:
    print(list(pool.map(abs, [-1, -2])))
#--- a child that ends like its parent
import os, atexit, sys
atexit.register(lambda: print("at exit of", "child" if child == 0 else "parent"))
child = os.fork()
if child:
    print("status", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    sys.exit(3)
sys.exit(5)
#--- a child that goes on without an exit
import os
child = os.fork()
if child:
    print("status", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
else:
    print("child")
#--- a child of a thread
import os, threading
def work():
    child = os.fork()
    if child:
        print("status", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
thread = threading.Thread(target=work)
thread.start()
thread.join()
#--- output that cannot be written
import os
print("unwritten", end="")
os.dup2(os.open("/dev/full", os.O_WRONLY), 1)
#--- output that cannot be written after an error
import os
print("unwritten", end="")
os.dup2(os.open("/dev/full", os.O_WRONLY), 1)
raise ValueError("no")
#--- output that cannot be written after an exit
import os, sys
print("unwritten", end="")
os.dup2(os.open("/dev/full", os.O_WRONLY), 1)
sys.exit(3)
#--- output that is written at exit and cannot be
import os, atexit
def late():
    os.dup2(os.open("/dev/full", os.O_WRONLY), 1)
    print("unwritten", end="")
atexit.register(late)
#--- output that nobody takes
import os, signal
reading, writing = os.pipe()
os.close(reading)
os.dup2(writing, 1)
print("unwritten", end="")
#--- a closed descriptor
import os
print("unwritten", end="")
os.close(1)
#--- a closed stream
import sys
print("x")
sys.stdout.close()
#--- no streams
import sys
print("x")
sys.stdout = sys.stderr = None
#--- a detached stream
import sys
raw = sys.stdout.detach()
raw.write(b"raw\n")
#--- a stream of its own
import sys
class Stream:
    def __init__(self, under):
        self.under = under
    def write(self, text):
        return self.under.write(text.upper())
    def flush(self):
        self.under.write("(flushed)\n")
sys.stdout = Stream(sys.__stdout__)
print("text")
#--- a stream of its own that fails
import sys
class Stream:
    def write(self, text):
        pass
    def flush(self):
        raise OSError("never")
sys.stdout = Stream()
#--- a stream in place of another
import sys
sys.stdout = open("/dev/full", "w")
print("unwritten")
#--- a stream in memory
import io, sys
sys.stdout = io.StringIO()
print("nowhere")
#--- much output
import sys
sys.stdout.write("x" * 1000000)
sys.exit(2)
#--- output of C
import ctypes
ctypes.CDLL(None).printf(b"of C")
#--- output of C before an exit
import ctypes, sys
ctypes.CDLL(None).printf(b"of C")
sys.exit(3)
#--- logs
import logging, logging.handlers, sys
target = logging.StreamHandler(sys.stdout)
memory = logging.handlers.MemoryHandler(1000, target=target)
logging.getLogger().addHandler(memory)
logging.warning("kept until the end")
#--- tests
import unittest
class Case(unittest.TestCase):
    def test(self):
        self.fail("no")
unittest.main(argv=["main"], testRunner=unittest.TextTestRunner(stream=open("/dev/null", "w")))
#--- a profiler and a tracer
import sys
seen = []
sys.settrace(lambda *arguments: None)
sys.setprofile(lambda *arguments: None)
print("x")
#--- no collector
import gc
gc.disable()
class Gone:
    def __del__(self):
        print("gone")
cycle = [Gone()]
cycle.append(cycle)
del cycle
#--- more that is frozen
import gc
class Gone:
    def __del__(self):
        print("gone")
cycle = [Gone()]
cycle.append(cycle)
gc.freeze()
#--- callbacks of the collector
import gc
gc.callbacks.append(lambda phase, facts: print(phase, facts["generation"]))
#--- handlers of faults, traces of memory
import faulthandler, tracemalloc
faulthandler.enable()
tracemalloc.start()
print("x")
#--- too deep
def deeper():
    deeper()
try:
    deeper()
except RecursionError:
    print("deep")
#--- nothing to read
input()
#--- another program in place of this one
import os, sys
print("x", flush=True)
os.execv(sys.executable, [sys.executable, "-c", "print('other'); raise SystemExit(6)"])
#--- names of the program
print(sorted(name for name in globals()))
print(__file__.rpartition("/")[2], __cached__, type(__loader__).__name__, __spec__, __builtins__.__name__)
print(__loader__.get_filename("__main__").rpartition("/")[2])
import sys
print(sys._getframe().f_back, sys._getframe().f_code.co_name, sys._getframe().f_lineno)
import inspect
print(inspect.getsource(sys._getframe()).splitlines()[0])
#--- annotations and docs of the program
"""What it is for."""
from __future__ import annotations
x: int = 1
print(__doc__, __annotations__)
#--- a program that spawns
import multiprocessing
def work(number):
    return number * 2
if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print(pool.map(work, [1, 2]))
#--- what is pickled of a program
import pickle
class Thing:
    pass
print(pickle.loads(pickle.dumps(Thing())).__class__ is Thing)
