package dev.caisson.rest.runs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.call.Content;
import dev.caisson.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Images of a run are in its answer where there is no other way to them, within a limit.
class ShownPicturesTest {
    private static JsonNode report(boolean kept) {
        var text =
                "{\"files_kept\":%s,\"display\":[{\"media_type\":\"text/plain\",\"text\":\"1\",\"data\":null}]}"
                        .formatted(kept);
        return Json.parse(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Content image(int length) {
        return new Content.Image("A".repeat(length), "image/png");
    }

    @Test
    void images_follow_the_text_of_a_run_whose_files_are_erased() {
        var shown = ShownPictures.in(report(false), List.of(Content.text("x"), image(4)));
        assertThat(shown.get("display").size()).isEqualTo(2);
        assertThat(shown.get("display").get(1).get("data").stringValue()).isEqualTo("AAAA");
        assertThat(shown.get("display").get(1).get("media_type").stringValue())
                .isEqualTo("image/png");
    }

    @Test
    void files_that_are_kept_are_fetched_where_they_are() {
        var kept = report(true);
        assertThat(ShownPictures.in(kept, List.of(image(4)))).isEqualTo(kept);
    }

    @Test
    void images_end_at_the_limit() {
        var most = ShownPictures.LENGTH_MAX;
        assertThat(shown(image(most))).isEqualTo(2);
        assertThat(shown(image(most + 1))).isEqualTo(1);
        assertThat(shown(image(most), image(1))).isEqualTo(2);
    }

    private static int shown(Content... images) {
        return ShownPictures.in(report(false), List.of(images)).get("display").size();
    }
}
