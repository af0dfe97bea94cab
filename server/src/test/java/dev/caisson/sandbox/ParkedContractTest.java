package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Contract of parked runs: they use no processor, no time of theirs and no place, and every way
/// out of them leads out. In control groups of whichever version this machine has.
@Tag("root")
@Tag("slow")
@Timeout(300)
abstract class ParkedContractTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Limits LIMITS =
            new Limits(Duration.ofSeconds(20), 96L << 20, 1.0, 64, 256, 64L << 20, 32L << 20);

    /// Asks at the door, and prints what it is told.
    private static final String ASKING =
            """
            import os, socket
            host, port = os.environ["CAISSON_DOOR"].split(":")
            with socket.create_connection((host, int(port))) as door:
                door.sendall(b"may I?")
                print(door.recv(9).decode())
            """;

    private final NestSettings.Maker maker;
    private final String marker = "parked-" + UUID.randomUUID();
    private final List<Sandboxes> opened = new ArrayList<>();

    @TempDir Path directory;

    ParkedContractTest(NestSettings.Maker maker) {
        this.maker = maker;
    }

    @AfterEach
    void close() {
        opened.forEach(Sandboxes::close);
    }

    private Sandboxes open(int places, int parked, long bytes) throws IOException {
        var nests = new NestSettings(maker, NestSettings.Beginning.FORK, NestSettings.SlotUse.KEEP);
        var settings =
                new SettingsForTests(directory, Rig.guests())
                        .places(places)
                        .parking(parked, bytes)
                        .nest(nests)
                        .build();
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
        var sandboxes = Sandboxes.open(settings);
        opened.add(sandboxes);
        return sandboxes;
    }

    /// Somebody outside whom a program asks.
    private static final class Asked implements HostDoor {
        private final RunControl control = new RunControl();
        private final CountDownLatch came = new CountDownLatch(1);
        private final CompletableFuture<String> answer = new CompletableFuture<>();

        @Override
        public void serve(SocketChannel connection) throws IOException, InterruptedException {
            connection.read(ByteBuffer.allocate(16));
            came.countDown();
            connection.write(ByteBuffer.wrap(answer.join().getBytes(StandardCharsets.UTF_8)));
        }

        @Override
        public RunControl control() {
            return control;
        }

        void awaitQuestion() throws InterruptedException {
            assertThat(came.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    private record Under(Asked door, Thread thread, CompletableFuture<Rig.Result> over) {
        Rig.Result result() throws Exception {
            return over.get(60, TimeUnit.SECONDS);
        }
    }

    private Under run(Sandboxes sandboxes, String caller, String code) {
        var door = new Asked();
        var output = new Rig.Output();
        var run =
                new Run(
                                "run-" + UUID.randomUUID(),
                                sandboxes.runners().of(Language.PYTHON).orElseThrow(),
                                code,
                                LIMITS,
                                Map.of(),
                                new Workspace.Directory(workspace()),
                                output,
                                caller)
                        .through(door);
        var over = new CompletableFuture<Rig.Result>();
        var thread =
                Thread.ofPlatform()
                        .start(() -> {
                            try {
                                var outcome = sandboxes.run(run);
                                over.complete(
                                        new Rig.Result(
                                                outcome,
                                                output.text(output.stdout),
                                                output.text(output.stderr)));
                            } catch (InterruptedException | RuntimeException failed) {
                                over.completeExceptionally(failed);
                            }
                        });
        return new Under(door, thread, over);
    }

    private Path workspace() {
        try {
            var path = Files.createDirectory(directory.resolve("work-" + UUID.randomUUID()));
            Files.setAttribute(path, "unix:uid", Workspace.OWNER);
            Files.setAttribute(path, "unix:gid", Workspace.OWNER);
            return path;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private Under parked(Sandboxes sandboxes, String caller) throws Exception {
        return parked(sandboxes, caller, ASKING);
    }

    private Under parked(Sandboxes sandboxes, String caller, String code) throws Exception {
        var under = run(sandboxes, caller, code);
        under.door().awaitQuestion();
        assertThat(under.door().control().park()).isTrue();
        return under;
    }

    @Test
    void a_parked_run_leaves_its_place_and_its_time_and_goes_on() throws Exception {
        var sandboxes = open(1, 64, 1L << 30);
        var busy =
                """
                import threading
                def busy():
                    while True:
                        pass
                threading.Thread(target=busy, daemon=True).start()
                """;
        var under = parked(sandboxes, "a", busy + ASKING);
        assertThat(sandboxes.load().running()).isZero();
        assertThat(sandboxes.parked()).isEqualTo(1);
        var other = run(sandboxes, "b", "print('there is a place')");
        assertThat(other.result().stdout()).isEqualTo("there is a place\n");

        var stands = Duration.ofSeconds(3);
        await().atMost(PATIENCE).until(() -> under.door().control().stood().compareTo(stands) > 0);
        assertThat(under.over()).isNotDone();
        under.door().answer.complete("yes");
        under.door().control().unpark();
        var result = under.result();
        assertThat(result.stdout()).as(result.stderr()).isEqualTo("yes\n");
        assertThat(under.door().control().stood()).isGreaterThan(stands);
        var usage = result.outcome().usage();
        assertThat(usage.wallMillis() + stands.toMillis())
                .as("of %s".formatted(usage))
                .isLessThan(usage.wallMillis() + under.door().control().stood().toMillis());
        assertThat(usage.stages().of(Stage.RUN).toMillis()).isEqualTo(usage.wallMillis());
        assertThat(usage.cpuMillis())
                .as("no processor while it stands, of %s", usage)
                .isLessThan(usage.wallMillis() + 1_000);
        assertThat(sandboxes.parked()).isZero();
    }

    @Test
    void the_time_limit_goes_on_where_it_stood() throws Exception {
        var sandboxes = open(4, 64, 1L << 30);
        var under = parked(sandboxes, "a", ASKING + "import time\ntime.sleep(600)\n");
        under.door().answer.complete("yes");
        under.door().control().unpark();
        assertThat(under.over().get(2, TimeUnit.MINUTES).outcome())
                .isInstanceOf(Outcome.TimedOut.class);
    }

    @Test
    void a_parked_run_comes_back_before_new_ones() throws Exception {
        var sandboxes = open(1, 64, 1L << 30);
        var under = parked(sandboxes, "a");
        var holder = run(sandboxes, "b", ASKING);
        holder.door().awaitQuestion();
        var later = run(sandboxes, "c", ASKING);
        await().atMost(PATIENCE).until(() -> sandboxes.load().waiting() == 1);
        var back = CompletableFuture.runAsync(() -> unpark(under));
        await().atMost(PATIENCE).until(() -> sandboxes.load().waiting() == 2);
        holder.door().answer.complete("yes");
        holder.result();
        back.get(60, TimeUnit.SECONDS);
        assertThat(later.door().came.getCount()).as("it still waits").isEqualTo(1);
        under.door().answer.complete("yes");
        assertThat(under.result().stdout()).isEqualTo("yes\n");
        later.door().answer.complete("yes");
        assertThat(later.result().stdout()).isEqualTo("yes\n");
    }

    private static void unpark(Under under) {
        try {
            under.door().control().unpark();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    @Test
    void a_parked_run_can_be_cancelled_and_nothing_of_it_is_left() throws Exception {
        var sandboxes = open(4, 64, 1L << 30);
        var children =
                "import subprocess\nsubprocess.Popen(['sh', '-c', 'while :; do sleep 1; done', '%s'])\n"
                        .formatted(marker);
        var under = parked(sandboxes, "a", children + ASKING);
        assertThat(Marked.count(marker)).isPositive();
        under.thread().interrupt();
        assertThat(under.result().outcome()).isInstanceOf(Outcome.Cancelled.class);
        await().atMost(PATIENCE).until(() -> Marked.count(marker) == 0);
        assertThat(sandboxes.parked()).isZero();
        assertThat(under.door().control().park()).as("it is over").isFalse();
        under.door().answer.complete("late");
        assertThat(run(sandboxes, "a", "print(1)").result().stdout()).isEqualTo("1\n");
    }

    @Test
    void parked_runs_end_with_their_server() throws Exception {
        var sandboxes = open(4, 64, 1L << 30);
        var all = new ArrayList<Under>();
        for (int i = 0; i < 3; i++) {
            all.add(parked(sandboxes, "a", "# " + marker + "\n" + ASKING));
        }
        sandboxes.close(Duration.ofSeconds(20));
        for (var under : all) {
            assertThat(under.result().outcome()).isInstanceOf(Outcome.Cancelled.class);
            under.door().answer.complete("late");
        }
        assertThat(sandboxes.parked()).isZero();
        assertThat(sandboxes.boxes()).isZero();
    }

    @Test
    void so_many_stand_still_and_no_more_and_one_key_leaves_room_for_others() throws Exception {
        var sandboxes = open(8, 4, 1L << 30);
        var all = new ArrayList<Under>();
        for (int i = 0; i < 3; i++) {
            all.add(parked(sandboxes, "a"));
        }
        var fourth = run(sandboxes, "a", ASKING);
        all.add(fourth);
        fourth.door().awaitQuestion();
        refused(fourth, "approvals.parked_max");
        all.add(parked(sandboxes, "b"));
        for (var under : all) {
            under.door().answer.complete("yes");
            under.door().control().unpark();
            assertThat(under.result().stdout()).isEqualTo("yes\n");
        }
        assertThat(sandboxes.parked()).isZero();
    }

    @Test
    void what_stands_still_has_so_much_memory_and_no_more() throws Exception {
        var sandboxes = open(8, 64, 40L << 20);
        var hungry = run(sandboxes, "a", "held = bytearray(60 << 20)\n" + ASKING);
        hungry.door().awaitQuestion();
        refused(hungry, "approvals.parked_bytes");
        hungry.door().answer.complete("yes");
        assertThat(hungry.result().stdout()).isEqualTo("yes\n");
        assertThat(sandboxes.parked()).isZero();
    }

    private static void refused(Under under, String setting) {
        var refusal = catchThrowableOfType(Refusal.class, () -> under.door().control().park());
        assertThat(refusal.reason()).isEqualTo(Reason.NO_CAPACITY);
        assertThat(refusal.sentence()).contains(setting);
    }
}
