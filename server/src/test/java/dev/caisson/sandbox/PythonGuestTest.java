package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// A Python program behaves as a person who runs the file would see it.
@Tag("root")
@ExtendWith(Rig.Shared.class)
class PythonGuestTest {
    private final Rig rig;

    PythonGuestTest(Rig rig) {
        this.rig = rig;
    }

    private Rig.Result run(String code) throws InterruptedException {
        return rig.run(Language.PYTHON, code);
    }

    @Test
    void a_program_is_the_main_module_with_a_file_of_its_own() throws Exception {
        var result =
                run(
                        """
                        import os, sys
                        print(__name__, __file__, sys.argv, os.getcwd(), __spec__)
                        print(open(__file__).readline().strip())
                        print(sys.stdin.read() == "", os.path.samefile("/data", "/workspace"), os.path.samefile("/home/baponi", "/workspace"))
                        """);
        assertThat(result.stderr()).isEmpty();
        assertThat(result.stdout())
                .isEqualTo(
                        "__main__ /run/job/main.py ['/run/job/main.py'] /workspace None\nimport os, sys\nTrue True True\n");
    }

    @Test
    void a_traceback_shows_the_programs_lines_and_none_of_ours() throws Exception {
        var result = run("def f():\n    return 1 / 0  # here\n\nf()\n");
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.stderr())
                .isEqualTo(
                        """
                        Traceback (most recent call last):
                          File "/run/job/main.py", line 4, in <module>
                            f()
                          File "/run/job/main.py", line 2, in f
                            return 1 / 0  # here
                                   ~~^~~
                        ZeroDivisionError: division by zero
                        """);
    }

    @Test
    void the_stack_below_a_program_is_empty() throws Exception {
        assertThat(run("import traceback\nprint(len(traceback.extract_stack()))").stdout())
                .isEqualTo("1\n");
    }

    @Test
    void a_syntax_error_names_its_line() throws Exception {
        var result = run("x = 1\nif x\n    print(x)\n");
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.stderr())
                .startsWith("  File \"/run/job/main.py\", line 2")
                .contains("SyntaxError");
    }

    @Test
    void exits_are_the_programs_own() throws Exception {
        assertThat(run("import sys; sys.exit(3)").code()).isEqualTo(3);
        var words = run("import sys; sys.exit('no way')");
        assertThat(words.code()).isEqualTo(1);
        assertThat(words.stderr()).isEqualTo("no way\n");
        assertThat(run("raise SystemExit").code()).isZero();
        assertThat(run("import os; os._exit(7)").code()).isEqualTo(7);
        var late = run("import atexit; atexit.register(print, 'bye'); print('hi')");
        assertThat(late.stdout()).isEqualTo("hi\nbye\n");
    }

    /// The guest keeps the interpreter's own objects; those of the program end as they always do.
    @Test
    void what_the_program_leaves_open_is_closed_and_finalized() throws Exception {
        var workspace = rig.workspace();
        var result =
                rig.run(
                        Language.PYTHON,
                        """
                        import os, sys, weakref
                        class Loud:
                            def __init__(self, word): self.word = word
                            def __del__(self): os.write(1, (self.word + '\\n').encode())
                        alone = Loud('alone')
                        ring = Loud('ring'); ring.self = ring
                        hook = weakref.finalize(alone, os.write, 1, b'finalize\\n')
                        unclosed = open('/workspace/unclosed', 'w'); unclosed.write('all of it')
                        sys.stdout.write('no end of line')
                        """,
                        Rig.LIMITS,
                        workspace,
                        Map.of());
        assertThat(result.code()).isZero();
        assertThat(result.stdout()).contains("alone\n", "ring\n", "finalize\n", "no end of line");
        assertThat(workspace.resolve("unclosed")).hasContent("all of it");
    }

    @Test
    void input_finds_the_end_of_file() throws Exception {
        var result = run("input()");
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.stderr()).endsWith("EOFError: EOF when reading a line\n");
    }

    @Test
    void threads_and_processes_of_every_kind_work() throws Exception {
        var result =
                run(
                        """
                        import multiprocessing as mp, subprocess, sys, threading
                        from concurrent.futures import ProcessPoolExecutor

                        def square(x):
                            return x * x

                        if __name__ == "__main__":
                            for kind in ("fork", "spawn"):
                                with mp.get_context(kind).Pool(2) as pool:
                                    print(kind, pool.map(square, [1, 2, 3]))
                            thread = threading.Thread(target=print, args=("thread",))
                            thread.start(); thread.join()
                            print(subprocess.run([sys.executable, "-c", "print(6 * 7)"], capture_output=True, text=True).stdout.strip())
                            print(subprocess.check_output("echo $0; pwd", shell=True, text=True).split())
                        """);
        assertThat(result.stderr()).isEmpty();
        assertThat(result.stdout())
                .isEqualTo(
                        "fork [1, 4, 9]\nspawn [1, 4, 9]\nthread\n42\n['/bin/sh', '/workspace']\n");
    }

    @Test
    void text_passes_unchanged() throws Exception {
        var result =
                run("s = '''a\n  b\n\tc\n'''\nprint(repr(s), 'äöü 漢字 🙂')\nprint('\\0\\x1b[1m')");
        assertThat(result.stdout()).isEqualTo("'a\\n  b\\n\\tc\\n' äöü 漢字 🙂\n\0\033[1m\n");
    }

    @Test
    void a_megabyte_of_code_runs() throws Exception {
        var line = "x = 1 # " + "é".repeat(40) + "\n";
        var code = line.repeat(1_000_000 / (line.length() + 40)) + "print('end')";
        assertThat(run(code).stdout()).isEqualTo("end\n");
    }

    @Test
    void await_at_the_top_works_and_so_does_asyncio_run() throws Exception {
        var top =
                run(
                        "import asyncio\nawait asyncio.sleep(0.01)\nprint(__name__, __file__)\nresult = [1]\n");
        assertThat(top.stderr()).isEmpty();
        assertThat(top.stdout()).isEqualTo("__main__ /run/job/main.py\n");
        assertThat(top.value()).map(Object::toString).hasValue("Value[value=[1]]");
        var own = run("import asyncio\nasync def f():\n    return 5\nprint(asyncio.run(f()))");
        assertThat(own.stdout()).isEqualTo("5\n");
        var failing = run("import asyncio\nawait asyncio.sleep(0)\nraise KeyError('k')");
        assertThat(failing.code()).isEqualTo(1);
        assertThat(failing.stderr())
                .isEqualTo(
                        """
                        Traceback (most recent call last):
                          File "/run/job/main.py", line 3, in <module>
                            raise KeyError('k')
                        KeyError: 'k'
                        """);
        assertThat(run("import sys\nawait __import__('asyncio').sleep(0)\nsys.exit(4)").code())
                .isEqualTo(4);
    }

    @Test
    void modules_of_the_workspace_can_be_imported_and_leave_nothing() throws Exception {
        var workspace = rig.workspace();
        rig.run(
                Language.PYTHON,
                "open('helper.py', 'w').write('x = 5')",
                Rig.LIMITS,
                workspace,
                Map.of());
        var result =
                rig.run(
                        Language.PYTHON,
                        "import helper; print(helper.x, helper.__file__)",
                        Rig.LIMITS,
                        workspace,
                        Map.of());
        assertThat(result.stdout()).isEqualTo("5 /workspace/helper.py\n");
        try (var files = Files.list(workspace)) {
            assertThat(files).containsExactly(workspace.resolve("helper.py"));
        }
    }

    @Test
    void the_environment_is_the_runs_and_nothing_else() throws Exception {
        var code = "import os\nprint(sorted(os.environ))\nprint(os.environ['GREETING'])";
        var result =
                rig.run(
                        Language.PYTHON,
                        code,
                        Rig.LIMITS,
                        rig.workspace(),
                        Map.of("GREETING", "a=b ü\nc"));
        assertThat(result.stdout())
                .isEqualTo(
                        "['GOMAXPROCS', 'GREETING', 'HOME', 'LANG', 'LOGNAME', 'MPLCONFIGDIR', 'NODE_OPTIONS', 'OMP_NUM_THREADS', 'PATH', 'PIP_PYTHON', 'PWD', 'PYTHONDONTWRITEBYTECODE', 'PYTHONUNBUFFERED', 'PYTHON_CPU_COUNT', 'SANDBOX_CPUS', 'SANDBOX_MEMORY_BYTES', 'SHELL', 'TMPDIR', 'USER', 'XDG_CACHE_HOME', 'npm_config_offline']\na=b ü\nc\n");
    }

    @Test
    void variables_that_python_reads_when_it_starts_count_too() throws Exception {
        var code =
                "import sys, time\nprint(sys.path[:3], time.strftime('%H %Z', time.localtime(0)))";
        var env = Map.of("PYTHONPATH", "/workspace/lib", "TZ", "Asia/Tokyo");
        var result = rig.run(Language.PYTHON, code, Rig.LIMITS, rig.workspace(), env);
        assertThat(result.stdout())
                .isEqualTo("['/run/job', '/workspace', '/workspace/lib'] 09 JST\n");
    }

    @Test
    void what_was_written_before_a_hang_is_there() throws Exception {
        var limits = Rig.LIMITS.withWall(java.time.Duration.ofMillis(1_500));
        var result = rig.run(Language.PYTHON, "print('before')\nwhile True: pass", limits);
        assertThat(result.outcome()).isInstanceOf(Outcome.TimedOut.class);
        assertThat(result.stdout()).isEqualTo("before\n");
    }
}
