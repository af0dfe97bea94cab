package dev.caisson.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class CursorPageTest {
    private static final List<Integer> FIVE = List.of(1, 2, 3, 4, 5);

    private static ObjectNode page(Optional<String> cursor, int size) {
        return CursorPage.of("tools", FIVE, cursor, size, n -> Json.object().put("n", n));
    }

    @Test
    void all_pages_together_are_the_list() {
        var seen = new ArrayList<Integer>();
        var cursor = Optional.<String>empty();
        do {
            var page = page(cursor, 2);
            page.path("tools").forEach(item -> seen.add(item.path("n").intValue()));
            cursor = page.path("nextCursor").stringValueOpt();
        } while (cursor.isPresent());
        assertThat(seen).isEqualTo(FIVE);
    }

    @Test
    void a_list_of_exactly_one_page_has_no_next() {
        assertThat(page(Optional.empty(), 5).has("nextCursor")).isFalse();
        assertThat(page(Optional.empty(), 4).has("nextCursor")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "!!", "dG9vbHM6OTk", "cHJvbXB0czoy", "dG9vbHM6LTE"})
    void a_cursor_that_is_not_ours_is_refused(String cursor) {
        assertThatThrownBy(() -> page(Optional.of(cursor), 2))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("params.cursor");
    }
}
