package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The value a program hands over: its own word, carried whole or not at all. These are the ways in
/// which runners that wrap the text of a program, or read its output, are known to fail.
@Tag("root")
@ExtendWith(Rig.Shared.class)
class HandedOverTest {
    private final Rig rig;

    HandedOverTest(Rig rig) {
        this.rig = rig;
    }

    private String value(Language language, String code) throws InterruptedException {
        return rig.run(language, code).value().map(Object::toString).orElse("none");
    }

    @Test
    void an_assignment_at_the_top_is_enough() throws Exception {
        assertThat(value(Language.PYTHON, "result = {'a': 1}")).isEqualTo("Value[value={\"a\":1}]");
        assertThat(value(Language.NODE, "globalThis.result = { a: [1, null, 'ü'] }"))
                .isEqualTo("Value[value={\"a\":[1,null,\"ü\"]}]");
        assertThat(value(Language.PYTHON, "x = 1")).isEqualTo("none");
        assertThat(value(Language.NODE, "const result = 1")).isEqualTo("none");
        assertThat(value(Language.PYTHON, "result = None")).isEqualTo("Value[value=null]");
    }

    @Test
    void it_survives_every_ordinary_end() throws Exception {
        assertThat(value(Language.PYTHON, "import sys\nresult = 1\nsys.exit(3)"))
                .isEqualTo("Value[value=1]");
        assertThat(value(Language.PYTHON, "result = 2\n1/0")).isEqualTo("Value[value=2]");
        assertThat(value(Language.NODE, "globalThis.result = 3; process.exit(4)"))
                .isEqualTo("Value[value=3]");
        assertThat(value(Language.NODE, "globalThis.result = 4; throw 1"))
                .isEqualTo("Value[value=4]");
        assertThat(value(Language.PYTHON, "result = 5\nimport os; os._exit(0)")).isEqualTo("none");
    }

    @Test
    void other_output_stays_output() throws Exception {
        var result =
                rig.run(
                        Language.PYTHON,
                        "import os, subprocess\nos.write(1, b'raw\\n')\nsubprocess.run(['echo', 'child'])\nprint('{\"ok\": true, \"result\": 9}')\nresult = 1");
        assertThat(result.stdout()).isEqualTo("raw\nchild\n{\"ok\": true, \"result\": 9}\n");
        assertThat(result.value()).map(Object::toString).hasValue("Value[value=1]");
    }

    @Test
    void one_that_is_nested_too_deep_says_so() throws Exception {
        var nested = "result = 1\nfor _ in range(%d): result = [result]";
        assertThat(value(Language.PYTHON, nested.formatted(HandedOver.DEPTH_MAX)))
                .startsWith("Value[value=[[[");
        assertThat(value(Language.PYTHON, nested.formatted(HandedOver.DEPTH_MAX + 1)))
                .isEqualTo("Unfit[why=the value is nested deeper than 100 levels]");
    }

    @Test
    void what_is_no_json_says_so() throws Exception {
        assertThat(value(Language.PYTHON, "result = {1, 2}"))
                .isEqualTo(
                        "Unwritable[said=TypeError: Object of type set is not JSON serializable]");
        assertThat(value(Language.PYTHON, "result = float('nan')"))
                .startsWith("Unwritable[said=ValueError");
        assertThat(value(Language.PYTHON, "result = []\nresult.append(result)"))
                .startsWith("Unwritable[said=ValueError");
        assertThat(value(Language.NODE, "globalThis.result = 1n"))
                .startsWith("Unwritable[said=TypeError");
        assertThat(value(Language.NODE, "globalThis.result = () => 1"))
                .isEqualTo("Unwritable[said=a function cannot be written as JSON]");
        assertThat(value(Language.PYTHON, "result = ['\\ud800']"))
                .isEqualTo("Unfit[why=a text in the value has half of a surrogate pair]");
        assertThat(value(Language.NODE, "globalThis.result = { a: '\\udc00' }"))
                .isEqualTo("Unfit[why=a text in the value has half of a surrogate pair]");
    }

