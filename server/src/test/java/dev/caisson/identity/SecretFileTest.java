package dev.caisson.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Refusal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class SecretFileTest {
    @TempDir Path directory;

    @Test
    void the_secret_is_the_same_each_time_and_the_owners_alone() throws Exception {
        var file = directory.resolve("secret");
        var first = SecretFile.read(file);
        assertThat(first).hasSize(32).isNotEqualTo(new byte[32]);
        assertThat(SecretFile.read(file)).isEqualTo(first);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(SecretFile.read(directory.resolve("other"))).isNotEqualTo(first);
    }

    @Test
    void those_who_race_get_the_same_bytes_and_leave_nothing_behind() throws Exception {
        var file = directory.resolve("secret");
        var jobs = new ArrayList<Callable<String>>();
        for (var i = 0; i < 50; i++) {
            jobs.add(() -> HexFormat.of().formatHex(SecretFile.read(file)));
        }
        var seen = new ArrayList<String>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var done : threads.invokeAll(jobs)) {
                seen.add(done.get());
            }
        }
        assertThat(seen).hasSize(50).containsOnly(seen.getFirst());
        try (var files = Files.list(directory)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void a_file_of_another_length_is_refused_by_name() throws Exception {
        var file = Files.write(directory.resolve("secret"), new byte[31]);
        assertThatThrownBy(() -> SecretFile.read(file))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("has 31");
    }
}
