package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What an interpreter that stays keeps, and how its programs end, in every language.
@Tag("root")
@Tag("slow")
@ExtendWith(Rig.Shared.class)
abstract class ResidentContractTest {
    private static final Duration SHORT = Duration.ofSeconds(1);

    /// Nothing is judged by how long it takes, but nothing is waited for longer.
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /// For an interrupted program, on a machine that may be busy.
    private static final Duration GRACE = Duration.ofSeconds(20);

    private final Rig rig;

    ResidentContractTest(Rig rig) {
        this.rig = rig;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    PYTHON     | x = 41; import math         | print(x + 1, math.floor(2.5))      | 42 2
                    NODE       | const x = 41; let y = 2     | console.log(x + 1, y)              | 42 2
                    TYPESCRIPT | const x: number = 41        | let z: string = 'a'; console.log(x + 1, z) | 42 a
                    BASH       | x=41; f() { echo $((x+1)) $1; } | f 2                            | 42 2
                    """)
    void variables_and_functions_survive(Language language, String first, String then, String said)
            throws Exception {
        try (var session = new Guestbook(rig, language)) {
            assertThat(session.run(first).code()).isZero();
            var second = session.run(then);
            assertThat(second.stdout()).isEqualTo(said + "\n");
            assertThat(second.stderr()).isEmpty();
            assertThat(session.ended()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    PYTHON     | import os; os.mkdir('d'); os.chdir('d'); os.environ['A'] = '1' | print(os.getcwd(), os.environ['A'], os.environ['B'])
                    NODE       | require('fs').mkdirSync('d'); process.chdir('d'); process.env.A = '1' | console.log(process.cwd(), process.env.A, process.env.B)
                    TYPESCRIPT | import fs from 'node:fs'; fs.mkdirSync('d'); process.chdir('d'); process.env.A = '1' | console.log(process.cwd(), process.env.A, process.env.B)
                    BASH       | mkdir d; cd d; export A=1 | echo $PWD $A $B
                    """)
    void directory_and_environment_survive(Language language, String first, String then)
            throws Exception {
        try (var session = new Guestbook(rig, language)) {
            assertThat(session.run(first).code()).isZero();
            var second = session.run(then, Duration.ofSeconds(30), Map.of("B", "2 3"));
            assertThat(second.stdout()).isEqualTo("/workspace/d 1 2 3\n");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    PYTHON     | import subprocess; p = subprocess.Popen(['sleep', '600'])     | print(p.poll())
                    NODE       | const p = require('child_process').spawn('sleep', ['600'], {stdio: 'ignore'}); p.unref() | console.log(p.exitCode)
                    BASH       | sleep 600 & p=$!                                              | kill -0 $p && echo None
                    """)
    void background_processes_survive(Language language, String first, String then)
            throws Exception {
        try (var session = new Guestbook(rig, language)) {
            assertThat(session.run(first).code()).isZero();
            assertThat(session.run(then).stdout()).isIn("None\n", "null\n");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    PYTHON     | 1/0                   | ZeroDivisionError
                    NODE       | throw new Error('no') | Error: no
                    TYPESCRIPT | const e: Error = new Error('no'); throw e | Error: no
                    BASH       | ls /absent; false     | /absent
                    """)
    void a_program_that_fails_says_why_and_leaves_the_session(
            Language language, String code, String complaint) throws Exception {
        try (var session = new Guestbook(rig, language)) {
            var failed = session.run(code);
            assertThat(failed.code()).isEqualTo(1);
            assertThat(failed.stderr()).contains(complaint).doesNotContain("/run/guest");
            assertThat(session.ended()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    PYTHON     | x = 1; print('so far'); import time; time.sleep(600)      | print(x)
                    PYTHON     | x = 1; print('so far'); import os; os.system('sleep 600') | print(x)
                    NODE       | let x = 1; console.log('so far'); while (true) {}         | console.log(x)
                    TYPESCRIPT | let x: number = 1; console.log('so far'); await new Promise(() => {}) | console.log(x)
                    BASH       | x=1; echo so far; sleep 600                               | echo $x
                    """)
    void out_of_time_is_an_interrupt_that_leaves_the_session(
            Language language, String code, String then) throws Exception {
        try (var session = new Guestbook(rig, language, Guestbook.SMALL, GRACE)) {
            // The first cell boots what the language needs, such as a transpiler.
            assertThat(session.run(language == Language.BASH ? "true" : "1").code()).isZero();
            var wall = SHORT;
            var late = session.run(code, wall);
            // On a busy machine its time may be over before the program has come so far.
            while (late.stdout().isEmpty() && wall.compareTo(PATIENCE) < 0) {
                wall = wall.multipliedBy(2);
                late = session.run(code, wall);
            }
            assertThat(late.outcome()).isInstanceOf(Outcome.TimedOut.class);
            assertThat(late.stdout()).isEqualTo("so far\n");
            assertThat(session.ended()).isEmpty();
            assertThat(session.run(then).stdout()).isEqualTo("1\n");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    PYTHON     | x = 1; print('so far'); import time; time.sleep(600)      | print(x)
                    NODE       | let x = 1; console.log('so far'); await new Promise(r => setTimeout(r, 600000)) | console.log(x)
                    BASH       | x=1; echo so far; sleep 600                               | echo $x
                    """)
    void a_cancelled_call_is_an_interrupt_that_leaves_the_session(
            Language language, String code, String then) throws Exception {
        try (var session = new Guestbook(rig, language, Guestbook.SMALL, GRACE)) {
            var begun = new CountDownLatch(1);
            var outcome = new CompletableFuture<Outcome>();
            Sink sink = (_, _, _, _) -> begun.countDown();
            var caller =
                    Thread.ofVirtual()
                            .start(() -> {
                                try {
                                    outcome.complete(session.run(code, PATIENCE, Map.of(), sink));
                                } catch (InterruptedException | RuntimeException failed) {
                                    outcome.completeExceptionally(failed);
                                }
                            });
            assertThat(begun.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            caller.interrupt();
            assertThat(outcome.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isInstanceOf(Outcome.Cancelled.class);
            assertThat(session.ended()).isEmpty();
            assertThat(session.run(then).stdout()).isEqualTo("1\n");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    PYTHON     | print('bye'); exit(3)
                    NODE       | console.log('bye'); process.exit(3)
                    TYPESCRIPT | console.log('bye'); process.exit(3 as number)
                    BASH       | echo bye; exit 3
                    """)
    void exit_ends_the_session_with_the_kernels_word(Language language, String code)
            throws Exception {
        try (var session = new Guestbook(rig, language)) {
            var last = session.run(code);
            assertThat(last.code()).isEqualTo(3);
            assertThat(last.stdout()).isEqualTo("bye\n");
            assertThat(session.ended()).containsInstanceOf(Outcome.Exited.class);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    PYTHON     | import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\\nwhile True: pass
                    NODE       | await 1; while (true) {}
                    BASH       | trap '' INT; while :; do :; done
                    """)
    void who_does_not_heed_an_interrupt_is_killed(Language language, String code) throws Exception {
        try (var session = new Guestbook(rig, language)) {
            var late = session.run(code.replace("\\n", "\n"), SHORT);
            assertThat(late.outcome()).isInstanceOf(Outcome.TimedOut.class);
            assertThat(session.ended()).containsInstanceOf(Outcome.TimedOut.class);
        }
    }

    @Test
    void a_value_is_handed_over_by_the_program_that_names_it() throws Exception {
        try (var session = new Guestbook(rig, Language.PYTHON)) {
            assertThat(session.run("result = {'a': 1}").value().toString()).contains("{\"a\":1}");
            assertThat(session.run("x = 1").value()).isEmpty();
            assertThat(session.run("result['a'] += 1").value().toString()).contains("{\"a\":2}");
            assertThat(session.run("result = 7; exit(0)").value().toString()).contains("7");
        }
        try (var session = new Guestbook(rig, Language.NODE)) {
            assertThat(session.run("const result = {a: 1}").value().toString()).contains("1");
            assertThat(session.run("let x = 1").value()).isEmpty();
            assertThat(session.run("globalThis.result = [2]; x").value().toString()).contains("1");
        }
    }

    @Test
    void errors_show_the_lines_of_the_cell_that_defined_what_failed() throws Exception {
        try (var session = new Guestbook(rig, Language.PYTHON)) {
            session.run("def broken():\n    return {}['absent']");
            assertThat(session.run("broken()").stderr())
                    .contains("cell-1.py\", line 2, in broken", "return {}['absent']");
        }
    }

    @Test
    void await_stands_at_the_top_and_tasks_go_on_in_the_next_cell() throws Exception {
        try (var session = new Guestbook(rig, Language.PYTHON)) {
            session.run(
                    "import asyncio\nasync def f():\n  await asyncio.sleep(0.01)\n  return 7\n"
                            + "task = asyncio.create_task(f()); await asyncio.sleep(0)");
            assertThat(session.run("print(await task)").stdout()).isEqualTo("7\n");
        }
    }

    @Test
    void declarations_and_imports_of_node_can_be_repeated() throws Exception {
        try (var session = new Guestbook(rig, Language.NODE)) {
            var code =
                    """
                    import fs, { readFileSync as read } from 'node:fs'
                    import * as path from "node:path" // import x from 'y'
                    const os = await import('node:os')
                    const text = "import('z')"
                    class A {}
                    console.log(typeof fs.statSync, typeof read, path.sep, typeof os.cpus, text)
                    """;
            var said = "function function / function import('z')\n";
            assertThat(session.run(code).stdout()).isEqualTo(said);
            assertThat(session.run(code).stdout()).isEqualTo(said);
            assertThat(session.run("console.log(typeof read)").stdout()).isEqualTo("function\n");
        }
    }

    @Test
    void a_node_cell_ends_when_what_it_started_has_ended() throws Exception {
        try (var session = new Guestbook(rig, Language.NODE)) {
            var late =
                    "async function main() { await new Promise(r => setTimeout(r, 200));"
                            + " console.log('late') }\nmain()";
            assertThat(session.run(late).stdout()).isEqualTo("late\n");
            var staying =
                    "setInterval(() => {}, 50); require('http').createServer(() => {}).listen(0)";
            assertThat(session.run(staying).code()).isZero();
            assertThat(session.run(late).stdout()).isEqualTo("late\n");
        }
    }

    @Test
    void what_is_written_between_two_calls_belongs_to_the_next() throws Exception {
        try (var session = new Guestbook(rig, Language.BASH)) {
            session.run("(sleep 0.3; echo from the background) & echo now");
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> session.run("true").stdout().equals("from the background\n"));
        }
    }

    @Test
    void the_figures_of_a_call_are_its_own() throws Exception {
        try (var session = new Guestbook(rig, Language.PYTHON)) {
            var busy =
                    session.run("import time\nt = time.time()\nwhile time.time() < t + 0.5: pass");
            var quiet = session.run("1");
            assertThat(quiet.outcome().usage().cpuMillis())
                    .isLessThan(busy.outcome().usage().cpuMillis());
        }
    }

    @Test
    void between_programs_it_holds_what_it_uses_and_the_next_has_the_whole_limit()
            throws Exception {
        try (var session = new Guestbook(rig, Language.PYTHON)) {
            assertThat(session.run("import os; kept = os.urandom(20 << 20)").code()).isZero();
            var used = session.resident().memoryBytes().orElseThrow();
            assertThat(used).isBetween(20L << 20, Guestbook.SMALL.memoryBytes());

            var held = session.resident().rest();

            assertThat(held).isGreaterThan(used - (16L << 20)).isLessThan(used + (64L << 20));
            assertThat(held).isLessThan(Guestbook.SMALL.memoryBytes());
            var room = Guestbook.SMALL.memoryBytes() * 3 / 4 - (20L << 20);
            assertThat(held - used).isLessThan(room);
            assertThat(session.run("more = b'1' * " + room + "; print(len(kept))").stdout())
                    .isEqualTo((20 << 20) + "\n");
        }
    }

    @Test
    void what_a_program_is_told_of_its_memory_is_the_limit_of_a_run() throws Exception {
        try (var session = new Guestbook(rig, Language.PYTHON)) {
            var ask = "print(open('/proc/meminfo').readline().split()[1])";
            var limit = (Guestbook.SMALL.memoryBytes() >> 10) + "\n";
            assertThat(session.run(ask).stdout()).isEqualTo(limit);
            session.resident().rest();
            assertThat(session.run(ask).stdout()).isEqualTo(limit);
        }
    }

    @Test
    void between_programs_the_kernel_ends_what_needs_more_than_it_holds() throws Exception {
        try (var session = new Guestbook(rig, Language.PYTHON)) {
            var most = Guestbook.SMALL.memoryBytes() * 3 / 4;
            var greedy =
                    "import time\nwhile True: time.sleep(0.2); x = b'1' * %d; del x"
                            .formatted(most);
            var begin =
                    "import subprocess\np = subprocess.Popen(['python3', '-c', \"\"\""
                            + greedy
                            + "\"\"\"])";
            assertThat(session.run(begin).code()).isZero();
            assertThat(session.resident().rest()).isLessThan(most);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> {
                        var polled = session.run("print(p.poll())").stdout();
                        session.resident().rest();
                        return polled.equals("-9\n");
                    });
        }
    }
}