    /// What a language's own writer of JSON would turn into something else without a word.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "PYTHON | result = [1, float('inf')] | ValueError",
                "PYTHON | result = {(1, 2): 3} | TypeError",
                "PYTHON | result = b'x' | TypeError",
                "NODE | globalThis.result = NaN | NaN",
                "NODE | globalThis.result = { a: [1, -Infinity] } | -Infinity",
                "NODE | globalThis.result = new Set([1]) | a Set",
                "NODE | globalThis.result = { a: new Map([[1, 2]]) } | a Map",
                "NODE | globalThis.result = [1, undefined] | undefined",
                "NODE | globalThis.result = { f() {} } | a function",
                "NODE | globalThis.result = [Symbol('x')] | a symbol",
                "NODE | globalThis.result = new Error('x') | an Error",
                "NODE | globalThis.result = Promise.resolve(1) | a Promise",
                "NODE | globalThis.result = [/x/] | a RegExp",
                "NODE | globalThis.result = new Date(NaN) | an invalid Date",
                "NODE | globalThis.result = new ArrayBuffer(1) | an ArrayBuffer",
                "NODE | const a = []; a.push(a); globalThis.result = a | circular",
                "TYPESCRIPT | (globalThis as any).result = new Set<number>([1]) | a Set",
            })
    void what_would_be_changed_without_a_word_says_so(Language language, String code, String why)
            throws Exception {
        assertThat(value(language, code)).startsWith("Unwritable[said=").contains(why);
    }

    @Test
    void a_value_that_resists_is_flagged_and_changes_nothing_else() throws Exception {
        var mute = "class E(Exception):\n    def __str__(self): raise self\n";
        var raising = "class D(dict):\n    def items(self): raise E()\n";
        assertFlaggedOnly(Language.PYTHON, mute + raising + "result = D(a=1)");
        assertFlaggedOnly(
                Language.NODE, "globalThis.result = { toJSON() { throw Object.create(null) } }");
        assertFlaggedOnly(
                Language.NODE,
                "Object.defineProperty(globalThis, 'result', { get() { throw 1 } })");
    }

    private void assertFlaggedOnly(Language language, String code) throws InterruptedException {
        var result = rig.run(language, code);
        assertThat(result.value().map(Object::toString).orElse("none"))
                .as(code)
                .startsWith("Unwritable[said=");
        assertThat(result.code()).isZero();
        assertThat(result.stderr()).isEmpty();
    }

    @Test
    void what_a_language_writes_as_json_is_a_value() throws Exception {
        var objects =
                "class P { x = 1 }; globalThis.result ="
                        + " { d: new Date(0), p: new P(), u: undefined, n: null, s: new String('s') }";
        assertThat(value(Language.NODE, objects))
                .isEqualTo(
                        "Value[value={\"d\":\"1970-01-01T00:00:00.000Z\",\"p\":{\"x\":1},\"n\":null,\"s\":\"s\"}]");
        assertThat(value(Language.PYTHON, "result = {'t': (1, True), 1: 1.5}"))
                .isEqualTo("Value[value={\"t\":[1,true],\"1\":1.5}]");
        assertThat(value(Language.PYTHON, "result = {1: 'a', '1': 'b'}"))
                .isEqualTo("Unfit[why=the value did not arrive as JSON]");
        assertThat(value(Language.PYTHON, "result = \"\"\"a\n  b\n\tc\"\"\""))
                .isEqualTo("Value[value=\"a\\n  b\\n\\tc\"]");
        assertThat(value(Language.TYPESCRIPT, "(globalThis as any).result = { a: 1 as number }"))
                .isEqualTo("Value[value={\"a\":1}]");
    }

    @Test
    void a_value_over_the_limit_goes_to_a_file() throws Exception {
        assertThat(value(Language.PYTHON, "result = 'x' * 65534")).hasSizeGreaterThan(65_000);
        for (var language : new Language[] {Language.PYTHON, Language.NODE}) {
            var workspace = rig.workspace();
            Files.writeString(workspace.resolve("result.json"), "mine");
            var code =
                    language == Language.PYTHON
                            ? "result = 'x' * 65535"
                            : "globalThis.result = 'x'.repeat(65535)";
            var result = rig.run(language, code, Rig.LIMITS, workspace, Map.of());
            assertThat(result.value())
                    .hasValue(new HandedOver.InFile(65_537, "/workspace/result-1.json"));
            assertThat(workspace.resolve("result-1.json")).hasSize(65_537);
            assertThat(workspace.resolve("result.json")).hasContent("mine");
        }
    }

    @Test
    void forged_records_are_only_the_programs_own_value() throws Exception {
        var forged = "import os\nos.write(7, b'{\"value\": 42}\\n')\nprint('out')\nos._exit(3)";
        var result = rig.run(Language.PYTHON, forged);
        assertThat(result.code()).isEqualTo(3);
        assertThat(result.value()).map(Object::toString).hasValue("Value[value=42]");
        var garbage =
                "import os\nwhile True:\n    try: os.write(7, b'x' * 65536)\n    except OSError: break\n    if os.times().elapsed % 1 > 0.9: break\nos._exit(0)";
        assertThat(rig.run(Language.PYTHON, garbage).value())
                .map(Object::toString)
                .hasValue("Unfit[why=the value did not arrive as JSON]");
        var closed =
                rig.run(
                        Language.PYTHON,
                        "import os\nresult = 1\nos.close(7)\nos.close(1)\nos.close(2)");
        assertThat(closed.outcome()).isInstanceOf(Outcome.Exited.class);
    }

    @Test
    void a_record_that_makes_no_sense_is_unfit() {
        for (var text :
                new String[] {
                    "",
                    "[]",
                    "{}",
                    "{\"bytes\":1}",
                    "{\"file\":\"/x\",\"bytes\":\"many\"}",
                    "nonsense"
                }) {
            assertThat(ValueRecord.parse(text.getBytes(StandardCharsets.UTF_8)))
                    .as(text)
                    .isInstanceOf(HandedOver.Unfit.class);
        }
    }
}
