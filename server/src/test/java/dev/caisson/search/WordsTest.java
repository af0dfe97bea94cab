package dev.caisson.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class WordsTest {
    @Test
    void a_text_is_split_at_case_and_punctuation() {
        assertThat(Words.of("getDocumentBody")).isEqualTo(List.of("get", "document", "body"));
        assertThat(Words.of("get-document_body.v2"))
                .isEqualTo(List.of("get", "document", "body", "v2"));
        assertThat(Words.of("HTTPServer")).isEqualTo(List.of("http", "server"));
        assertThat(Words.of("  a,b\u0000c\u001b[31md ")).isEqualTo(List.of("a", "b", "c", "31md"));
        assertThat(Words.of("")).isEmpty();
        assertThat(Words.of("--- \n")).isEmpty();
    }

    @Test
    void plural_and_endings_of_verbs_are_dropped() {
        assertThat(Words.of("files file filing filed")).containsOnly("fil");
        assertThat(Words.of("run runs running")).containsOnly("run");
        assertThat(Words.of("entry entries")).containsOnly("entry");
        assertThat(Words.of("process processes processing processed")).containsOnly("process");
        assertThat(Words.of("search searches searched")).containsOnly("search");
        assertThat(Words.of("create creating created creates")).containsOnly("creat");
    }

    @Test
    void short_words_stay_whole() {
        assertThat(Words.of("bus red ring is as status"))
                .isEqualTo(List.of("bus", "red", "ring", "is", "as", "status"));
    }

    @Test
    void words_of_other_scripts_are_words() {
        assertThat(Words.of("Datei löschen 文件")).isEqualTo(List.of("datei", "löschen", "文件"));
    }

    @Test
    void only_a_bounded_part_is_read() {
        var within = "a ".repeat(Words.TEXT_LENGTH_MAX / 2 - 1) + "xy z";
        assertThat(Words.of(within)).endsWith("xy").doesNotContain("z");
        assertThat(Words.of("q".repeat(1_000_000)))
                .containsExactly("q".repeat(Words.WORD_LENGTH_MAX));
    }
}
