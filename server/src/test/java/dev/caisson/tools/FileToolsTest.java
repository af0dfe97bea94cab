package dev.caisson.tools;

import static dev.caisson.tools.ToolBench.structured;
import static dev.caisson.tools.ToolBench.text;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.broker.ToolResult;
import dev.caisson.call.Caller;
import dev.caisson.call.Change;
import dev.caisson.call.Content;
import dev.caisson.call.FakeCall;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.ResourceContents;
import dev.caisson.call.Scope;
import dev.caisson.json.Json;
import dev.caisson.sandbox.FakeRuns;
import dev.caisson.sandbox.Language;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class FileToolsTest extends ToolsTestCase {
    private static final Caller OTHER =
            new Caller("key:other", "other", Set.of(Scope.values()), Set.of());
    private static final byte[] PNG = {(byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0, 1, 2};

    FileToolsTest() {
        super(Language.PYTHON);
    }

    private static ObjectNode file(String path) {
        return Json.object().put("source", "thread").put("id", "t").put("path", path);
    }

    private ToolResult call(String tool, ObjectNode arguments) throws InterruptedException {
        return bench.call(FakeCall.by(Caller.LOCAL), tool, arguments);
    }

    private void upload(String path, byte[] content) throws InterruptedException {
        var arguments =
                file(path)
                        .put("content", Base64.getEncoder().encodeToString(content))
                        .put("encoding", "base64");
        assertThat(call("files_upload", arguments).failed()).isFalse();
    }

    @Test
    void a_text_comes_back_as_it_was_stored() throws Exception {
        var stored = call("files_upload", file("a/b.csv").put("content", "ä,2\n"));

        assertThat(structured(stored).get("size").intValue()).isEqualTo(5);
        assertThat(structured(stored).get("media_type").stringValue()).isEqualTo("text/csv");
        var download = call("files_download", file("a/b.csv"));
        assertThat(text(download)).isEqualTo("ä,2\n");
        assertThat(download.failed()).isFalse();
        assertThat(text(call("files_download", file("/workspace/a/b.csv")))).isEqualTo("ä,2\n");
    }

    @Test
    void a_client_that_knows_conversations_stores_by_its_own_names() throws Exception {
        var arguments =
                Json.object()
                        .put("conversationId", "t")
                        .put("filename", "in/data.bin")
                        .put("content", Base64.getEncoder().encodeToString(PNG));

        var stored = structured(call("upload_file", arguments));

        assertThat(stored.get("size").intValue()).isEqualTo(PNG.length);
        var listed = structured(call("files_list", file("in")));
        assertThat(listed.toString()).contains("data.bin");
        assertThat(bench.broker.tools(Caller.LOCAL))
                .noneMatch(spec -> spec.name().equals("upload_file"));
    }

    @Test
    void the_other_form_of_a_tool_is_refused_as_the_tool_itself() {
        var arguments =
                Json.object().put("conversationId", "t").put("filename", "f").put("content", "%%");
        assertThatThrownBy(() -> call("upload_file", arguments))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("base64");
        assertThatThrownBy(() -> call("upload_file", file("f")))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("The arguments of upload_file")
                .hasMessageContaining("conversationId");
        for (var toolsets : List.of(Set.of("core"), Set.<String>of())) {
            var scopes = toolsets.isEmpty() ? Set.of(Scope.RUN) : Set.of(Scope.values());
            var caller = FakeCall.by(new Caller("key:x", "x", scopes, toolsets));
            assertThatThrownBy(() -> bench.call(caller, "upload_file", arguments))
                    .isInstanceOfSatisfying(
                            Refusal.class,
                            refusal -> assertThat(refusal.reason()).isEqualTo(Reason.UNKNOWN_TOOL));
        }
    }

    @Test
    void an_image_is_shown_when_it_is_one() throws Exception {
        upload("plot.png", PNG);
        upload("liar.png", "not an image".getBytes(UTF_8));

        assertThat(call("files_download", file("plot.png")).content())
                .containsExactly(
                        new Content.Image(Base64.getEncoder().encodeToString(PNG), "image/png"));
        assertThat(text(call("files_download", file("liar.png")))).isEqualTo("not an image");
    }

    @Test
    void what_is_too_large_or_binary_is_an_error_with_the_way_to_it() throws Exception {
        bench.links.servedAt("https://caisson.example.org/");
        upload("fits", "x".repeat(FilesDownload.BYTES_MAX).getBytes(UTF_8));
        upload("large", "x".repeat(FilesDownload.BYTES_MAX + 1).getBytes(UTF_8));
        upload("data.bin", new byte[] {0, 1, 2});

        assertThat(call("files_download", file("fits")).failed()).isFalse();
        for (var path : List.of("large", "data.bin")) {
            var result = call("files_download", file(path));
            assertThat(result.failed()).isTrue();
            assertThat(text(result)).contains("POST /v1/files/download");
            var link = (Content.Link) result.content().getLast();
            assertThat(link.uri())
                    .startsWith("https://caisson.example.org/files/t/" + path + "?exp=");
            assertThat(structured(result).get("url").stringValue()).isEqualTo(link.uri());
        }
    }

    @Test
    void every_listed_file_can_be_downloaded_and_deleted_by_its_path() throws Exception {
        for (var path : List.of("a", "b c/d%.txt", "b c/%FF%0A", "ü/%41", "deep/er/x")) {
            upload(path, "content".getBytes(UTF_8));
        }
        var listed =
                structured(
                        call(
                                "files_list",
                                Json.object()
                                        .put("source", "thread")
                                        .put("id", "t")
                                        .put("recursive", true)));

        var files =
                listed.get("files")
                        .valueStream()
                        .filter(item -> !item.get("is_directory").booleanValue())
                        .map(item -> item.get("path").stringValue())
                        .toList();
        assertThat(files).hasSize(5);
        for (var path : files) {
            assertThat(text(call("files_download", file(path)))).isEqualTo("content");
            assertThat(structured(call("files_delete", file(path))).get("deleted").intValue())
                    .isEqualTo(1);
        }
        assertThat(listed.get("complete").booleanValue()).isTrue();
    }

    @Test
    void pages_go_on_where_the_last_one_ended() throws Exception {
        upload("a", PNG);
        upload("b", PNG);
        var list = Json.object().put("source", "thread").put("id", "t").put("limit", 1);

        var first = structured(call("files_list", list));
        var cursor = first.get("next_cursor").stringValue();
        var second = structured(call("files_list", list.deepCopy().put("cursor", cursor)));

        assertThat(first.get("files").get(0).get("path").stringValue()).isEqualTo("a");
        assertThat(second.get("files").get(0).get("path").stringValue()).isEqualTo("b");
        assertThat(second.hasNonNull("next_cursor")).isFalse();
    }

    @Test
    void the_threads_of_others_are_not_there() throws Exception {
        upload("a", PNG);

        for (var tool : List.of("files_list", "files_download", "files_delete")) {
            assertThatThrownBy(() -> bench.call(FakeCall.by(OTHER), tool, file("a")))
                    .isInstanceOfSatisfying(
                            Refusal.class,
                            refusal -> assertThat(refusal.reason()).isEqualTo(Reason.NOT_FOUND));
        }
        assertThat(bench.broker.resources(OTHER, Optional.empty(), 10).resources()).isEmpty();
    }

    @Test
    void a_tool_is_seen_with_its_scope_alone() {
        var reader = new Caller("key:r", "r", Set.of(Scope.FILES_READ), Set.of());

        assertThat(bench.broker.tool(reader, "files_list")).isPresent();
        assertThat(bench.broker.tool(reader, "files_download")).isPresent();
        assertThat(bench.broker.tool(reader, "files_upload")).isEmpty();
        assertThat(bench.broker.tool(reader, "files_delete")).isEmpty();
    }

    @Test
    void hints_say_what_the_tools_do() {
        assertThat(bench.spec("files_list").hints().readOnly()).isTrue();
        assertThat(bench.spec("files_download").hints().readOnly()).isTrue();
        assertThat(bench.spec("files_download").hints().idempotent()).isTrue();
        assertThat(bench.spec("files_upload").hints().readOnly()).isFalse();
        assertThat(bench.spec("files_delete").hints().destructive()).isTrue();
    }

    @Test
    void a_file_is_changed_by_whoever_read_it_as_it_is_now() throws Exception {
        var first = structured(call("files_upload", expecting("a.txt", "one", "none")));
        var read = structured(call("files_download", file("a.txt"))).get("file");
        var hash = read.get("hash").stringValue();
        assertThat(hash).matches("sha256:[0-9a-f]{64}").isEqualTo(first.get("hash").stringValue());

        call("files_upload", expecting("a.txt", "two", hash));
        for (var late : List.of(hash, "none")) {
            assertChanged(() -> call("files_upload", expecting("a.txt", "three", late)));
        }
        assertChanged(() -> call("files_delete", file("a.txt").put("expected_hash", hash)));
        assertThat(text(call("files_download", file("a.txt")))).isEqualTo("two");

        var now = structured(call("files_download", file("a.txt"))).get("file").get("hash");
        call("files_delete", file("a.txt").put("expected_hash", now.stringValue()));
        assertThatThrownBy(() -> call("files_upload", expecting("a.txt", "x", "sha256:short")))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> assertThat(refusal.reason()).isEqualTo(Reason.INVALID_ARGUMENT));
    }

    private static ObjectNode expecting(String path, String content, String expected) {
        return file(path).put("content", content).put("expected_hash", expected);
    }

    private static void assertChanged(ThrowingCallable act) {
        assertThatThrownBy(act)
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> {
                            assertThat(refusal.reason()).isEqualTo(Reason.CHANGED);
                            assertThat(refusal.reason().retryable()).isFalse();
                            assertThat(refusal.sentence()).contains("a.txt", "Nothing was done");
                        });
    }

    @Test
    void content_that_is_not_base64_is_refused_and_nothing_is_stored() throws Exception {
        upload("a", PNG);
        assertThatThrownBy(() ->
                        call(
                                "files_upload",
                                file("b").put("content", "?").put("encoding", "base64")))
                .isInstanceOf(Refusal.class);
        assertThatThrownBy(() -> call("files_download", file("b"))).isInstanceOf(Refusal.class);
    }

    @Test
    void a_thread_and_its_files_are_resources() throws Exception {
        upload("a b/c.txt", "hello".getBytes(UTF_8));
        upload("raw", new byte[] {0, 1});

        assertThat(bench.broker.resources(Caller.LOCAL, Optional.empty(), 10).resources())
                .extracting(resource -> resource.uri())
                .containsExactly("caisson://thread/t");
        assertThat(read("caisson://thread/t"))
                .isInstanceOfSatisfying(
                        ResourceContents.Text.class,
                        list -> assertThat(list.text()).contains("caisson://thread/t/a%20b/c.txt"));
        assertThat(read("caisson://thread/t/a%20b/c.txt"))
                .isEqualTo(
                        new ResourceContents.Text(
                                "caisson://thread/t/a%20b/c.txt", "text/plain", "hello"));
        assertThat(read("caisson://thread/t/raw")).isInstanceOf(ResourceContents.Blob.class);
    }

    private ResourceContents read(String uri) throws InterruptedException {
        return bench.broker.read(FakeCall.by(Caller.LOCAL), uri).getFirst();
    }

    @Test
    void those_who_listen_hear_of_changes_that_concern_them() throws Exception {
        var mine = new ArrayList<String>();
        var others = new ArrayList<Change>();
        try (var _ = bench.changes.listen(Caller.LOCAL, change -> note(mine, change));
                var _ = bench.changes.listen(OTHER, others::add)) {
            upload("a", PNG);
            call("files_delete", file("a"));
        }
        assertThat(mine)
                .containsExactly(
                        "caisson://thread/t",
                        "caisson://thread/t/a",
                        "caisson://thread/t",
                        "caisson://thread/t/a");
        assertThat(others).isEmpty();
    }

    @Test
    void a_run_that_changes_a_file_is_heard_of() throws Exception {
        var mine = new ArrayList<String>();
        runs.does(run -> {
            Files.writeString(FakeRuns.workspace(run).resolve("out.txt"), "1");
            return FakeRuns.SUCCESS;
        });
        try (var _ = bench.changes.listen(Caller.LOCAL, change -> note(mine, change))) {
            call("sandbox_execute", Json.object().put("code", "x").put("thread_id", "t"));
        }
        assertThat(mine).containsExactly("caisson://thread/t", "caisson://thread/t/out.txt");
    }

    private static void note(List<String> heard, Change change) {
        if (change instanceof Change.ResourceUpdated updated) {
            heard.add(updated.uri());
        }
    }
}
