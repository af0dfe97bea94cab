package dev.caisson.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.share.TestWorkers;
import dev.caisson.storage.link.Link;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinksTest {
    private static final Caller ALICE = new Caller("key:alice", "Alice", Set.of(), Set.of());
    private static final Caller BOB = new Caller("key:bob", "Bob", Set.of(), Set.of());
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir Path root;
    private final List<String> holders = new ArrayList<>();
    private FileSpaces spaces;
    private Links links;

    @BeforeEach
    void start() throws Exception {
        var maker = new NotingMaker(new DirectoryWorkspaces(Optional.empty()), holders);
        spaces = TestSpaces.in(root, new Threads(root, maker, TestWorkers.WORKERS), maker);
        links = links(NOW, "the first secret");
        write(ALICE, "t", "a/b.txt");
        write(BOB, "t", "a/b.txt");
    }

    private static FileTree open(Links links, Links.Presented link, UnaryOperator<String> holder) {
        return links.open(links.check(link), holder);
    }

    private static String holder(String maker) {
        return "links of " + maker;
    }

    private Links links(Instant now, String... secrets) {
        var made =
                new Links(
                        spaces,
                        new LinkKeys(List.of(secrets)),
                        Duration.ofHours(1),
                        Clock.fixed(now, ZoneOffset.UTC));
        made.servedAt("https://h");
        return made;
    }

    private void write(Caller caller, String thread, String path) throws Exception {
        try (var files = spaces.open(caller, FileSpace.thread(thread), VolumeAccess.WRITE);
                var upload =
                        files.upload(FilePath.parse(path, "/workspace"), Expected.anything())) {
            upload.write(ByteBuffer.wrap(caller.name().getBytes(UTF_8)));
            upload.commit();
        }
    }

    private static FilePath path(String text) {
        return FilePath.parse(text, "/workspace");
    }

    private String url(Caller caller, String thread, String path) {
        return links.toFetch(caller, FileSpace.thread(thread), path(path)).orElseThrow().url();
    }

    /// As the listener takes it apart.
    private static Links.Presented presented(String url, boolean storing) {
        var uri = URI.create(url);
        Map<String, String> query = new HashMap<>();
        Arrays.stream(uri.getRawQuery().split("&"))
                .map(part -> part.split("=", 2))
                .forEach(part -> query.put(part[0], part[1]));
        return new Links.Presented(
                uri.getRawPath() + "?" + uri.getRawQuery(),
                (query.containsKey("exp")
                                ? LinkAddress.parse(uri.getPath())
                                : LinkAddress.parseLasting(uri.getRawPath()))
                        .orElseGet(() -> LinkAddress.parse(uri.getPath()).orElseThrow()),
                storing,
                Optional.ofNullable(query.get("exp")),
                Optional.ofNullable(query.get("kid")),
                Optional.ofNullable(query.get("at")),
                Optional.ofNullable(query.get("sig")));
    }

    private static String content(FileTree files, String path) throws Exception {
        try (files;
                var content = files.read(path(path))) {
            return new String(content.atMost(100).orElseThrow(), UTF_8);
        }
    }

    private static void assertForbidden(Links links, Links.Presented link) {
        assertThatThrownBy(() -> open(links, link, LinksTest::holder).close())
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> assertThat(refusal.reason()).isEqualTo(Reason.FORBIDDEN));
    }

    @Test
    void a_link_opens_the_file_of_the_caller_it_was_made_for() throws Exception {
        assertThat(
                        content(
                                open(
                                        links,
                                        presented(url(ALICE, "t", "a/b.txt"), false),
                                        LinksTest::holder),
                                "a/b.txt"))
                .isEqualTo("Alice");
        assertThat(
                        content(
                                open(
                                        links,
                                        presented(url(BOB, "t", "a/b.txt"), false),
                                        LinksTest::holder),
                                "a/b.txt"))
                .isEqualTo("Bob");
    }

    @Test
    void nothing_about_a_link_can_be_changed() {
        var url = url(ALICE, "t", "a/b.txt");
        var bobs = presented(url(BOB, "t", "a/b.txt"), false).place().orElseThrow();
        var changed =
                List.of(
                        url.replace("/files/t/", "/files/u/"),
                        url.replace("b.txt", "c.txt"),
                        url.replace("/t/a/b.txt", "/t/a%2525/b.txt"),
                        url.replaceAll("exp=\\d+", "exp=9999999999"),
                        url.replaceAll("exp=\\d+", "exp=x"),
                        url.replaceAll("kid=\\w+", "kid=00000000"),
                        url.replaceAll("at=\\w+", "at=" + bobs),
                        url.replaceAll("sig=\\w+", "sig="),
                        url.replaceAll("sig=\\w+", "sig=" + "0".repeat(64)),
                        url.replaceAll("&sig=\\w+", ""),
                        url.replaceAll("exp=\\d+&", ""),
                        url.replace("/files/", "/volumes/"));

        assertThat(changed).hasSize(12).doesNotContain(url);
        changed.forEach(each -> assertForbidden(links, presented(each, false)));
    }

    @Test
    void a_link_has_one_spelling() throws Exception {
        write(ALICE, "t", "a~b (1).txt");
        var url = url(ALICE, "t", "a~b (1).txt");
        open(links, presented(url, false), LinksTest::holder).close();
        var others =
                List.of(
                        url.replace("exp=", "exp=0"),
                        url.replace("exp=", "exp=%2B"),
                        url.replace("exp=", "exp=+"),
                        url.replace("a~b", "a%7Eb"),
                        url.replace("a~b", "%61~b"),
                        url.replace("%20", "%2520"),
                        url.replace("%281%29", "(1)"),
                        url.replace("/files/t/", "/files/%74/"),
                        url.replace("/files/t/", "/files/%2574/"),
                        url.replace(".txt", "%2Etxt"),
                        url + "&x=1",
                        url.replace("?", "?x=1&"),
                        url + "&sig=0",
                        url.replaceAll("(exp=\\d+)&(kid=\\w+)", "$2&$1"));

        assertThat(others).doesNotContain(url).doesNotHaveDuplicates();
        others.forEach(each -> assertForbidden(links, presented(each, false)));
    }

    @Test
    void a_link_to_fetch_does_not_store_and_the_other_way_round() {
        assertForbidden(links, presented(url(ALICE, "t", "a/b.txt"), true));
        var store = links.toStore(ALICE, FileSpace.thread("t"), path("new")).orElseThrow();
        assertForbidden(links, presented(store.url(), false));
        open(links, presented(store.url(), true), LinksTest::holder).close();
    }

    /// Nobody knows who follows a link, but all links of one maker take from one share.
    @Test
    void files_are_opened_in_the_name_of_who_made_a_good_link() throws Exception {
        write(ALICE, "u", "a/b.txt");
        var link = presented(url(ALICE, "t", "a/b.txt"), false);
        var other = presented(url(ALICE, "u", "a/b.txt"), false);
        var bobs = presented(url(BOB, "t", "a/b.txt"), false);
        var asked = new AtomicInteger();
        UnaryOperator<String> counting =
                maker -> {
                    asked.incrementAndGet();
                    return holder(maker);
                };
        spaces.threads().close();
        holders.clear();

        for (var each : List.of(link, other, bobs)) {
            open(links, each, counting).close();
        }
        assertForbidden(links(NOW, "another secret"), link);

        assertThat(asked).hasValue(3);
        assertThat(holders).hasSize(3);
        assertThat(holders.get(0)).isEqualTo(holders.get(1)).isNotEqualTo(holders.get(2));
        assertThat(link.target()).doesNotContain(ALICE.id());
    }

    @Test
    void a_link_made_before_its_maker_was_in_it_still_leads_to_its_file() throws Exception {
        var keys = new LinkKeys(List.of("the first secret"));
        var place = Threads.place(ALICE, "t");
        var expires = NOW.plusSeconds(60).getEpochSecond();
        var old =
                new Link(
                        Link.Act.GET,
                        FileSpace.thread("t"),
                        place,
                        path("a/b.txt"),
                        expires,
                        keys.current());
        var signature =
                HexFormat.of().formatHex(keys.sign(keys.current(), old.signedText()).orElseThrow());
        var target =
                "/files/t/a/b.txt?exp=%d&kid=%s&at=%s&sig=%s"
                        .formatted(expires, keys.current(), place, signature);
        open(links, presented("http://x" + target, false), LinksTest::holder).close();
        assertForbidden(links, presented("http://x" + target.replace(place, place + "."), false));
    }

    @Test
    void a_link_expires() {
        var link = presented(url(ALICE, "t", "a/b.txt"), false);

        open(links(NOW.plusSeconds(3599), "the first secret"), link, LinksTest::holder).close();
        assertForbidden(links(NOW.plusSeconds(3600), "the first secret"), link);
    }

    @Test
    void a_secret_is_exchanged_while_links_are_about() {
        var link = presented(url(ALICE, "t", "a/b.txt"), false);

        open(links(NOW, "the second secret", "the first secret"), link, LinksTest::holder).close();
        assertForbidden(links(NOW, "the second secret"), link);
    }

    @Test
    void the_border_between_id_and_path_is_signed() throws Exception {
        write(ALICE, "a/b", "c");
        write(ALICE, "a", "b/c");
        var one = presented(url(ALICE, "a/b", "c"), false);
        var other = presented(url(ALICE, "a", "b/c"), false);

        assertThat(one.signature()).isNotEqualTo(other.signature());
        open(links, one, LinksTest::holder).close();
        open(links, other, LinksTest::holder).close();
    }

    @Test
    void odd_ids_and_names_survive_the_address() throws Exception {
        var odd = List.of("a/b", "..", ".", "conv 1", "ä;x", "50%41", "a\\b", "\u0001\n", "?#&=+*");
        assertThat(odd).hasSize(9);
        for (var id : odd) {
            var path = "d/a b+c%.txt;\\%FF%0A?";
            write(ALICE, id, path);
            var url = url(ALICE, id, path);
            assertThat(content(open(links, presented(url, false), LinksTest::holder), path))
                    .isEqualTo("Alice");
            assertThat(URI.create(url).getPath()).doesNotContain("\\").doesNotContain("/../");
        }
    }

    @Test
    void the_vectors_of_links_without_expiry_hold() throws Exception {
        var lasting = links(NOW, "another", "test-file-secret");
        var vectors =
                Map.of(
                        "/files/abc123/result.csv",
                        "f8cab09227591d213fcee20e7ca39dbced128689f3fa85931320382ebd797310",
                        "/files/conv%201/a%20b%2Bc%25.txt",
                        "f6ef940e535b8ca4036fa9fe78a209d6e34eeaebbd5089ec5f8951252cd6b585");
        write(ALICE, "abc123", "result.csv");
        write(ALICE, "conv 1", "a b+c%.txt");
        assertThat(vectors).hasSize(2);

        for (var vector : vectors.entrySet()) {
            var url = "https://h" + vector.getKey() + "?sig=" + vector.getValue();
            var link = presented(url, false);
            assertThat(
                            content(
                                    lasting.open(
                                            lasting.checkLasting(link, ALICE), LinksTest::holder),
                                    link.address().path().text()))
                    .isEqualTo("Alice");
            assertForbidden(lasting, link);
            var forged = presented(url.replace("=f", "=0"), false);
            assertThatThrownBy(() ->
                            lasting.open(lasting.checkLasting(forged, ALICE), LinksTest::holder))
                    .isInstanceOf(Refusal.class);
        }
    }

    /// The id of a thread may have a slash, which such a link escapes once. What is signed means
    /// one file: the last slash of it stands between thread and name.
    @Test
    void a_slash_in_the_id_of_a_link_without_expiry_is_escaped_once() throws Exception {
        var lasting = links(NOW, "test-file-secret");
        write(ALICE, "a/b", "c.txt");
        write(ALICE, "a%2Fb", "c.txt");
        assertThat(LinkAddress.parseLasting("/files/a%2Fb/c.txt").orElseThrow())
                .isEqualTo(new LinkAddress(FileSpace.thread("a/b"), path("c.txt")));
        assertThat(LinkAddress.parseLasting("/files/a%252Fb/c.txt").orElseThrow().space())
                .isEqualTo(FileSpace.thread("a%2Fb"));
        var url = "https://h/files/a%2Fb/c.txt?sig=" + hmac("test-file-secret", "a/b/c.txt");
        assertThat(
                        content(
                                lasting.open(
                                        lasting.checkLasting(presented(url, false), ALICE),
                                        LinksTest::holder),
                                "c.txt"))
                .isEqualTo("Alice");
        for (var other :
                List.of("/files/a/b/c.txt", "/files/a/b%2Fc.txt", "/files/a%2Fb", "/files//c")) {
            assertThat(LinkAddress.parseLasting(other)).as(other).isEmpty();
        }
        var twice = presented(url.replace("%2F", "%252F"), false);
        assertThatThrownBy(
                        () -> lasting.open(lasting.checkLasting(twice, ALICE), LinksTest::holder))
                .isInstanceOf(Refusal.class);
    }

    private static String hmac(String secret, String text) throws Exception {
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
        return HexFormat.of().formatHex(mac.doFinal(text.getBytes(UTF_8)));
    }

    @Test
    void without_a_listener_there_are_no_links() {
        var silent =
                new Links(
                        spaces,
                        new LinkKeys(List.of("the first secret")),
                        Links.LIFE_DEFAULT,
                        Clock.systemUTC());
        assertThat(silent.toFetch(ALICE, FileSpace.thread("t"), path("a/b.txt"))).isEmpty();
    }

    private String base(Links made, Caller caller, String thread) {
        return base(made, caller, thread, FilePath.ROOT);
    }

    private String base(Links made, Caller caller, String thread, FilePath directory) {
        var url = made.baseOf(caller, thread, directory, Duration.ofMinutes(5)).orElseThrow();
        assertThat(url).matches("https://h/run-files/[0-9a-f.-]+");
        return url.substring("https://h".length());
    }

    private static String content(Links made, String decoded) throws IOException {
        var below = made.checkBelow(decoded);
        try (var files = made.open(below.link(), LinksTest::holder);
                var content = files.read(below.path())) {
            return new String(content.atMost(100).orElseThrow(), UTF_8);
        }
    }

    private static void assertRefusedBelow(Links made, String decoded) {
        assertThatThrownBy(() -> made.checkBelow(decoded))
                .as(decoded)
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> assertThat(refusal.reason()).isEqualTo(Reason.FORBIDDEN));
    }

    @Test
    void below_a_base_are_the_files_of_one_thread_of_one_caller() throws Exception {
        write(ALICE, "t", "a%2541 ü");
        write(ALICE, "other", "x");

        assertThat(content(links, base(links, ALICE, "t") + "/a/b.txt")).isEqualTo("Alice");
        assertThat(content(links, base(links, BOB, "t") + "/a/b.txt")).isEqualTo("Bob");
        assertThat(content(links, base(links, ALICE, "t") + "/a%41 ü")).isEqualTo("Alice");
        assertThatThrownBy(() -> content(links, base(links, ALICE, "t") + "/x"))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> assertThat(refusal.reason()).isEqualTo(Reason.NOT_FOUND));
        for (var elsewhere : List.of("/../x", "/a/../../x", "//etc/passwd", "/a//b.txt", "/./a")) {
            assertThatThrownBy(() -> content(links, base(links, ALICE, "t") + elsewhere))
                    .as(elsewhere)
                    .isInstanceOf(Refusal.class);
        }
    }

    @Test
    void below_a_base_of_a_directory_are_its_files_alone() throws Exception {
        write(ALICE, "t", "src%FF ü/x/plot.svg");
        write(ALICE, "t", "outside");
        var base = base(links, ALICE, "t", path("src%FF ü"));

        assertThat(content(links, base + "/x/plot.svg")).isEqualTo("Alice");
        assertThat(content(links, base + "//x/plot.svg")).isEqualTo("Alice");
        for (var elsewhere :
                List.of("/outside", "/a/b.txt", "/src/x/plot.svg", "/../outside", "/", "/x")) {
            assertThatThrownBy(() -> content(links, base + elsewhere))
                    .as(elsewhere)
                    .isInstanceOf(Refusal.class);
        }
        var deep = base(links, ALICE, "t", path("n".repeat(199) + "/n".repeat(1947)));
        assertThatThrownBy(() -> content(links, deep + "/f"))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> assertThat(refusal.reason()).isEqualTo(Reason.NOT_FOUND));
        assertThatThrownBy(() -> content(links, deep + "/ff"))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> assertThat(refusal.reason()).isNotEqualTo(Reason.FORBIDDEN));
    }

    @Test
    void the_directory_of_a_base_cannot_be_taken_from_its_token_or_put_into_another() {
        var whole = base(links, ALICE, "t");
        var narrowed = base(links, ALICE, "t", path("a"));
        var cut = whole.length() - 65;
        assertThat(narrowed).startsWith(whole.substring(0, cut) + "-61-");
        var signature = narrowed.substring(cut + 3);
        for (var wrong :
                List.of(
                        whole.substring(0, cut) + signature,
                        whole.substring(0, cut) + "-" + signature,
                        whole.substring(0, cut) + "-62" + signature,
                        whole.substring(0, cut) + "-6" + signature,
                        whole.substring(0, cut) + "-61" + whole.substring(cut),
                        narrowed.replace("-61-", "-6161-"))) {
            assertRefusedBelow(links, wrong + "/b.txt");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a"})
    void nothing_about_the_token_of_a_base_can_be_changed(String directory) {
        var base = base(links, ALICE, "t", path(directory));
        var token = base.substring("/run-files/".length());
        for (var at = 0; at < token.length(); at++) {
            var other = token.charAt(at) == '0' ? '1' : '0';
            assertRefusedBelow(
                    links,
                    "/run-files/"
                            + token.substring(0, at)
                            + other
                            + token.substring(at + 1)
                            + "/a/b.txt");
        }
        for (var wrong :
                List.of(
                        token.toUpperCase(Locale.ROOT),
                        "0" + token,
                        token + "0",
                        token.substring(1),
                        "",
                        token.replace('-', '.'))) {
            assertRefusedBelow(links, "/run-files/" + wrong + "/a/b.txt");
        }
        assertRefusedBelow(links, base);
        assertRefusedBelow(links, base.replace("/run-files/", "/files/") + "/a/b.txt");
        assertRefusedBelow(links(NOW, "another secret"), base + "/a/b.txt");
    }

    @Test
    void a_base_ends_a_links_life_after_its_use() throws Exception {
        var base = base(links, ALICE, "t") + "/a/b.txt";
        var life = Duration.ofMinutes(65);
        assertThat(content(links(NOW.plus(life).minusSeconds(1), "the first secret"), base))
                .isEqualTo("Alice");
        assertRefusedBelow(links(NOW.plus(life), "the first secret"), base);
        assertThat(content(links(NOW, "a new secret", "the first secret"), base))
                .isEqualTo("Alice");
    }

    @Test
    void a_base_is_no_link_and_a_link_is_no_base() {
        var link = URI.create(url(ALICE, "t", "a/b.txt"));
        var query = presented(link.toString(), false);
        var token =
                String.join(
                        "-",
                        query.expires().orElseThrow(),
                        query.keyId().orElseThrow(),
                        query.place().orElseThrow(),
                        query.signature().orElseThrow());
        assertRefusedBelow(links, "/run-files/" + token + "/a/b.txt");
        var unserved =
                new Links(
                        spaces,
                        new LinkKeys(List.of("x")),
                        Duration.ofHours(1),
                        Clock.fixed(NOW, ZoneOffset.UTC));
        assertThat(unserved.baseOf(ALICE, "t", FilePath.ROOT, Duration.ZERO)).isEmpty();
    }
}
