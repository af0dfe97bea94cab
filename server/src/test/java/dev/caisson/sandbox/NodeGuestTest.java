package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// A Node program, be it a module or not, behaves as a person who runs the file would see it.
@Tag("root")
@ExtendWith(Rig.Shared.class)
class NodeGuestTest {
    private final Rig rig;

    NodeGuestTest(Rig rig) {
        this.rig = rig;
    }

    private Rig.Result run(String code) throws InterruptedException {
        return rig.run(Language.NODE, code);
    }

    @Test
    void a_common_js_program_is_the_main_module() throws Exception {
        var result =
                run(
                        """
                        console.log(require.main === module, __filename, process.argv.length, process.cwd(), process.execArgv)
                        console.log(require('fs').readFileSync(0).length, typeof require('path').join)
                        """);
        assertThat(result.stderr()).isEmpty();
        assertThat(result.stdout())
                .isEqualTo("true /run/job/main.js 2 /workspace []\n0 function\n");
    }

    @Test
    void a_module_awaits_at_its_top() throws Exception {
        var result =
                run(
                        """
                        import { setTimeout as sleep } from 'node:timers/promises'
                        import fs from 'fs'
                        await sleep(5)
                        console.log(import.meta.url, typeof fs.readFileSync, process.argv[1])
                        """);
        assertThat(result.stderr()).isEmpty();
        assertThat(result.stdout())
                .isEqualTo("file:///run/job/main.mjs function /run/job/main.mjs\n");
        assertThat(run("const x = await Promise.resolve(4); console.log(x)").stdout())
                .isEqualTo("4\n");
    }

    @Test
    void files_of_the_workspace_can_be_required_and_imported() throws Exception {
        var workspace = rig.workspace();
        var make =
                """
                const fs = require('fs')
                fs.writeFileSync('a.cjs', 'exports.a = 1')
                fs.writeFileSync('b.mjs', 'import {a} from "./a.cjs"; export const b = a + 1')
                fs.mkdirSync('node_modules/left', { recursive: true })
                fs.writeFileSync('node_modules/left/index.js', 'module.exports = "left"')
                console.log(require('./a.cjs').a, require('left'))
                """;
        var made = rig.run(Language.NODE, make, Rig.LIMITS, workspace, Map.of());
        assertThat(made.stdout()).as(made.toString()).isEqualTo("1 left\n");
        var use = "import { b } from './b.mjs'\nimport left from 'left'\nconsole.log(b, left)";
        var used = rig.run(Language.NODE, use, Rig.LIMITS, workspace, Map.of());
        assertThat(used.stdout()).as(used.toString()).isEqualTo("2 left\n");
        var dynamic = "import('./b.mjs').then(m => console.log(m.b))";
        var later = rig.run(Language.NODE, dynamic, Rig.LIMITS, workspace, Map.of());
        assertThat(later.stdout()).as(later.toString()).isEqualTo("2\n");
    }

    /// The program itself is the one file that is nowhere else.
    @Test
    void what_is_not_in_the_workspace_is_looked_for_beside_the_program() throws Exception {
        var module =
                run(
                        """
                        import * as self from './main.mjs'
                        import { createRequire } from 'node:module'
                        export const x = 5
                        console.log(self.x, createRequire(import.meta.url).resolve('./main.js'))
                        import('./main.mjs').then((again) => console.log(again === self))
                        """);
        assertThat(module.stdout()).as(module.stderr()).isEqualTo("5 /run/job/main.js\ntrue\n");
        var script =
                run(
                        """
                        exports.x = 5
                        console.log(require('./main.js').x, require('./main') === exports)
                        import('./main.js').then((self) => console.log(self.default === exports))
                        """);
        assertThat(script.stdout()).as(script.stderr()).isEqualTo("5 true\ntrue\n");
    }

