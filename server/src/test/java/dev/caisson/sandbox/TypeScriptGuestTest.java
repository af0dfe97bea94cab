package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// TypeScript is transpiled inside the sandbox: types are taken away, not checked.
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
    void a_syntax_error_has_line_and_column() throws Exception {
        var result = run("const a: number = 1\nconst b = = 2\n");
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.stderr()).contains("/run/job/main.ts:2:10").contains("Unexpected \"=\"");
    }

    @Test
    void an_error_points_into_the_typescript() throws Exception {
        var result =
                run(
                        "interface A {\n  x: number\n}\n\nfunction f(a: A): never {\n  throw new Error('boom ' + a.x)\n}\nf({ x: 1 })\n");
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.stderr())
                .contains("Error: boom 1")
                .contains("/run/job/main.ts:6:9")
                .doesNotContain("/run/guest");
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
