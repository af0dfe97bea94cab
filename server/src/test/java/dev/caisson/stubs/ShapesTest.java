package dev.caisson.stubs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.json.Json;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShapesTest {
    private static Shapes learned(String json, int times) {
        var shape = Shapes.NONE;
        for (int time = 0; time < times; time++) {
            shape = shape.with(Json.parse(json)).shape();
        }
        return shape;
    }

    private static String schema(Shapes shape) {
        return Json.text(shape.schema().orElseThrow());
    }

    @Test
    void types_of_members_and_items_are_learned() {
        var shape = learned("{\"title\": \"a\", \"tags\": [\"x\", 1], \"open\": true}", 4);
        assertThat(shape.schema()).isEmpty();
        shape = shape.with(Json.parse("{\"title\": null, \"tags\": []}")).shape();
        assertThat(schema(shape))
                .isEqualTo(
                        "{\"type\":\"object\",\"properties\":{\"open\":{\"type\":\"boolean\"},"
                                + "\"tags\":{\"type\":\"array\",\"items\":{\"type\":[\"string\","
                                + "\"integer\"]}},\"title\":{\"type\":[\"string\",\"null\"]}},"
                                + "\"required\":[\"tags\",\"title\"]}");
        assertThat(shape.sentence()).isEqualTo("learned from 5 results; title null in 20 %");
    }

    @Test
    void no_value_is_kept() {
        var shape = learned("{\"name\": \"canary\", \"number\": 4711, \"list\": [\"kanary\"]}", 60);
        var news = shape.with(Json.parse("{\"name\": \"other-canary\", \"a\": [\"b-canary\"]}"));
        assertThat(Json.text(news.shape().json())).doesNotContain("anary", "4711");
        assertThat(news.drift()).noneMatch(word -> word.contains("anary"));
    }

    @Test
    void names_that_are_data_become_a_map() {
        var odd = learned("{\"2026-01-01\": 3, \"2026-01-02\": 4}", 5);
        assertThat(schema(odd))
                .isEqualTo("{\"type\":\"object\",\"additionalProperties\":{\"type\":\"integer\"}}");
        var many = Json.object();
        for (int number = 0; number < ShapeMerging.MEMBERS_MAX; number++) {
            many.put("m" + number, number);
        }
        assertThat(learned(Json.text(many), 5).root().map()).isFalse();
        many.put("more", 1);
        var map = learned(Json.text(many), 5);
        assertThat(map.root().map()).isTrue();
        assertThat(Json.text(map.json())).doesNotContain("m1", "more");
    }

    @Test
    void depth_and_paths_are_bounded() {
        var deep = "{\"a\":".repeat(50) + "1" + "}".repeat(50);
        assertThat(learned(deep, 3).root().paths()).isEqualTo(ShapeMerging.DEPTH_MAX + 1);
        var wide = Json.object();
        for (int outer = 0; outer < 20; outer++) {
            var inner = wide.putObject("m" + outer);
            for (int number = 0; number < 20; number++) {
                inner.put("n" + number, number);
            }
        }
        assertThat(learned(Json.text(wide), 2).root().paths())
                .isLessThanOrEqualTo(ShapeMerging.PATHS_MAX);
    }

    @Test
    void what_was_not_there_in_the_results_before_is_drift() {
        var shape = learned("{\"a\": 1}", Shapes.DRIFT_WINDOW - 1);
        assertThat(shape.with(Json.parse("{\"a\": \"text\"}")).drift()).isEmpty();
        shape = learned("{\"a\": 1}", Shapes.DRIFT_WINDOW);
        var news = shape.with(Json.parse("{\"a\": \"text\", \"b\": [null]}"));
        assertThat(news.drift()).containsExactly("a: string", "b: array", "b[]: null");
        assertThat(news.shape().with(Json.parse("{\"a\": \"text\"}")).drift()).isEmpty();
        assertThat(shape.with(Json.parse("{\"a\": 7}")).drift()).isEmpty();
        assertThat(shape.with(Json.parse("{}")).drift()).isEmpty();
    }

    @Test
    void a_shape_is_kept_as_json() {
        var shape = learned("{\"a\": [{\"b\": null}], \"c\": {\"x-y\": 1.5}}", 7);
        assertThat(Shapes.of(Json.parse(Json.text(shape.json())))).isEqualTo(shape);
        for (var wrong : List.of("{}", "{\"seen\": -1}", "{\"seen\": 1}", "[]")) {
            assertThatThrownBy(() -> Shapes.of(Json.parse(wrong)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
