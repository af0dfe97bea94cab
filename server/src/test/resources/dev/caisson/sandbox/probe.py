import sys
probed = {"modules": sorted(set(sys.modules) - {"sitecustomize"}), "globals": sorted(globals())}
main_file = __file__
import builtins, os

def say(name, ask):
    try:
        value = ask()
    except BaseException as problem:
        value = f"{type(problem).__name__}: {problem}"
    probed[name] = value

say("argv", lambda: sys.argv)
say("orig_argv", lambda: sys.orig_argv[1:])
say("name", lambda: __name__)
say("file", lambda: __file__)
say("spec", lambda: repr(__spec__))
say("doc", lambda: repr(__doc__))
say("package", lambda: repr(__package__))
say("cached", lambda: repr(__cached__))
say("annotations", lambda: repr(globals().get("__annotations__")))
say("loader", lambda: type(__loader__).__name__)
say("loader.path", lambda: __loader__.path)
say("loader.name", lambda: __loader__.name)
say("builtins", lambda: __builtins__ is builtins)
say("builtins.names", lambda: sorted(vars(builtins)))
say("main is the module", lambda: vars(sys.modules["__main__"]) is globals())
say("main.module", lambda: repr(sys.modules["__main__"]))
say("executable", lambda: sys.executable)
say("path", lambda: sys.path)
say("path_hooks", lambda: [getattr(each, "__name__", repr(each)) for each in sys.path_hooks])
say("meta_path", lambda: [getattr(each, "__name__", type(each).__name__) for each in sys.meta_path])
say("path_importer_cache", lambda: sorted(sys.path_importer_cache))
for each in ("debug inspect interactive optimize dont_write_bytecode no_user_site no_site ignore_environment verbose "
             "bytes_warning quiet hash_randomization isolated dev_mode utf8_mode safe_path warn_default_encoding int_max_str_digits").split():
    say("flags." + each, lambda: getattr(sys.flags, each, None))
say("xoptions", lambda: sys._xoptions)
say("warnoptions", lambda: sys.warnoptions)
say("dont_write_bytecode", lambda: sys.dont_write_bytecode)
say("pycache_prefix", lambda: sys.pycache_prefix)
say("prefixes", lambda: [sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix])
say("hooks", lambda: [sys.excepthook is sys.__excepthook__, sys.displayhook is sys.__displayhook__,
                      sys.breakpointhook is sys.__breakpointhook__, sys.unraisablehook is sys.__unraisablehook__])
say("trace", lambda: [sys.gettrace(), sys.getprofile()])
say("ps1", lambda: [hasattr(sys, each) for each in ("ps1", "last_type", "last_value", "tracebacklimit")])
say("recursion", sys.getrecursionlimit)
say("switch interval", sys.getswitchinterval)
say("asyncgen hooks", lambda: list(sys.get_asyncgen_hooks()))
say("coroutine tracking", sys.get_coroutine_origin_tracking_depth)
say("sys.names", lambda: sorted(vars(sys)))
say("os.names", lambda: sorted(vars(os)))
for each in ("stdin", "stdout", "stderr"):
    stream = getattr(sys, each)
    say(each, lambda: {name: str(getattr(stream, name)) for name in
                       "name mode encoding errors newlines line_buffering write_through closed".split()})
    say(each + ".same", lambda: stream is getattr(sys, f"__{each}__"))
    say(each + ".fileno", lambda: stream.fileno())
    say(each + ".isatty", stream.isatty)
    say(each + ".types", lambda: [type(stream).__name__, type(stream.buffer).__name__, type(getattr(stream.buffer, "raw", None)).__name__])
import stat
def kind(number):
    mode = os.fstat(number).st_mode
    return [name for name in "ISFIFO ISREG ISCHR ISSOCK ISDIR".split() if getattr(stat, "S_" + name)(mode)]
def descriptors():
    found = {}
    for number in range(256):
        try:
            found[str(number)] = kind(number)
        except OSError:
            pass
    return found
say("descriptors", descriptors)
import fcntl
for number in range(3):
    say(f"descriptor.{number}.flags", lambda: [fcntl.fcntl(number, fcntl.F_GETFD), fcntl.fcntl(number, fcntl.F_GETFL) & ~0o100000])
say("descriptors.inheritable", lambda: [number for number in range(256) if _inheritable(number)])
def _inheritable(number):
    try:
        return os.get_inheritable(number)
    except OSError:
        return False
say("stdin.content", lambda: sys.stdin.read())
import signal
for each in sorted(signal.valid_signals()):
    number = int(each)
    def handler():
        found = signal.getsignal(number)
        return getattr(found, "__name__", str(found))
    say(f"signal.{number}", handler)
say("signal.mask", lambda: sorted(map(int, signal.pthread_sigmask(signal.SIG_BLOCK, []))))
say("signal.wakeup", lambda: signal.set_wakeup_fd(-1))
say("signal.timers", lambda: [signal.getitimer(each) for each in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF)])
say("signal.pending", lambda: sorted(map(int, signal.sigpending())))
def status(*names):
    lines = dict(line.split(":", 1) for line in open("/proc/self/status") if ":" in line)
    return {name: lines[name].strip() for name in names}
