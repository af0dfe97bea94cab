package dev.caisson.rest.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PathTemplateTest {
    private final PathTemplate template = PathTemplate.of("/v1/volumes/{name}/grants/{key}");

    @Test
    void a_place_takes_one_segment() {
        assertThat(template.names()).isEqualTo(List.of("name", "key"));
        assertThat(template.match("/v1/volumes/a b/grants/ä"))
                .contains(Map.of("name", "a b", "key", "ä"));
    }

    @Test
    void nothing_else_matches() {
        for (var path :
                List.of(
                        "/v1/volumes/a/grants",
                        "/v1/volumes/a/grants/",
                        "/v1/volumes//grants/k",
                        "/v1/volumes/a/grants/k/",
                        "/v1/volumes/a/b/grants/k",
                        "/v2/volumes/a/grants/k",
                        "/")) {
            assertThat(template.match(path)).as(path).isEmpty();
        }
    }

    @Test
    void a_template_starts_at_the_root() {
        assertThatThrownBy(() -> PathTemplate.of("v1"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
