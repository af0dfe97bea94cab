package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A program sees its own limits where it looks for the size of the machine, also in a sandbox that
/// waited with others.
@Tag("root")
class GuestLimitsTest {
    private static final Limits SMALL =
            new Limits(Duration.ofSeconds(30), 300L << 20, 1.5, 64, 1_024, 1L << 30, 128L << 20);

    private static final String QUESTIONS =
            """
            nproc
            free -b | awk '/^Mem/ { print $2 }'
            python3 -c 'import os; print(os.cpu_count())'
            node -e 'const os = require("os"); console.log(os.cpus().length, os.totalmem())'
            grep -c ^processor /proc/cpuinfo
            python3 -c 'import multiprocessing; print(multiprocessing.cpu_count())'
            df -B1 --output=size /tmp | tail -1
            echo $SANDBOX_CPUS $SANDBOX_MEMORY_BYTES $GOMAXPROCS
            """;

    @Test
    void the_limits_of_the_run_are_those_of_the_machine() throws Exception {
        try (var rig = Rig.open()) {
            var result = rig.run(Language.BASH, QUESTIONS, SMALL);
            assertThat(result.stderr()).isEmpty();
            assertThat(result.stdout())
                    .isEqualTo("2\n314572800\n2\n2 314572800\n2\n2\n134217728\n1.5 314572800 2\n");
        }
    }

    @Test
    void a_waiting_sandbox_tells_the_limits_of_the_run_that_takes_it() throws Exception {
        try (var rig = Rig.openWarmed()) {
            var tmp = Rig.LIMITS.tmpBytes();
            var other =
                    new Limits(
                            SMALL.wall(),
                            SMALL.memoryBytes(),
                            1.5,
                            64,
                            Rig.LIMITS.openFiles(),
                            Rig.LIMITS.fileBytes(),
                            tmp);
            var code =
                    "nproc; grep -c ^cpu[0-9] /proc/stat; awk '/MemTotal/ { print $2 }' /proc/meminfo";
            assertThat(rig.run(Language.BASH, code, other).stdout()).isEqualTo("2\n2\n307200\n");
            assertThat(rig.warmRuns()).isPositive();
        }
    }

    @Test
    void the_files_cannot_be_written() throws Exception {
        try (var rig = Rig.open()) {
            var code =
                    "echo 1 > /proc/meminfo; echo 1 > /proc/cpuinfo; chmod 777 /proc/stat; touch /run/offline/x";
            assertThat(rig.run(Language.BASH, code).stderr().lines()).hasSize(4);
        }
    }
}
