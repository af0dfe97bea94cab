package dev.caisson.linux.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.linux.CgroupGroup;
import dev.caisson.linux.CgroupLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The files of version 2, in a directory that looks like a group.
class CgroupControlsV2Test {
    @TempDir Path group;

    @BeforeEach
    void a_group() throws IOException {
        put("memory.max", "max");
        put("memory.swap.max", "max");
        put("memory.peak", "4096");
        put("memory.current", "1024");
        put("memory.events", "low 0\nhigh 0\nmax 7\noom 2\noom_kill 2\noom_group_kill 0");
        put("pids.max", "max");
        put("pids.events", "max 3");
        put("cpu.max", "max 100000");
        put("cpu.weight", "100");
        put("cpu.stat", "usage_usec 1500\nuser_usec 1000\nsystem_usec 500");
    }

    @Test
    void limits_are_written_and_swap_adds_nothing() {
        new CgroupControlsV2(group).apply(new CgroupLimits(512L << 20, 1.5, 128), Optional.empty());

        assertThat(group.resolve("memory.max")).hasContent(Long.toString(512L << 20));
        assertThat(group.resolve("memory.swap.max")).hasContent("0");
        assertThat(group.resolve("pids.max")).hasContent("128");
        assertThat(group.resolve("cpu.max")).hasContent("150000 100000");
    }

    @Test
    void a_group_weighs_what_it_is_told_for_processors_and_disk() throws IOException {
        new CgroupControlsV2(group).weigh(10);
        assertThat(group.resolve("cpu.weight")).hasContent("10");
        assertThat(group.resolve("io.weight")).as("not enabled").doesNotExist();

        put("io.weight", "default 100");
        new CgroupControlsV2(group).weigh(CgroupGroup.WEIGHT_MAX);
        assertThat(group.resolve("cpu.weight")).hasContent("1000");
        assertThat(group.resolve("io.weight")).hasContent("default 1000");
    }

    @Test
    void all_groups_together_have_a_limit() {
        new CgroupControlsV2(group).limitTogether(8L << 30, 16_384);
        assertThat(group.resolve("memory.max")).hasContent(Long.toString(8L << 30));
        assertThat(group.resolve("pids.max")).hasContent("16384");
    }

    @Test
    void events_are_read() throws IOException {
        try (var counters = new CgroupControlsV2(group).counters()) {
            assertThat(counters.oomKills().value()).isEqualTo(2);
            assertThat(counters.forksRefused().value()).isEqualTo(3);
            assertThat(counters.memory().value()).isEqualTo(1024);
            assertThat(counters.memoryPeak().value()).isEqualTo(4096);
            assertThat(counters.cpuTime()).isEqualTo(Duration.ofNanos(1_500_000));
        }
        Files.delete(group.resolve("memory.peak"));
        try (var counters = new CgroupControlsV2(group).counters()) {
            assertThat(counters.memoryPeak().value()).as("before 5.19").isEqualTo(1024);
        }
    }

    @Test
    void a_limit_that_changes_again_is_written_and_checked_too() {
        try (var controls = new CgroupControlsV2(group)) {
            var first = new CgroupLimits(512L << 20, 1, 128);
            controls.apply(first, Optional.empty());
            controls.apply(new CgroupLimits(256L << 20, 1, 128), Optional.of(first));
            assertThat(group.resolve("memory.max")).hasContent(Long.toString(256L << 20));
        }
    }

    @Test
    void a_controller_that_is_not_enabled_is_left_alone() throws IOException {
        Files.delete(group.resolve("cpu.max"));
        new CgroupControlsV2(group).apply(new CgroupLimits(512L << 20, 1, 128), Optional.empty());
        assertThat(group.resolve("cpu.max")).doesNotExist();
    }

    private void put(String name, String text) throws IOException {
        Files.writeString(group.resolve(name), text + "\n");
    }
}
