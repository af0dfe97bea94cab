package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What needs a network is answered by one sentence at once, and everything else by the real
/// program.
@Tag("root")
@ExtendWith(Rig.Shared.class)
class OfflineStubsTest {
    private final Rig rig;

    OfflineStubsTest(Rig rig) {
        this.rig = rig;
    }

    private Rig.Result bash(String code) throws InterruptedException {
        return rig.run(Language.BASH, code);
    }

    @ParameterizedTest
    @CsvSource({
        "pip install requests, 1",
        "pip3 install -q --upgrade requests, 1",
        "pip install -r requirements.txt, 1",
        "pip download numpy, 1",
        "npm install lodash, 1",
        "npm i, 1",
        "npm ci, 1",
        "npx cowsay hello, 1",
        "yarn, 1",
        "yarn add react, 1",
        "pnpm add react, 1",
        "apt install -y jq, 100",
        "apt-get update, 100"
    })
    void an_installation_is_refused_by_one_sentence(String command, int code) throws Exception {
        var result = bash(command);
        assertThat(result.stdout()).isEmpty();
        assertThat(result.code()).isEqualTo(code);
        assertThat(result.stderr())
                .isEqualTo(
                        command.split(" ", -1)[0]
                                + ": this sandbox has no network, so nothing can be installed; the"
                                + " tool list_runners says what is installed; the operator of the"
                                + " server can add packages.\n");
    }

    @ParameterizedTest
    @CsvSource({
        "git clone https://example.com/a.git, 128, https://example.com/a.git",
        "git clone --depth 1 git@example.com:a/b.git, 128, git@example.com:a/b.git",
        "git -C / ls-remote https://example.com/a, 128, https://example.com/a",
        "curl -sSL -o page.html https://example.com/x, 6, https://example.com/x",
        "curl example.com, 6, example.com",
        "wget -q https://example.com/x, 4, https://example.com/x"
    })
    void a_fetch_from_elsewhere_is_refused_by_one_sentence(String command, int code, String address)
            throws Exception {
        var result = bash(command);
        assertThat(result.stdout()).isEmpty();
        assertThat(result.code()).isEqualTo(code);
        assertThat(result.stderr())
                .isEqualTo(
                        "%s: this sandbox has no network, so %s cannot be reached; give the run its data as input files, or ask the operator of the server.\n"
                                .formatted(command.split(" ", -1)[0], address));
    }

    @Test
    void a_remote_on_another_machine_is_refused_by_its_name_too() throws Exception {
        var result =
                bash(
                        """
                        git init -q . && git remote add origin https://example.com/a.git
                        git remote -v
                        for what in fetch pull 'push origin main' 'remote update'; do git $what; echo $?; done
                        cd / && git -C /workspace fetch origin; echo $?
                        """);
        assertThat(result.stdout()).endsWith("128\n128\n128\n128\n128\n").contains("(push)");
        assertThat(result.stderr().lines())
                .hasSize(5)
                .allMatch(line -> line.contains("https://example.com/a.git cannot be reached"));
    }

    @Test
    void what_needs_no_network_is_done_by_the_real_programs() throws Exception {
        var result =
                bash(
                        """
                        export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
                        mkdir one && cd one && git init -q . && echo hello > f && git add f && git commit -qm one && git status --short
                        cd .. && git clone -q /workspace/one two && git -C two pull -q && cat two/f
                        git clone -q file:///workspace/one three && git -C three log --format=%s
                        npm --version | grep -c '^[0-9]'
                        pip --version | cut -d' ' -f1
                        python3 -m http.server 8123 --bind 127.0.0.1 >/dev/null 2>&1 &
                        for try in $(seq 100); do curl -s http://127.0.0.1:8123/one/f && break; sleep 0.1; done
                        curl -s localhost:8123/one/f
                        curl -s file:///workspace/one/f
                        kill $!
                        """);
        assertThat(result.stderr()).isEmpty();
        assertThat(result.stdout()).isEqualTo("hello\none\n1\npip\nhello\nhello\nhello\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "import subprocess, sys\nsys.exit(subprocess.call([sys.executable, '-m', 'pip', 'install', 'requests']))",
                "import subprocess, sys\nsys.exit(subprocess.call(['pip', 'install', 'requests']))"
            })
    void pip_is_refused_however_it_is_called(String program) throws Exception {
        var result = rig.run(Language.PYTHON, program);
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.stdout()).isEmpty();
        assertThat(result.stderr()).startsWith("pip: this sandbox has no network").hasLineCount(1);
    }

    @Test
    void pip_as_a_module_lists_what_its_own_interpreter_has() throws Exception {
        var result = bash("python3 -m pip list 2>/dev/null | grep -c '^pip '");
        assertThat(result.stdout()).isEqualTo("1\n");
    }

    @Test
    void the_sentence_names_what_is_installed_where_that_is_known() throws Exception {
        var result =
                rig.run(
                        Language.BASH,
                        "pip install scipy",
                        Rig.LIMITS,
                        rig.workspace(),
                        Map.of("SANDBOX_PACKAGES", "numpy 2.1, pandas 2.2"));
        assertThat(result.stderr()).contains("installed are numpy 2.1, pandas 2.2; the operator");
    }
}
