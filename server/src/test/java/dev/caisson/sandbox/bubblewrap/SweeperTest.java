package dev.caisson.sandbox.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.linux.CgroupLimits;
import dev.caisson.linux.Cgroups;
import dev.caisson.linux.ServerToken;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("alone")
@Tag("root")
class SweeperTest {
    private static final Path GROUPS = Path.of("/sys/fs/cgroup");

    /// A process of that number may exist, but it did not start at the first tick.
    private static final ServerToken DEAD = new ServerToken(1, 1);

    @Test
    void what_a_killed_server_left_is_removed_and_what_a_live_one_has_is_not(
            @TempDir Path directory) throws Exception {
        var own = ServerToken.own();
        var dead =
                Files.createDirectories(directory.resolve(DEAD.toString()).resolve("slots/0/job"));
        Files.writeString(dead.resolve("main.py"), "print(1)");
        var stranger = Files.createDirectory(directory.resolve("something-else"));
        var left =
                Cgroups.detect(GROUPS, DEAD).create("run-0-1", new CgroupLimits(1L << 26, 1.0, 10));

        var made = Sweeper.sweep(directory, own, Cgroups.detect(GROUPS, own));

        assertThat(directory.resolve(DEAD.toString())).doesNotExist();
        assertThat(stranger).exists();
        assertThat(made).isEmptyDirectory();
        assertThat(left.procsFiles()).isNotEmpty().noneMatch(Files::exists);
    }
}
