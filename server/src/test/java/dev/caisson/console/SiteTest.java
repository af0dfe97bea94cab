package dev.caisson.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The console as it was built into the class path.
@Tag("browser")
class SiteTest {
    private static final long COMPRESSED_BYTES_MAX = 350 << 10;

    private final Site site = Site.built();

    @Test
    void all_of_it_is_small() {
        long bytes = 0;
        for (var name : site.names()) {
            var file = site.find(name).orElseThrow();
            bytes +=
                    file.codings().stream()
                            .map(file::bytes)
                            .mapToLong(form -> form.length)
                            .min()
                            .orElseThrow();
        }
        System.out.printf(
                "the console: %d files, %d KiB packed%n", site.names().size(), bytes >> 10);
        assertThat(site.names()).hasSizeGreaterThanOrEqualTo(5);
        assertThat(bytes).isGreaterThan(50 << 10).isLessThan(COMPRESSED_BYTES_MAX);
    }

    /// For clients that do not know the better packing.
    @Test
    void it_is_also_small_for_gzip() {
        long bytes =
                site.names().stream()
                        .map(site::find)
                        .flatMap(Optional::stream)
                        .mapToLong(file ->
                                Stream.of(Coding.GZIP, Coding.NONE)
                                        .filter(file.codings()::contains)
                                        .map(file::bytes)
                                        .map(form -> form.length)
                                        .min(Comparator.naturalOrder())
                                        .orElseThrow())
                        .sum();
        assertThat(bytes).isLessThan(COMPRESSED_BYTES_MAX);
    }

    @Test
    void the_page_has_no_script_of_its_own_and_names_no_other_server() {
        var page =
                new String(
                        site.find("index.html").orElseThrow().bytes(Coding.NONE),
                        StandardCharsets.UTF_8);
        assertThat(page).contains("<script type=\"module\" crossorigin src=\"/assets/");
        assertThat(page).doesNotContain("http:", "https:", "//", "<style", "onload=", "style=");
        assertThat(page.split("<script", -1)).hasSize(2);
    }

    @Test
    void names_of_assets_change_with_their_content() {
        var assets = site.names().stream().filter(name -> name.startsWith("assets/")).toList();
        assertThat(assets).hasSizeGreaterThanOrEqualTo(3);
        assertThat(assets).allMatch(name -> name.matches("assets/[\\w.-]+-[\\w-]{8}\\.\\w+"));
    }
}
