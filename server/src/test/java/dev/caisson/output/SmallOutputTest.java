package dev.caisson.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.call.Caller;
import dev.caisson.redact.Redactor;
import dev.caisson.sandbox.Sink.Stream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SmallOutputTest {
    private static final Caller BOB = new Caller("bob", "Bob", Set.of(), Set.of());
    private static final Redactor NOTHING = new Redactor(List.of(), false);

    @TempDir Path root;

    /// @param rows of the local caller, by execution
    private Spool recording(Map<String, byte[]> rows, long memoryBytesMax) {
        return new Spool(
                root,
                OutputLimits.DEFAULT,
                OutputRetention.DEFAULT.bytes(),
                (owner, id) ->
                        owner.equals(Caller.LOCAL.id())
                                ? Optional.ofNullable(rows.get(id))
                                : Optional.empty(),
                memoryBytesMax);
    }

    private static void write(OutputCapture capture, Stream stream, String text) {
        var bytes = text.getBytes(UTF_8);
        capture.write(stream, bytes, 0, bytes.length);
    }

    @Test
    void output_up_to_a_limit_is_in_no_file_and_read_from_its_record_as_any_other() {
        var rows = new HashMap<String, byte[]>();
        var spool = recording(rows, OutputMemory.ALL_BYTES_MAX);
        try (var capture = spool.capture(Caller.LOCAL, "exe", NOTHING, (_, _, _, _) -> {})) {
            write(capture, Stream.STDOUT, "one\ntwo\n");
            write(capture, Stream.STDERR, "three\n");
            capture.finish();
            rows.put("exe", capture.handOver().orElseThrow());
        }
        assertThat(root.resolve("output")).isEmptyDirectory();
        var found = spool.find(Caller.LOCAL, "exe").orElseThrow();
        assertThat(found.read(Stream.STDOUT, 4, 100, NOTHING).text()).isEqualTo("two\n");
        assertThat(found.storedBytes(Stream.STDERR)).isEqualTo(6);
        assertThat(found.interleaved(0, 100, NOTHING).moments()).hasSize(2);
        assertThat(found.order(0)).hasSize(2);
        assertThat(spool.find(BOB, "exe")).isEmpty();
    }

    @Test
    void a_byte_more_than_the_memory_of_a_run_is_in_files() {
        int most = OutputMemory.RUN_BYTES_MAX - StreamOrder.RECORD_BYTES;
        assertThat(isHandedOver(recording(Map.of(), OutputMemory.ALL_BYTES_MAX), most)).isTrue();
        assertThat(isHandedOver(recording(Map.of(), OutputMemory.ALL_BYTES_MAX), most + 1))
                .isFalse();
    }

    @Test
    void a_byte_more_than_the_memory_of_all_runs_is_in_files_and_memory_comes_back() {
        var spool = recording(Map.of(), 1000);
        for (int run = 0; run < 3; run++) {
            assertThat(isHandedOver(spool, 1000 - StreamOrder.RECORD_BYTES)).isTrue();
            assertThat(isHandedOver(spool, 1001 - StreamOrder.RECORD_BYTES)).isFalse();
        }
    }

    private static boolean isHandedOver(Spool spool, int bytes) {
        try (var capture = spool.capture(Caller.LOCAL, "exe", NOTHING, (_, _, _, _) -> {})) {
            write(capture, Stream.STDOUT, "x".repeat(bytes));
            capture.finish();
            return capture.handOver().isPresent();
        }
    }

    @Test
    void what_somebody_reads_while_the_program_runs_is_in_files_from_then_on() {
        var spool = recording(Map.of(), OutputMemory.ALL_BYTES_MAX);
        try (var capture = spool.capture(Caller.LOCAL, "exe", NOTHING, (_, _, _, _) -> {})) {
            write(capture, Stream.STDOUT, "one\n");
            assertThat(root.resolve("output")).isEmptyDirectory();
            var found = spool.find(Caller.LOCAL, "exe").orElseThrow();
            assertThat(found.follow(Stream.STDOUT, 0, 100, NOTHING).text()).isEqualTo("one\n");
            assertThat(root.resolve("output")).isNotEmptyDirectory();
            write(capture, Stream.STDOUT, "two\n");
            capture.finish();
            assertThat(capture.handOver()).isEmpty();
        }
        assertThat(spool.find(Caller.LOCAL, "exe").orElseThrow().storedBytes(Stream.STDOUT))
                .isEqualTo(8);
    }

    @Test
    void what_no_record_takes_is_in_files_when_the_run_is_over() {
        var spool = recording(Map.of(), OutputMemory.ALL_BYTES_MAX);
        try (var capture = spool.capture(Caller.LOCAL, "exe", NOTHING, (_, _, _, _) -> {})) {
            write(capture, Stream.STDOUT, "one\n");
        }
        assertThat(spool.find(Caller.LOCAL, "exe").orElseThrow().storedBytes(Stream.STDOUT))
                .isEqualTo(4);
    }

    @Test
    void files_and_records_count_together_and_files_go_first() {
        var spool = new Spool(root, OutputLimits.DEFAULT, 10_000, (_, _) -> Optional.empty());
        try (var capture = spool.capture(Caller.LOCAL, "exe", NOTHING, (_, _, _, _) -> {})) {
            write(capture, Stream.STDOUT, "x".repeat(5000));
        }
        assertThat(spool.sweepAbove(Map.of(Caller.LOCAL.id(), 4000L)).executions()).isZero();
        var swept = spool.sweepAbove(Map.of(Caller.LOCAL.id(), 20_000L));
        assertThat(swept.executions()).isEqualTo(1);
        assertThat(swept.excess()).containsOnlyKeys(Caller.LOCAL.id());
        assertThat(swept.excess().get(Caller.LOCAL.id())).isGreaterThanOrEqualTo(10_000L);
    }
}
