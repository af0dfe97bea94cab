package dev.caisson.linux.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The files of version 1, in a directory that looks like a group.
class CgroupControlsV1Test {
    @TempDir Path group;

    @Test
    void weights_of_the_disk_keep_their_proportions() throws IOException {
        var disk = Files.createFile(group.resolve("blkio.bfq.weight"));
        var shares = Files.createFile(group.resolve("cpu.shares"));
        var controls = new CgroupControlsV1(Map.of("blkio", group, "cpu", group));

        controls.weigh(10_000);
        assertThat(disk).hasContent("1000");
        assertThat(shares).hasContent("10000");
        controls.weigh(1_000);
        assertThat(disk).as("one of ten sandboxes of a caller").hasContent("100");
        controls.weigh(1);
        assertThat(disk).hasContent("1");
    }
}
