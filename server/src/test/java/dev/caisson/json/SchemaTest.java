package dev.caisson.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.caisson.telemetry.LogCapture;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class SchemaTest {
    /// Single quotes stand for double ones.
    private static String json(String text) {
        return text.replace('\'', '"');
    }

    private static Schema schema(String text) {
        return Schema.of(Json.parse(json(text)));
    }

    private static List<String> complaints(String schema, String value) {
        return schema(schema).complaints(Json.parse(json(value)));
    }

    private static void assertRefused(String schema, String... words) {
        assertThatThrownBy(() -> schema(schema))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .contains(words)
                .hasSizeLessThan(300);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            textBlock =
                    """
                    {'properties':{'timeout':{'maximum':3600}}}|{'timeout':4000}|/timeout must be at most 3600, was 4000
                    {'properties':{'timeout':{'minimum':1}}}|{'timeout':0}|/timeout must be at least 1, was 0
                    {'exclusiveMaximum':5}|5|the value must be less than 5, was 5
                    {'exclusiveMinimum':5}|5|the value must be more than 5, was 5
                    {'multipleOf':5}|7|the value must be a multiple of 5, was 7
                    {'properties':{'code':{}},'required':['code']}|{}|/code is required
                    {'properties':{'a':{'required':['b']}}}|{'a':{}}|/a/b is required
                    {'properties':{'code':{},'env':{}},'additionalProperties':false}|{'cod':1}|/cod is not known; known are code, env
                    {'additionalProperties':false}|{'cod':1}|/cod is not known
                    {'items':{'type':'integer'}}|[1,'x']|/1 must be an integer, was a string
                    {'type':['object','null']}|1.5|the value must be an object or null, was a number
                    {'type':'string'}|null|the value must be a string, was null
                    {'type':'boolean'}|[]|the value must be a boolean, was a list
                    {'enum':['python','node']}|'ruby'|the value must be one of "python", "node", was "ruby"
                    {'const':7}|8|the value must be 7, was 8
                    {'maxLength':2}|'abc'|the value must have at most 2 characters, has 3
                    {'minLength':2}|'😀'|the value must have at least 2 characters, has 1
                    {'pattern':'^[A-Z]+$'}|'abc'|the value must match ^[A-Z]+$, was "abc"
                    {'maxItems':1}|[1,2]|the value must have at most 1 items, has 2
                    {'minItems':1}|[]|the value must have at least 1 items, has 0
                    {'uniqueItems':true}|[1,1]|the value must not have the same item twice
                    {'maxProperties':0}|{'a':1}|the value must have at most 0 members, has 1
                    {'minProperties':1}|{}|the value must have at least 1 members, has 0
                    {'not':{'type':'integer'}}|1|the value must not fit a schema that it fits
                    """)
    void a_complaint_names_the_member_and_the_remedy(
            String schema, String value, String complaint) {
        assertThat(complaints(schema, value)).containsExactly(complaint);
    }

    @Test
    void a_value_that_conforms_has_no_complaints() {
        assertThat(complaints("{'type':'object','required':['a']}", "{'a':1}")).isEmpty();
        assertThat(complaints("true", "{'a':1}")).isEmpty();
    }

    @Test
    void complaints_are_short_and_few_however_large_the_value() {
        var value = Json.object();
        for (var i = 0; i < 50; i++) {
            value.put("m" + "x".repeat(500) + i, "y".repeat(100_000) + "\n");
        }
        var complaints =
                schema("{'additionalProperties':{'maxLength':5,'pattern':'^a'}}").complaints(value);
        assertThat(complaints)
                .hasSizeLessThanOrEqualTo(Schema.COMPLAINTS_MAX)
                .isNotEmpty()
                .allSatisfy(text ->
                        assertThat(text)
                                .hasSizeLessThan(200)
                                .doesNotContain("\n")
                                .startsWith("/mxx"));
    }

    @Test
    void references_within_the_schema_work() {
        assertThat(complaints("{'$ref':'#/$defs/a','$defs':{'a':{'type':'integer'}}}", "'x'"))
                .hasSize(1);
        assertThat(
                        complaints(
                                "{'$ref':'#there','$defs':{'a':{'$anchor':'there','type':'null'}}}",
                                "1"))
                .hasSize(1);
        assertThat(
                        complaints(
                                "{'$id':'https://a.example/root','$ref':'leaf',"
                                        + "'$defs':{'a':{'$id':'leaf','type':'null'}}}",
                                "1"))
                .hasSize(1);
    }

    @Test
    void schemas_that_claim_the_same_id_do_not_stand_in_for_each_other() {
        var one = schema("{'$id':'https://a.example/same','type':'integer'}");
        var other = schema("{'$id':'https://a.example/same','type':'string'}");
        assertThat(one.complaints(Json.tree(1))).isEmpty();
        assertThat(other.complaints(Json.tree(1))).hasSize(1);
    }

    @Test
    void nothing_is_fetched_to_resolve_a_reference(@TempDir Path directory) throws Exception {
        var asked = new AtomicInteger();
        var server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    asked.incrementAndGet();
                    exchange.sendResponseHeaders(200, -1);
                });
        server.start();
        try {
            var remote = "http://127.0.0.1:" + server.getAddress().getPort() + "/schema";
            var file = Files.writeString(directory.resolve("schema"), "{}").toUri().toString();
            for (var address : List.of(remote, file, "classpath:schema", "other.json", "//x/y")) {
                assertRefused("{'$ref':'" + address + "'}", "refers to", "nothing is fetched");
                assertRefused(
                        "{'properties':{'default':{'anyOf':[{'$dynamicRef':'"
                                + address
                                + "#/a'}]}}}",
                        "nothing is fetched");
            }
            assertRefused("{'$schema':'" + remote + "'}", "is not known here");
        } finally {
            server.stop(0);
        }
        assertThat(asked).hasValue(0);
    }

    @Test
    void values_that_look_like_references_are_only_values() {
        var schema =
                "{'properties':{'$ref':{'const':{'$ref':'http://a.example'}}},"
                        + "'default':{'$ref':'http://a.example'},'examples':[{'$ref':'x'}]}";
        assertThat(complaints(schema, "{'$ref':{'$ref':'http://a.example'}}")).isEmpty();
    }

    @Test
    void the_dialects_we_know_work_and_others_are_refused_by_name() {
        for (var dialect :
                List.of(
                        "https://json-schema.org/draft/2020-12/schema",
                        "https://json-schema.org/draft/2019-09/schema",
                        "http://json-schema.org/draft-07/schema#")) {
            assertThat(complaints("{'$schema':'" + dialect + "','type':'null'}", "1")).hasSize(1);
        }
        assertRefused("{'$schema':'https://a.example/mine'}", "https://a.example/mine", "2020-12");
        assertRefused("{'items':{'$schema':'http://json-schema.org/draft-03/schema'}}", "draft-03");
    }

    @Test
    void what_is_no_schema_is_refused_with_a_sentence() {
        assertRefused("[]", "must be an object or a boolean");
        assertRefused("{'pattern':'('}", "cannot be used");
        assertRefused("{'$ref':'#/nowhere'}", "cannot be used");
        assertRefused("{'$ref':'http://['}", "not a URI");
    }

    @Test
    void schemas_are_nested_up_to_a_limit() {
        assertThat(schema(nested(SchemaScreen.DEPTH_MAX)).complaints(Json.tree(1))).isEmpty();
        assertRefused(nested(SchemaScreen.DEPTH_MAX + 1), "deeper than 64");
    }

    private static String nested(int depth) {
        return "{'items':".repeat(depth - 1) + "{}" + "}".repeat(depth - 1);
    }

    @Test
    void there_are_schemas_up_to_a_limit() {
        assertThat(schema(wide(SchemaScreen.SUBSCHEMAS_MAX)).complaints(Json.tree(1))).isEmpty();
        assertRefused(wide(SchemaScreen.SUBSCHEMAS_MAX + 1), "more than 5000");
    }

    private static String wide(int schemas) {
        return "{'allOf':[" + "{},".repeat(schemas - 2) + "{}]}";
    }

    @Test
    void a_schema_without_end_is_stopped() {
        for (var endless : List.of("{'$ref':'#'}", "{'allOf':[{'$ref':'#'}]}")) {
            assertThat(complaints(endless, "1"))
                    .containsExactly("the value takes more than 1000 levels to check");
        }
    }

    @Test
    void a_tree_as_deep_as_json_may_be_is_checked() {
        var schema = "{'properties':{'kids':{'items':{'$ref':'#'}}},'additionalProperties':false}";
        var levels = Json.DEPTH_MAX / 2 - 1;
        var good = "{'kids':[".repeat(levels) + "]}".repeat(levels);
        assertThat(complaints(schema, good)).isEmpty();
        var bad = "{'kids':[".repeat(levels) + "{'x':1}" + "]}".repeat(levels);
        assertThat(complaints(schema, bad)).hasSize(1);
    }

    @Test
    void branches_that_double_at_each_level_are_stopped() {
        var schema = new StringBuilder("{'$ref':'#/$defs/d0','$defs':{");
        for (var i = 0; i < 40; i++) {
            var next = "{'$ref':'#/$defs/d" + (i + 1) + "'}";
            schema.append("'d").append(i).append("':{'allOf':[" + next + "," + next + "]},");
        }
        assertThat(complaints(schema + "'d40':{}}}", "1"))
                .containsExactly("the value takes more than 1000000 steps to check");
    }

    @Test
    void a_large_value_is_checked() {
        var list = "[" + "1,".repeat(200_000) + "1]";
        assertThat(complaints("{'items':{'type':'integer'}}", list)).isEmpty();
    }

    @Test
    void a_pattern_that_takes_for_ever_is_stopped() {
        var tooLong = "a text takes too long to match against its pattern";
        assertThat(complaints("{'pattern':'^(.*a){12}$'}", "'" + "a".repeat(60) + "!'"))
                .containsExactly(tooLong);
        assertThat(complaints("{'pattern':'^(a|b)*$'}", "'" + "ab".repeat(200_000) + "'"))
                .containsExactly(tooLong);
        assertThat(complaints("{'pattern':'^[ab]*$'}", "'" + "ab".repeat(200_000) + "'")).isEmpty();
    }

    @Test
    void the_end_of_a_pattern_is_the_end_of_the_text() {
        var value = Json.tree("abc\n");
        assertThat(schema("{'pattern':'^abc$'}").complaints(value)).hasSize(1);
    }

    @Test
    void a_format_describes_and_is_not_checked() {
        for (var dialect :
                List.of(
                        "https://json-schema.org/draft/2020-12/schema",
                        "http://json-schema.org/draft-07/schema#")) {
            for (var format : List.of("date-time", "time", "duration", "email", "uri", "what")) {
                var schema = "{'$schema':'" + dialect + "','format':'" + format + "'}";
                assertThat(complaints(schema, "'no such thing'")).isEmpty();
            }
        }
    }

    @Test
    void a_keyword_of_another_standard_describes_and_is_no_reason_for_a_warning() {
        try (var log = new LogCapture()) {
            var schema = Schema.of(Json.parse("{\"type\":\"string\",\"x-mcp-header\":\"Region\"}"));
            assertThat(schema.complaints(Json.tree("eu"))).isEmpty();
            assertThat(schema.complaints(Json.tree(5))).hasSize(1);
            assertThat(log.text()).doesNotContain("x-mcp-header");
        }
    }

    /// A division of 1e10000000 takes minutes, and one of 1e999999999 more memory than there is.
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            textBlock =
                    """
                    {'multipleOf':7}|1e10000000
                    {'multipleOf':7}|-1e999999999
                    {'items':{'multipleOf':0.3}}|[1,[1e-10000000]]
                    {'properties':{'a':{'multipleOf':7}}}|{'a':1e1001}
                    """)
    void a_number_of_endless_digits_is_not_computed_with(String schema, String value) {
        assertThat(complaints(schema, value))
                .containsExactly("a number has more than 1,000 digits when it is written out");
        assertThat(schema(schema).conforms(Json.parse(json(value)))).isEmpty();
        assertRefused(schema.replaceAll("7|0.3", "1e-10000000"), "more than 1,000 digits");
    }

    /// Data like any other, where nothing is computed with it.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'type':'number'}",
                "{'type':'integer'}",
                "{'minimum':1}",
                "{'exclusiveMaximum':9.5}",
                "{'type':'integer','minimum':1,'maximum':9}",
                "{'enum':[1,1.5]}",
                "{'const':1}"
            })
    @Timeout(60)
    void a_number_of_endless_digits_is_judged_at_once(String schema) {
        for (var value : List.of("1e999999999", "-1e999999999", "1e-999999999")) {
            assertThat(complaints(schema, value)).doesNotContain(WideNumbers.SENTENCE);
            assertThat(
                            complaints(
                                    "{'items':" + schema + ",'uniqueItems':true}",
                                    "[1," + value + "]"))
                    .doesNotContain(WideNumbers.SENTENCE);
        }
        assertThat(complaints("{}", "1e999999999")).isEmpty();
    }

    @Test
    void a_number_of_many_digits_is_judged() {
        assertThat(complaints("{'multipleOf':7}", "1e900")).hasSize(1);
        assertThat(complaints("{'multipleOf':10}", "1e900")).isEmpty();
        assertThat(complaints("{'minimum':1}", "1e900")).isEmpty();
    }

    @Test
    void a_whole_number_beyond_every_limit_is_a_mistake_and_no_fault() {
        var whole = "{'properties':{'n':{'type':'integer','minimum':1,'maximum':9}}}";
        assertThat(complaints(whole, "{'n':1e30}")).hasSize(1);
        assertThat(schema(whole).conforms(Json.parse("{\"n\":1e30}"))).isEmpty();
    }
}
