package dev.caisson.sandbox.nest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.sandbox.Boot;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.PackageEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the sandboxes of one nest share and what they do not, and how long a nest serves.
@Tag("root")
@Tag("slow")
class NestsTest extends NestsTestCase {
    /// Where things lie in memory, and how text is hashed.
    private static final String SHARED =
            "print(open('/proc/self/maps').readline().split()[0], hash('text'))";

    private static final String RANDOM =
            """
            import random, uuid, ssl, os
            print(random.random(), uuid.uuid4(), ssl.RAND_bytes(8).hex(), os.urandom(8).hex())
            """;

    @Test
    void runs_of_one_key_share_layout_and_hashes_and_those_of_two_keys_do_not() throws Exception {
        var first = run("one", SHARED);
        assertThat(run("one", SHARED)).isEqualTo(first);
        assertThat(run("two", SHARED)).isNotEqualTo(first);
    }

    @Test
    void a_nest_is_renewed_with_another_layout_and_other_hashes() throws Exception {
        nests = nests(new Nests.Life(1, Duration.ofMinutes(10), Duration.ofMinutes(2)));
        var first = run("one", SHARED);
        assertThat(run("one", SHARED)).isNotEqualTo(first);
        nests.killAll();
        nests = nests(new Nests.Life(100, Duration.ZERO, Duration.ofMinutes(2)));
        var third = run("one", SHARED);
        assertThat(run("one", SHARED)).isNotEqualTo(third);
    }

    @Test
    void random_numbers_of_two_runs_differ() throws Exception {
        var first = List.of(run("one", RANDOM).strip().split(" ", -1));
        var second = List.of(run("one", RANDOM).strip().split(" ", -1));
        assertThat(first).hasSize(4);
        for (int each = 0; each < first.size(); each++) {
            assertThat(second.get(each)).isNotEqualTo(first.get(each));
        }
    }

    /// Looks through its own memory and everything it can read for what another left there. The
    /// pattern does not match itself.
    private static final String SEARCH =
            """
            import os, re
            pattern = re.compile(rb'[L]eft-[0-9a-f]{32}')
            found = []
            for line in open('/proc/self/maps'):
                first, last = (int(each, 16) for each in line.split()[0].split('-'))
                if 'r' in line.split()[1] and '[v' not in line:
                    with open('/proc/self/mem', 'rb') as memory:
                        memory.seek(first)
                        found += pattern.findall(memory.read(last - first))
            for top in ('/tmp', '/dev/shm', '/run/job'):
                for place, _, names in os.walk(top):
                    for name in names:
                        found += pattern.findall(open(os.path.join(place, name), 'rb').read())
            print(len(found), *found)
            """;

    @Test
    void no_byte_of_a_run_is_in_another_of_its_key_or_of_any_other() throws Exception {
        var mark = "Left-" + "0123456789abcdef".repeat(2);
        var leave =
                """
                import os
                kept = [mark + str(number) for number in range(1000)]
                os.environ['KEPT'] = mark
                for place in ('/tmp/kept', '/dev/shm/kept'):
                    open(place, 'w').write(mark)
                """;
        var left = "mark = '" + mark + "'\n" + leave;
        assertThat(run("one", left + SEARCH)).doesNotStartWith("0");
        assertThat(run("one", SEARCH)).isEqualTo("0\n");
        assertThat(run("two", SEARCH)).isEqualTo("0\n");
    }

    @Test
    void every_sandbox_has_users_of_its_own_and_none_is_the_nests() throws Exception {
        var one = make("one", python());
        var two = make("one", python());
        try {
            var users =
                    List.of(
                            user(one.nest().founded().first()),
                            user(one.parts().processes().first()),
                            user(one.parts().processes().program()),
                            user(two.parts().processes().first()),
                            user(two.parts().processes().program()));
            assertThat(users).doesNotHaveDuplicates().doesNotContain(0);
        } finally {
            one.end();
            two.end();
        }
    }

    /// A boot recipe with a module that is imported before there is a program.
    private Boot preloading(Path directory, String name, String text) throws IOException {
        return preloading(directory, name, text, name);
    }

