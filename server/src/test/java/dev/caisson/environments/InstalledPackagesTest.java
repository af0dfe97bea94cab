package dev.caisson.environments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.json.Json;
import dev.caisson.linux.HostDisk;
import dev.caisson.linux.LoopImages;
import dev.caisson.sandbox.Workspace;
import dev.caisson.share.ShareLimit;
import dev.caisson.storage.ImageWorkspaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Packages are installed once, within limits, and go when nothing names them.
@Tag("root")
@Timeout(300)
final class InstalledPackagesTest extends BakeTestCase {
    private NpmRegistry registry;

    @BeforeEach
    void serve() throws IOException {
        registry = new NpmRegistry(Optional.empty());
        var described = Json.object().put("bin", "./run.sh");
        registry.publish("small", "1.0.0", described, Map.of("run.sh", "#!/bin/sh\n"));
    }

    @AfterEach
    void close() {
        registry.close();
    }

    private Path root() {
        return bench.directory().resolve("data/packages");
    }

    private InstalledPackages packages(Clock clock, int filesMax) {
        var usual = EnvironmentSettings.DEFAULT;
        var settings =
                new EnvironmentSettings(
                        List.of(),
                        false,
                        List.of("npm:" + registry.address() + "/"),
                        64L << 20,
                        filesMax,
                        usual.timeMax(),
                        usual.atOnce(),
                        usual.remembered(),
                        usual.namesMax(),
                        usual.connections(),
                        usual.idleMax(),
                        usual.outputBytes(),
                        usual.releasedKeep());
        var disk =
                new HostDisk(
                        bench.directory(),
                        HostDisk.RESERVE_DEFAULT,
                        Duration.ofSeconds(20),
                        ShareLimit.DEFAULT);
        return new InstalledPackages(
                root(),
                bench.rig().sandboxes(),
                new ImageWorkspaces(new LoopImages(Workspace.OWNER), disk, 64L << 20, 8_192),
                settings,
                clock);
    }

    @Test
    void one_is_fetched_once_and_goes_a_day_after_nothing_names_it() throws Exception {
        var small = NpmPackage.of("small@1.0.0");
        var first = packages(Clock.systemUTC(), 1_000).installation(small).install();
        assertThat(first.programs()).containsOnlyKeys("small");
        assertThat(first.command("small"))
                .containsExactly(first.directory() + "/node_modules/small/run.sh");
        var asked = registry.asked().size();
        assertThat(asked).isPositive();
        var second = packages(Clock.systemUTC(), 1_000).installation(small).install();
        assertThat(second.directory()).isEqualTo(first.directory());
        assertThat(registry.asked()).hasSize(asked);

        assertThat(packages(in(Duration.ofHours(23)), 1_000).sweep(Set.of())).isZero();
        var named = Set.of(first.directory().resolve("node_modules"), Path.of("/opt/other"));
        assertThat(packages(in(Duration.ofHours(25)), 1_000).sweep(named)).isZero();
        assertThat(first.directory()).isDirectory();
        assertThat(packages(in(Duration.ofHours(25)), 1_000).sweep(Set.of(root()))).isEqualTo(1);
        assertThat(first.directory()).doesNotExist();
    }

    private static Clock in(Duration time) {
        return Clock.fixed(Instant.now().plus(time), ZoneOffset.UTC);
    }

    @Test
    void one_with_too_many_files_is_refused_and_leaves_nothing() throws Exception {
        var small = NpmPackage.of("small@1.0.0");
        assertThatThrownBy(() -> packages(Clock.systemUTC(), 3).installation(small).install())
                .isInstanceOf(BakeFailed.class)
                .hasMessageContaining("more than 3 files");
        try (var left = Files.list(root())) {
            assertThat(left.filter(each -> !each.endsWith(".work"))).isEmpty();
        }
    }
}
