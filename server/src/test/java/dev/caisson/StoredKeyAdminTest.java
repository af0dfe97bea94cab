package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.cli.DataUse;
import dev.caisson.config.Given;
import dev.caisson.config.Sources;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class StoredKeyAdminTest {
    @TempDir Path directory;

    @Test
    void a_data_directory_that_the_command_makes_is_its_owners_alone() throws Exception {
        var data = directory.resolve("new/data");
        var flag = Given.flag("data.directory", data.toString(), "--data");
        var sources = new Sources(Optional.empty(), Map.of(), List.of(flag), directory, false);
        try (var desk = new StoredKeyAdmin(Config.read(sources), Clock.systemUTC())) {
            assertThat(desk.list()).isEmpty();
            assertThat(desk.dataUse()).isEqualTo(new DataUse(data, false));
            assertThat(desk.hasVolume("data")).isFalse();
        }
        for (var made : new Path[] {data, data.getParent()}) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                    .isEqualTo("rwx------");
        }
    }
}