    private Boot preloading(Path directory, String file, String text, String name)
            throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        var path = directory.resolve("python").resolve(file + ".py");
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
        var environment =
                new PackageEnvironment(
                        "own",
                        "0",
                        directory,
                        Optional.of("3"),
                        false,
                        List.of(),
                        List.of(name),
                        1,
                        Instant.EPOCH);
        return python().with(List.of(environment));
    }

    @Test
    void an_interpreter_with_two_threads_is_booted_for_each_run(@TempDir Path packages)
            throws Exception {
        var text =
                """
                import threading, time
                threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
                """;
        var boot = preloading(packages, "threaded", text);
        var code = "import threading\n" + SHARED + "\nprint(threading.active_count())";
        var first = run("one", boot, code);
        assertThat(first).endsWith("2\n");
        assertThat(run("one", boot, code)).isNotEqualTo(first).endsWith("2\n");
        assertThat(nests.unforked()).hasValueSatisfying(why -> assertThat(why).contains("threads"));
    }

    /// Numpy's own way: one generator for all, seeded by the kernel on import and by `seed()`.
    private static final String GENERATOR =
            """
            import os
            def seed():
                global state
                state = os.urandom(8).hex()
            seed()
            imported = state
            """;

    @Test
    void a_fork_has_what_was_imported_before_it_and_another_generator(@TempDir Path packages)
            throws Exception {
        Files.createDirectories(packages.resolve("python/numpy"));
        Files.writeString(packages.resolve("python/numpy/random.py"), GENERATOR);
        var boot = preloading(packages, "numpy/__init__", "from numpy import random\n", "numpy");
        var code = "import numpy; print(numpy.random.imported, numpy.random.state)";
        var first = run("one", boot, code).strip().split(" ", -1);
        var second = run("one", boot, code).strip().split(" ", -1);
        assertThat(second[0]).isEqualTo(first[0]);
        assertThat(List.of(first[1], second[1])).doesNotHaveDuplicates().doesNotContain(first[0]);
        assertThat(nests.unforked()).isEmpty();
    }

    @Test
    void what_may_have_several_threads_is_not_forked_with_packages(@TempDir Path packages)
            throws Exception {
        var boot = preloading(packages, "nothing", "");
        assertThat(boot.canFork(Limits.DEFAULT)).isTrue();
        var two =
                new Limits(Limits.DEFAULT.wall(), 512L << 20, 1.5, 128, 1_024, 1L << 30, 1L << 27);
        assertThat(boot.canFork(two)).isFalse();
        assertThat(python().canFork(two)).isTrue();
    }

    @Test
    void a_nest_is_replaced_when_interpreters_are_looked_for_anew() throws Exception {
        var box = make("one", python());
        var output = begin(box, "import time; time.sleep(1); print('on')");
        nests.renew();
        var next = make("one", python());
        assertThat(next.nest()).isNotSameAs(box.nest());
        next.end("one");
        assertThat(box.awaitEnd(PATIENCE)).isTrue();
        assertThat(output.text(output.stdout)).isEqualTo("on\n");
        box.end("one");
        Awaitility.await().atMost(PATIENCE).until(() -> nests.count() == 1);
    }

    @Test
    void what_waits_in_an_old_nest_is_for_nobody_and_what_runs_there_runs_on() throws Exception {
        nests = nests(new Nests.Life(100, Duration.ZERO, Duration.ofMinutes(2)));
        var running = make("one", python());
        var output = begin(running, "import time; time.sleep(1); print('on')");
        nests.tidy();
        var waiting = make("one", python());
        assertThat(waiting.isWaiting()).isTrue();
        nests.tidy();
        assertThat(waiting.isWaiting()).isFalse();
        waiting.end();
        assertThat(running.awaitEnd(PATIENCE)).isTrue();
        assertThat(output.text(output.stdout)).isEqualTo("on\n");
        running.end("one");
        Awaitility.await().atMost(PATIENCE).until(() -> nests.count() == 0);
    }

    /// Each counts as one of the sandboxes that a nest may make.
    @Test
    void what_a_nest_made_before_it_made_enough_can_be_used_until_the_nest_is_old()
            throws Exception {
        nests = nests(new Nests.Life(1, Duration.ofMinutes(10), Duration.ofMinutes(2)));
        var waiting = make("one", python());
        var next = make("one", python());
        assertThat(next.nest()).isNotSameAs(waiting.nest());
        nests.tidy();
        assertThat(waiting.isWaiting()).isTrue();
        waiting.nest().expire();
        assertThat(waiting.isWaiting()).isFalse();
        waiting.end();
        next.end();
    }

    @Test
    void a_nest_is_closed_when_it_is_idle_and_when_its_caller_is_gone() throws Exception {
        nests = nests(new Nests.Life(100, Duration.ofMinutes(10), Duration.ZERO));
        var box = make("one", python());
        begin(box, "import time; time.sleep(600)");
        assertThat(box.nest().isIdleFor(Duration.ZERO)).isFalse();
        nests.tidy();
        assertThat(box.nest().isAlive()).isTrue();
        nests.forget("two");
        assertThat(box.nest().isAlive()).isTrue();
        nests.forget("one");
        assertThat(box.awaitEnd(PATIENCE)).isTrue();
        box.end();
        run("one", "pass");
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> {
                    nests.tidy();
                    return nests.count() == 0;
                });
    }
}
