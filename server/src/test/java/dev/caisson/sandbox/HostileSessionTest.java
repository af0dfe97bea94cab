package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Programs that lie, hide and flood in a session harm that session and nothing else: every call is
/// answered in bounded time, and everything is gone when the session is closed.
@Tag("root")
@Tag("slow")
@InBubblewrap
@ExtendWith(Rig.Shared.class)
class HostileSessionTest {
    private static final Duration SHORT = Duration.ofSeconds(1);

    private final Rig rig;

    HostileSessionTest(Rig rig) {
        this.rig = rig;
    }

    @Test
    void a_forged_ending_is_the_programs_own_word_and_changes_no_other_call() throws Exception {
        try (var session = new Guestbook(rig, Language.PYTHON)) {
            var forged =
                    session.run(
                            """
                            import os, time
                            os.write(7, b'{"cell":"/run/job/cell-9.py","code":0,"value":"other"}\\n')
                            os.write(7, b'{"cell":"%s","code":0,"value":"forged"}\\n' % __file__.encode())
                            time.sleep(1)
                            print('went on')
                            """);
            assertThat(forged.value().toString()).contains("forged");
            assertThat(session.run("print('next')").stdout()).contains("next");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "os.write(7, b'\\0' * 300000)",
                "os.write(7, b'{\"cell\":' + b'[' * 200000 + b'\\n')",
                "os.write(7, b'{\"cell\":\"%s\",\"code\":\"x\"}\\n' % __file__.encode())",
                "os.write(7, b'{\"cell\":\"%s\",\"code\":9999}\\n' % __file__.encode())",
                "[os.write(7, b'{\"cell\":\"%s\"}\\n' % __file__.encode()) for _ in range(100)]"
            })
    void what_is_no_record_is_not_taken_for_one(String code) throws Exception {
        try (var session = new Guestbook(rig, Language.PYTHON)) {
            session.run("import os");
            var result = session.run(code, SHORT);
            assertThat(result.outcome())
                    .isInstanceOfAny(Outcome.Exited.class, Outcome.TimedOut.class);
            assertThat(result.value()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    PYTHON | import os; os.close(7)
                    PYTHON | import os; os.closerange(3, 256)
                    NODE   | require('fs').closeSync(7)
                    BASH   | for f in /proc/$$/fd/*; do n=${f##*/}; [ $n -gt 2 ] && eval "exec $n>&-"; done
                    """)
    void one_that_cuts_the_line_is_ended_and_told(Language language, String code) throws Exception {
        try (var session = new Guestbook(rig, language)) {
            session.run(code, Duration.ofSeconds(5));
            session.run("1", SHORT);
            assertThat(session.ended()).isPresent();
        }
    }

    @Test
    void redefined_builtins_end_the_session_at_worst() throws Exception {
        try (var session = new Guestbook(rig, Language.PYTHON)) {
            session.run(
                    "import builtins, os\nbuiltins.compile = builtins.eval = builtins.open = None\n"
                            + "os.write = os.read = None",
                    Duration.ofSeconds(5));
            session.run("print(1)", SHORT);
            assertThat(session.ended()).isPresent();
        }
        try (var session = new Guestbook(rig, Language.BASH)) {
            session.run("builtin() { :; }; printf() { :; }; read() { :; }", SHORT);
            session.run("echo 1", SHORT);
            assertThat(session.ended()).isPresent();
        }
        try (var session = new Guestbook(rig, Language.NODE)) {
            session.run(
                    "JSON.stringify = Buffer.from = () => { throw 1 }; globalThis.setImmediate = null",
                    SHORT);
            session.run("1", SHORT);
            assertThat(session.ended()).isPresent();
        }
    }

    @Test
    void one_that_leaves_a_child_and_goes_has_ended() throws Exception {
        try (var session = new Guestbook(rig, Language.PYTHON)) {
            var gone =
                    session.run(
                            "import os\nif os.fork() == 0:\n  os.setsid()\n  while True: pass\nos._exit(5)");
            assertThat(gone.code()).isEqualTo(5);
            assertThat(session.ended()).isPresent();
        }
    }

    @Test
    void a_child_does_not_answer_in_its_parents_place() throws Exception {
        try (var session = new Guestbook(rig, Language.PYTHON)) {
            var both =
                    session.run(
                            "import os\npid = os.fork()\nif pid: os.wait(); print('parent')\nelse: print('child')");
            assertThat(both.stdout()).isEqualTo("child\nparent\n");
            assertThat(session.run("print('still one')").stdout()).isEqualTo("still one\n");
        }
    }

    @Test
    void one_that_stops_itself_is_killed_when_its_time_is_over() throws Exception {
        try (var session = new Guestbook(rig, Language.PYTHON)) {
            var stopped = session.run("import os; os.kill(os.getpid(), 19)", SHORT);
            assertThat(stopped.outcome()).isInstanceOf(Outcome.TimedOut.class);
            assertThat(session.ended()).isPresent();
        }
    }

    @Test
    void one_that_stops_between_calls_is_killed_too() throws Exception {
        try (var session = new Guestbook(rig, Language.BASH)) {
            session.run("(sleep 0.2; kill -STOP $$) &");
            var late = session.run("sleep 0.5; x=" + "y".repeat(200_000), SHORT);
            assertThat(late.outcome()).isInstanceOf(Outcome.TimedOut.class);
            assertThat(session.ended()).isPresent();
        }
    }

    @Test
    void a_flood_between_calls_is_bounded() throws Exception {
        try (var session = new Guestbook(rig, Language.BASH)) {
            session.run("yes flood & yes trouble >&2 &");
            Thread.sleep(500);
            var next = session.run("kill %1 %2; wait 2>/dev/null; echo; echo over; (exit 7)");
            assertThat(next.code()).isEqualTo(7);
            assertThat(next.stdout())
                    .contains("flood\n", "bytes written between calls are left out ...]")
                    .endsWith("over\n");
            assertThat(session.run("echo quiet").stdout()).isEqualTo("quiet\n");
        }
    }

    @Test
    void a_flood_in_a_call_does_not_keep_it_from_ending() throws Exception {
        try (var session = new Guestbook(rig, Language.BASH)) {
            assertThat(session.run("yes flood & echo begun").code()).isZero();
            assertThat(session.run("echo here").code()).isZero();
        }
    }

    @Test
    void closing_leaves_nothing() throws Exception {
        var session = new Guestbook(rig, Language.BASH);
        var marker = "session-" + System.nanoTime();
        session.run("for i in 1 2 3; do setsid sh -c 'sleep 1000; :' " + marker + " & done");
        // The shell goes on before its children have become what they were asked to be.
        await().atMost(Duration.ofSeconds(30)).until(() -> Marked.count(marker) == 3);
        session.close();
        await().atMost(Duration.ofSeconds(30)).until(() -> Marked.count(marker) == 0);
    }
}
