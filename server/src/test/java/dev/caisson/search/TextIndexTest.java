package dev.caisson.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.search.TextIndex.Entry;
import dev.caisson.search.TextIndex.Field;
import dev.caisson.search.TextIndex.Hit;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TextIndexTest {
    private static Entry<String> entry(String name, String text) {
        return new Entry<>(name, List.of(new Field(name, 3), new Field(text, 1)));
    }

    private static final TextIndex<String> INDEX =
            TextIndex.of(
                    List.of(
                            entry("list_files", "Lists the files of a thread."),
                            entry("delete_file", "Deletes one file."),
                            entry("create_issue", "Opens an issue that names a file."),
                            entry("send_mail", "Sends a mail to people.")));

    private static List<String> found(TextIndex<String> index, String query) {
        return index.search(query).stream().map(Hit::subject).toList();
    }

    @Test
    void the_best_text_comes_first() {
        assertThat(found(INDEX, "delete a file").getFirst()).isEqualTo("delete_file");
        assertThat(found(INDEX, "listing files").getFirst()).isEqualTo("list_files");
        assertThat(found(INDEX, "issues")).containsExactly("create_issue");
    }

    @Test
    void a_heavy_field_counts_more_than_a_light_one() {
        assertThat(found(INDEX, "file").getLast()).isEqualTo("create_issue");
    }

    @Test
    void a_rare_word_counts_more_than_a_common_one() {
        assertThat(found(INDEX, "file mail").getFirst()).isEqualTo("send_mail");
    }

    @Test
    void a_score_is_that_of_the_formula() {
        var two =
                TextIndex.of(
                        List.of(
                                new Entry<>(1, List.of(new Field("cat cat dog", 1))),
                                new Entry<>(2, List.of(new Field("bird", 1)))));
        var idf = Math.log(1 + (2 - 1 + 0.5) / (1 + 0.5));
        var expected = idf * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 3 / 2.0));
        assertThat(two.search("cats")).hasSize(1);
        assertThat(two.search("cats").getFirst().score()).isEqualTo(expected);
    }

    @Test
    void texts_of_the_same_rank_keep_their_order() {
        var same =
                TextIndex.of(
                        IntStream.range(0, 50)
                                .mapToObj(number ->
                                        new Entry<>(number, List.of(new Field("same", 1))))
                                .toList());
        assertThat(same.search("same")).extracting(Hit::subject).isSorted().hasSize(50);
    }

    @Test
    void nothing_is_found_for_no_word_and_in_no_text() {
        assertThat(found(INDEX, "")).isEmpty();
        assertThat(found(INDEX, "\u0000\u001b !?")).isEmpty();
        assertThat(found(INDEX, "zebra")).isEmpty();
        assertThat(TextIndex.<String>of(List.of()).search("file")).isEmpty();
        assertThat(TextIndex.of(List.of(new Entry<>("none", List.of()))).search("file")).isEmpty();
    }

    @Test
    void a_query_has_a_bounded_number_of_words() {
        var filler = new StringBuilder();
        for (var number = 1; number < TextIndex.QUERY_WORDS_MAX; number++) {
            filler.append("w").append(number).append(' ');
        }
        assertThat(found(INDEX, filler + "mail")).containsExactly("send_mail");
        assertThat(found(INDEX, filler + "w0 mail")).isEmpty();
    }
}
