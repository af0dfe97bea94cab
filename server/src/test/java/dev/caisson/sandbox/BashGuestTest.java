package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("root")
@ExtendWith(Rig.Shared.class)
class BashGuestTest {
    private final Rig rig;

    BashGuestTest(Rig rig) {
        this.rig = rig;
    }

    private Rig.Result run(String code) throws InterruptedException {
        return rig.run(Language.BASH, code);
    }

    @Test
    void a_script_is_a_file_in_its_workspace() throws Exception {
        var result = run("echo $0 $# $PWD; cat; ls -A; echo err >&2; echo a > /dev/stdout; exit 5");
        assertThat(result.stdout()).isEqualTo("/run/job/main.sh 0 /workspace\na\n");
        assertThat(result.stderr()).isEqualTo("err\n");
        assertThat(result.code()).isEqualTo(5);
    }

    @Test
    void the_environment_is_the_runs_and_nothing_else() throws Exception {
        var env = Map.of("GREETING", "a b\n\"c\" $d", "EMPTY", "");
        var code =
                "env -0 | sort -z | cut -z -d= -f1 | tr '\\0' ' '; echo; printf '%s' \"$GREETING\"";
        var result = rig.run(Language.BASH, code, Rig.LIMITS, rig.workspace(), env);
        assertThat(result.stdout())
                .isEqualTo(
                        "EMPTY GOMAXPROCS GREETING HOME LANG LOGNAME MPLCONFIGDIR NODE_OPTIONS OMP_NUM_THREADS PATH PIP_PYTHON PWD PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED PYTHON_CPU_COUNT SANDBOX_CPUS SANDBOX_MEMORY_BYTES SHELL SHLVL TMPDIR USER XDG_CACHE_HOME _ npm_config_offline \na b\n\"c\" $d");
    }

    @Test
    void without_variables_of_its_own_it_is_the_same() throws Exception {
        var code =
                "env -0 | sort -z | grep -zv '^_=' | tr '\\0' '\\n'; declare -p | grep -c ^; echo $- $SHLVL";
        var usual = run(code);
        var another = Map.of("BASH_SILENCE", "1", "LC_NONE", "2");
        var elsewhere = Map.of("TMPDIR", "/tmp/x y");
        var moved = rig.run(Language.BASH, code, Rig.LIMITS, rig.workspace(), elsewhere);
        var other = rig.run(Language.BASH, code, Rig.LIMITS, rig.workspace(), another);
        assertThat(moved.stdout())
                .isEqualTo(usual.stdout().replace("TMPDIR=/tmp\n", "TMPDIR=/tmp/x y\n"));
        assertThat(usual.stdout().lines().toList())
                .startsWith(
                        "GOMAXPROCS=1",
                        "HOME=/workspace",
                        "LANG=C.UTF-8",
                        "LOGNAME=sandbox",
                        "MPLCONFIGDIR=/tmp/.matplotlib",
                        "NODE_OPTIONS=--max-old-space-size=512",
                        "OMP_NUM_THREADS=1",
                        "PATH=" + ProgramEnvironment.PATH,
                        "PIP_PYTHON=/run/guest/bin/pip-python",
                        "PWD=/workspace",
                        "PYTHONDONTWRITEBYTECODE=1",
                        "PYTHONUNBUFFERED=1",
                        "PYTHON_CPU_COUNT=1",
                        "SANDBOX_CPUS=1.0",
                        "SANDBOX_MEMORY_BYTES=536870912",
                        "SHELL=/bin/bash",
                        "SHLVL=1",
                        "TMPDIR=/tmp",
                        "USER=sandbox",
                        "XDG_CACHE_HOME=/tmp/.cache",
                        "npm_config_offline=true");
        assertThat(other.stdout().replace("BASH_SILENCE=1\n", "").replace("LC_NONE=2\n", ""))
                .isEqualTo(withMore(usual.stdout(), another.size()));
    }

    /// The same, with a number of variables more.
    private static String withMore(String lines, int variables) {
        var all = new ArrayList<>(lines.lines().toList());
        var count = all.size() - 2;
        all.set(count, Integer.toString(Integer.parseInt(all.get(count)) + variables));
        return String.join("\n", all) + "\n";
    }

    @Test
    void variables_that_mean_something_to_a_shell_reach_the_program_only() throws Exception {
        var env = Map.of("BASH_ENV", "/nowhere", "LC_ALL", "xx_XX");
        var result = rig.run(Language.BASH, "exec env -0", Rig.LIMITS, rig.workspace(), env);
        assertThat(result.stdout().split("\0")).contains("BASH_ENV=/nowhere", "LC_ALL=xx_XX");
        assertThat(result.stderr().lines())
                .as("one shell complains, which is the program's")
                .satisfiesOnlyOnce(line -> assertThat(line).contains("setlocale"));
    }

    @Test
    void no_descriptor_but_the_three_reaches_a_program() throws Exception {
        assertThat(run("ls /proc/self/fd | tr '\\n' ' '").stdout()).isEqualTo("0 1 2 3 ");
        var python = "import os; print([fd for fd in os.listdir('/proc/self/fd')])";
        assertThat(
                        rig.run(
                                        Language.PYTHON,
                                        "import subprocess; subprocess.run(['ls', '/proc/self/fd'])")
                                .stdout())
                .isEqualTo("0\n1\n2\n3\n");
        assertThat(rig.run(Language.PYTHON, python).stdout()).startsWith("['0', '1', '2', ");
    }

    @Test
    void functions_arrays_and_unicode_work() throws Exception {
        var result =
                run(
                        "f() { local -a x=(\"$@\"); echo \"${#x[@]} ${x[1]}\"; }; f a 'ü 漢' c; set -e; false; echo never");
        assertThat(result.stdout()).isEqualTo("3 ü 漢\n");
        assertThat(result.code()).isEqualTo(1);
    }
}