say("kernel.signals", lambda: status("SigPnd", "ShdPnd", "SigBlk", "SigIgn", "SigCgt"))
say("kernel.threads", lambda: status("Threads"))
say("kernel.name", lambda: status("Name"))
say("kernel.command", lambda: open("/proc/self/cmdline", "rb").read().decode().split("\0")[1:])
say("kernel.environment", lambda: sorted(open("/proc/self/environ", "rb").read().decode().split("\0")))
import threading
say("threads", lambda: [threading.active_count(), threading.current_thread().name, threading.current_thread() is threading.main_thread()])
say("thread.stack", threading.stack_size)
say("thread.hook", lambda: threading.excepthook is threading.__excepthook__)
import gc
say("gc", lambda: [gc.isenabled(), list(gc.get_threshold()), gc.get_debug(), gc.callbacks])
say("gc.frozen", gc.get_freeze_count)
say("gc.garbage", lambda: gc.garbage)
say("environ", lambda: dict(sorted(os.environ.items())))
say("cwd", os.getcwd)
def umask():
    before = os.umask(0)
    os.umask(before)
    return before
say("umask", umask)
say("nice", lambda: os.nice(0))
say("ids", lambda: [os.getuid(), os.geteuid(), os.getgid(), os.getegid(), os.getgroups()])
say("scheduler", lambda: [os.sched_getscheduler(0), os.sched_getparam(0).sched_priority])
say("session leader", lambda: [os.getsid(0) == os.getpid(), os.getpgid(0) == os.getpid()])
import resource
say("limits", lambda: {name: list(resource.getrlimit(getattr(resource, name))) for name in sorted(dir(resource)) if name.startswith("RLIMIT_")})
import locale
say("locale", lambda: [locale.setlocale(each) for each in (locale.LC_CTYPE, locale.LC_COLLATE, locale.LC_TIME, locale.LC_NUMERIC, locale.LC_MESSAGES)])
say("encoding", lambda: [locale.getpreferredencoding(False), sys.getfilesystemencoding(), sys.getfilesystemencodeerrors(), sys.getdefaultencoding()])
import atexit
say("atexit", atexit._ncallbacks)
import asyncio
def loop():
    import warnings
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            asyncio.get_event_loop()
            return "a loop"
        except BaseException as problem:
            return f"{type(problem).__name__}: {problem}"
say("asyncio.running", lambda: repr(asyncio._get_running_loop()))
say("asyncio.policy", lambda: type(asyncio.get_event_loop_policy()).__name__)
say("asyncio.loop", loop)
import warnings
say("warnings", lambda: [[each[0], str(each[1]), each[2].__name__, str(each[3]), each[4]] for each in warnings.filters])
say("warnings.default", lambda: warnings.defaultaction)
import random
say("random.seeded", lambda: random.getstate() != random.Random(0).getstate())
import time
say("time.zone", lambda: [time.tzname, time.timezone, time.daylight])
say("usage.children none", lambda: resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime == 0)
say("children", lambda: open(f"/proc/self/task/{os.getpid()}/children").read())
import site
say("site", lambda: [site.ENABLE_USER_SITE, site.PREFIXES])
say("site.user", lambda: [site.getusersitepackages(), site.getuserbase()])
say("sitecustomize is the guest", lambda: getattr(sys.modules.get("sitecustomize"), "__file__", "").startswith("/run/guest"))
import inspect, traceback
say("stack", lambda: len(traceback.extract_stack()))
say("frame.back", lambda: repr(sys._getframe(0).f_back is None))
say("code.name", lambda: [(each := inspect.currentframe()) and each.f_back.f_back.f_code.co_name, each.f_back.f_back.f_code.co_filename])
import linecache
say("linecache", lambda: sorted(linecache.cache))
import io
say("open.encoding", lambda: open(main_file).encoding)
say("hash of text is salted", lambda: sys.flags.hash_randomization)
say("interned", lambda: hasattr(sys, "_git"))
say("faulthandler", lambda: __import__("faulthandler").is_enabled())
say("tracemalloc", lambda: __import__("tracemalloc").is_tracing())
say("decimal", lambda: str(__import__("decimal").getcontext()))
say("context", lambda: len(__import__("contextvars").copy_context()))
say("logging", lambda: [len(__import__("logging").root.handlers), __import__("logging").root.level])
say("platform", lambda: [__import__("platform").python_version(), __import__("platform").machine(), __import__("platform").system()])
say("hostname", lambda: __import__("socket").gethostname())
say("terminal", lambda: os.path.exists("/dev/tty") and _tty())
def _tty():
    try:
        os.close(os.open("/dev/tty", os.O_RDWR))
        return True
    except OSError:
        return False
say("oom score", lambda: open("/proc/self/oom_score_adj").read().strip())
say("privileges", lambda: status("NoNewPrivs", "Seccomp", "CapEff", "CapBnd"))
import json
print(json.dumps(probed))