    @Test
    void an_uncaught_error_shows_the_programs_lines_and_none_of_ours() throws Exception {
        for (var code :
                new String[] {
                    "// one\nthrow new Error('boom')", "import 'fs'\nthrow new Error('boom')"
                }) {
            var result = run(code);
            assertThat(result.code()).isEqualTo(1);
            assertThat(result.stderr())
                    .contains(":2\nthrow new Error('boom')\n")
                    .contains("Error: boom")
                    .doesNotContain("/run/guest");
        }
    }

    @Test
    void a_file_that_is_not_there_is_named_without_a_line_of_ours() throws Exception {
        for (var code : new String[] {"import x from './nope.js'", "require('./nope.js')"}) {
            var result = run(code);
            assertThat(result.code()).isEqualTo(1);
            assertThat(result.stderr())
                    .contains("Cannot find module")
                    .contains("nope.js")
                    .doesNotContain("/run/guest");
        }
    }

    @Test
    void exits_and_rejections_are_the_programs_own() throws Exception {
        assertThat(run("process.exit(3)").code()).isEqualTo(3);
        assertThat(run("process.exitCode = 4").code()).isEqualTo(4);
        var rejected = run("Promise.reject(new Error('nobody listens'))");
        assertThat(rejected.code()).isEqualTo(1);
        assertThat(rejected.stderr()).contains("nobody listens").doesNotContain("/run/guest");
        var syntax = run("let x = ;");
        assertThat(syntax.code()).isEqualTo(1);
        assertThat(syntax.stderr())
                .startsWith("/run/job/main.js:1\nlet x = ;")
                .contains("SyntaxError");
    }

    @Test
    void workers_and_children_work() throws Exception {
        var result =
                run(
                        """
                        const { Worker, isMainThread, parentPort } = require('worker_threads')
                        const { execFileSync, fork } = require('child_process')
                        if (process.argv[2] === 'child') {
                          console.log('child')
                        } else if (isMainThread) {
                          new Worker(__filename).on('message', (m) => {
                            console.log(m, execFileSync('node', ['-p', '6*7']).toString().trim())
                            fork(__filename, ['child'])
                          })
                        } else {
                          parentPort.postMessage('worker')
                        }
                        """);
        assertThat(result.stderr()).isEmpty();
        assertThat(result.stdout()).isEqualTo("worker 42\nchild\n");
    }

    @Test
    void variables_that_node_reads_when_it_starts_count_too() throws Exception {
        var code =
                """
                const fs = require('fs')
                fs.mkdirSync('lib/thing', { recursive: true })
                fs.writeFileSync('lib/thing/index.js', 'module.exports = 7')
                console.log(require('thing'), new Date(0).getHours())
                """;
        var env = Map.of("NODE_PATH", "/workspace/lib", "TZ", "Asia/Tokyo");
        var result = rig.run(Language.NODE, code, Rig.LIMITS, rig.workspace(), env);
        assertThat(result.stdout()).as(result.toString()).isEqualTo("7 9\n");
    }

    @Test
    void the_environment_is_the_runs_and_nothing_else() throws Exception {
        var code = "console.log(Object.keys(process.env).sort().join(), process.env.GREETING)";
        var result =
                rig.run(
                        Language.NODE,
                        code,
                        Rig.LIMITS,
                        rig.workspace(),
                        Map.of("GREETING", "ü=1"));
        assertThat(result.stdout())
                .isEqualTo(
                        "GOMAXPROCS,GREETING,HOME,LANG,LOGNAME,MPLCONFIGDIR,NODE_OPTIONS,OMP_NUM_THREADS,PATH,PIP_PYTHON,PWD,PYTHONDONTWRITEBYTECODE,PYTHONUNBUFFERED,PYTHON_CPU_COUNT,SANDBOX_CPUS,SANDBOX_MEMORY_BYTES,SHELL,TMPDIR,USER,XDG_CACHE_HOME,npm_config_offline ü=1\n");
    }
}
