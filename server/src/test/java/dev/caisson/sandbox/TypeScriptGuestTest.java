package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// TypeScript is transpiled inside the sandbox: types are taken away, not checked.
@Tag("root")
@ExtendWith(Rig.Shared.class)
class TypeScriptGuestTest {
    private final Rig rig;

    TypeScriptGuestTest(Rig rig) {
        this.rig = rig;
    }

    private Rig.Result run(String code) throws InterruptedException {
        return rig.run(Language.TYPESCRIPT, code);
    }

    @Test
    void enums_decorators_and_wrong_types_run() throws Exception {
        var result =
                run(
                        """
                        enum Colour { Red = 1, Green }
                        function logged(value: Function, context: { name: string }) { console.log('made', context.name) }
                        @logged class Box<T> { constructor(public readonly item: T) {} }
                        const wrong: number = 'not a number'
                        const x = await Promise.resolve(new Box(Colour.Green))
                        console.log(Colour[x.item], wrong satisfies unknown)
                        globalThis.result = { colour: x.item }
                        """);
        assertThat(result.stderr()).isEmpty();
        assertThat(result.stdout()).isEqualTo("made Box\nGreen not a number\n");
        assertThat(result.value()).map(Object::toString).hasValue("Value[value={\"colour\":2}]");
    }

    @Test
    void parameter_decorators_of_the_older_kind_run() throws Exception {
        var result =
                run(
                        """
                        const seen: number[] = []
                        function Inject(target: any, key: any, index: number) { seen.push(index) }
                        class Service { constructor(@Inject a: string, @Inject b: string) {} }
                        console.log(seen.sort().join(), Service.name)
                        """);
        assertThat(result.stderr()).isEmpty();
        assertThat(result.stdout()).isEqualTo("0,1 Service\n");
    }

    @Test
    void the_older_way_of_requiring_works_too() throws Exception {
        var result =
                run(
                        """
                        const path: typeof import('path') = require('path')
                        if (require.main === module) console.log(path.join('a', 'b'), __filename)
                        """);
        assertThat(result.stderr()).isEmpty();
        assertThat(result.stdout()).isEqualTo("a/b /run/job/main.ts\n");
    }

    @Test
    void a_syntax_error_has_line_and_column_as_editors_count_them() throws Exception {
        var result = run("const a: number = 1\nconst b = = 2\n");
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.stderr()).contains("/run/job/main.ts:2:11:").contains("Unexpected \"=\"");
        assertThat(run("= 1").stderr()).contains("/run/job/main.ts:1:1:");
        assertThat(run("const ü = '€', \uD83D\uDE00 = = 2").stderr())
                .contains("/run/job/main.ts:1:16:");
    }

    @Test
    void a_syntax_error_in_a_session_or_a_module_is_counted_the_same() throws Exception {
        try (var session = new Guestbook(rig, Language.TYPESCRIPT)) {
            assertThat(session.run("const a: number = 1\nconst b = = 2").stderr())
                    .contains("/run/job/cell-1.ts:2:11:");
        }
        var workspace = rig.workspace();
        java.nio.file.Files.writeString(workspace.resolve("wrong.ts"), "\nlet x: = 1");
        var result =
                rig.run(Language.TYPESCRIPT, "import './wrong'", Rig.LIMITS, workspace, Map.of());
        assertThat(result.stderr()).contains("/workspace/wrong.ts:2:8:");
    }

    @Test
    void an_error_points_into_the_typescript() throws Exception {
        var code =
                "interface A {\n  x: number\n}\n\nfunction f(a: A): never {\n  throw new Error('boom ' + a.x)\n}\nf({ x: 1 })\n";
        var result = run(code);
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.stderr())
                .contains("Error: boom 1")
                .contains("/run/job/main.ts:6:9")
                .contains("/run/job/main.ts:8:1")
                .doesNotContain("/run/guest");
        try (var session = new Guestbook(rig, Language.TYPESCRIPT)) {
            assertThat(session.run(code).stderr())
                    .contains("/run/job/cell-1.ts:6:9")
                    .contains("/run/job/cell-1.ts:8:1");
        }
    }

    /// The program itself is the one file that is nowhere else.
    @Test
    void what_is_not_in_the_workspace_is_looked_for_beside_the_program() throws Exception {
        for (var name : new String[] {"./main", "./main.ts", "./main.js"}) {
            var code =
                    "import * as self from '%s'\nexport const x: number = 5\nconsole.log(self.x)\nimport('%s').then((again) => console.log(again === self))"
                            .formatted(name, name);
            var result = run(code);
            assertThat(result.stdout()).as(result.stderr()).isEqualTo("5\ntrue\n");
        }
        var required = run("console.log(require.resolve('./main.ts'))");
        assertThat(required.stdout()).as(required.stderr()).isEqualTo("/run/job/main.ts\n");
    }

    @Test
    void other_typescript_of_the_workspace_is_imported() throws Exception {
        var workspace = rig.workspace();
        var first =
                "import { writeFileSync } from 'node:fs'\nwriteFileSync('util.ts', 'export const two: number = 2')";
        assertThat(rig.run(Language.TYPESCRIPT, first, Rig.LIMITS, workspace, Map.of()).code())
                .isZero();
        var second =
                "import { two } from './util'\nimport { two as again } from './util.ts'\nconsole.log(two + again)";
        var result = rig.run(Language.TYPESCRIPT, second, Rig.LIMITS, workspace, Map.of());
        assertThat(result.stdout()).as(result.toString()).isEqualTo("4\n");
    }
}
