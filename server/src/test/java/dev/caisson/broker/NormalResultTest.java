package dev.caisson.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.caisson.call.Content;
import dev.caisson.call.ResourceContents;
import dev.caisson.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;

final class NormalResultTest {
    private static ToolResult of(Content... content) {
        return new ToolResult(List.of(content), Optional.empty(), false);
    }

    private static JsonNode data(Content... content) {
        return NormalResult.of(of(content)).data();
    }

    @Test
    void prefersTheStructuredValue() {
        var value = Json.object().put("rows", 3);
        var both = new ToolResult(List.of(Content.text("three rows")), Optional.of(value), false);
        assertEquals(value, NormalResult.of(both).data());
        var none =
                new ToolResult(
                        List.of(Content.text("text")), Optional.of(NullNode.getInstance()), false);
        assertEquals("text", NormalResult.of(none).data().stringValue());
    }

    @Test
    void parsesOneTextThatIsAnObjectOrAnArrayAndNothingElse() {
        assertEquals(Json.parse("{\"a\":[1]}"), data(Content.text(" {\"a\":[1]}")));
        assertEquals(Json.parse("[1,2]"), data(Content.text("[1,2]")));
        for (var text : List.of("007", "true", "null", "\"a\"", "{a}", "[1", "[1] and more", "")) {
            assertEquals(Json.tree(text), data(Content.text(text)));
        }
        var deep = "[".repeat(Json.DEPTH_MAX + 1) + "]".repeat(Json.DEPTH_MAX + 1);
        assertEquals(Json.tree(deep), data(Content.text(deep)));
    }

    @Test
    void joinsTextsAndMakesAListOfAnythingElse() {
        assertEquals("{}\nb", data(Content.text("{}"), Content.text("b")).stringValue());
        assertEquals(NullNode.getInstance(), data());
        var mixed =
                NormalResult.of(
                        of(
                                Content.text("seen"),
                                new Content.Image("aGk=", "image/png"),
                                new Content.Embedded(
                                        new ResourceContents.Blob("x:1", "a/b; c=d", "aGk=")),
                                new Content.Embedded(
                                        new ResourceContents.Text("x:2", "text/plain", "hi")),
                                new Content.Link(
                                        "file:///etc/passwd",
                                        "link",
                                        Optional.empty(),
                                        Optional.empty(),
                                        Optional.empty())),
                        "/tmp/tools/7-");
        assertEquals(
                Json.parse(
                        """
                        ["seen",
                         {"type":"image","path":"/tmp/tools/7-1.png","mime_type":"image/png","bytes":2},
                         {"type":"resource","path":"/tmp/tools/7-2.bin","mime_type":"a/b; c=d","bytes":2,
                          "uri":"x:1"},
                         {"type":"resource","uri":"x:2","mime_type":"text/plain","text":"hi"},
                         {"type":"resource_link","uri":"file:///etc/passwd","name":"link"}]
                        """),
                mixed.data());
        assertEquals(
                List.of(
                        new NormalResult.BinaryFile("/tmp/tools/7-1.png", "image/png", "aGk="),
                        new NormalResult.BinaryFile("/tmp/tools/7-2.bin", "a/b; c=d", "aGk=")),
                mixed.files());
    }

    @Test
    void noUpstreamChoosesTheEndingOfAFile() {
        var evil = NormalResult.of(of(new Content.Image("aGk=", "image/../../x")), "p");
        assertEquals("p1.bin", evil.files().getFirst().path());
    }

    @Test
    void whatIsNoBase64IsLeftOutWithAWarning() {
        var broken = NormalResult.of(of(new Content.Audio("not base64!", "audio/wav")));
        assertTrue(broken.files().isEmpty());
        assertEquals(1, broken.warnings().size());
        assertEquals(
                Json.parse("[{\"type\":\"audio\",\"mime_type\":\"audio/wav\"}]"), broken.data());
    }

    @Test
    void aFailureHasItsTextAndNoData() {
        var failed =
                NormalResult.of(
                        new ToolResult(
                                List.of(Content.text("no such row")),
                                Optional.of(Json.object().put("rows", 1)),
                                true));
        assertEquals(Optional.of("no such row"), failed.failure());
        assertEquals(NullNode.getInstance(), failed.data());
        var silent = NormalResult.of(new ToolResult(List.of(), Optional.empty(), true));
        assertTrue(silent.failure().isPresent());
    }

    @Test
    void theTextOfAFailureIsCutWhereACharacterEnds() {
        int most = NormalResult.FAILURE_BYTES_MAX;
        var whole = "x".repeat(most);
        assertEquals(whole, NormalResult.of(ToolResult.failure(whole)).failure().orElseThrow());
        var cut = NormalResult.of(ToolResult.failure("é".repeat(most))).failure().orElseThrow();
        assertTrue(cut.endsWith("é…"));
        assertTrue(cut.getBytes(StandardCharsets.UTF_8).length <= most);
    }
}
