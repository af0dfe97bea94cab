package dev.caisson.broker;

import dev.caisson.call.Content;
import dev.caisson.call.ResourceContents;
import dev.caisson.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/// Result of a tool as one value, for programs: the structured value if there is one, otherwise
/// what its content says.
///
/// | the tool gave | data |
/// |---|---|
/// | a failure | null, and [#failure()] has its text |
/// | a structured value that is not null | that |
/// | one text that is a JSON object or array | that, parsed |
/// | texts | one text, with newlines between |
/// | anything else | a list of texts and objects; binary content is named by its path |
/// | nothing | null |
///
/// @param data the value
/// @param warnings about parts that could not be used, as sentences
/// @param files binary content, which whoever hands the value over writes
/// @param failure the text of a tool that failed
public record NormalResult(
        JsonNode data, List<String> warnings, List<BinaryFile> files, Optional<String> failure) {
    /// How much of the text of a failure is told, in bytes of UTF-8.
    public static final int FAILURE_BYTES_MAX = 4_096;

    private static final String NO_TEXT = "The tool failed and said nothing.";

    private static final Map<String, String> ENDINGS =
            Map.ofEntries(
                    Map.entry("image/png", "png"),
                    Map.entry("image/jpeg", "jpg"),
                    Map.entry("image/gif", "gif"),
                    Map.entry("image/webp", "webp"),
                    Map.entry("image/svg+xml", "svg"),
                    Map.entry("audio/mpeg", "mp3"),
                    Map.entry("audio/wav", "wav"),
                    Map.entry("audio/ogg", "ogg"),
                    Map.entry("application/pdf", "pdf"),
                    Map.entry("application/zip", "zip"));

    public NormalResult {
        warnings = List.copyOf(warnings);
        files = List.copyOf(files);
    }

    /// Binary content of a result.
    ///
    /// @param path where it belongs; the value names it so
    /// @param data base64, valid
    public record BinaryFile(String path, String mimeType, String data) {}

    /// With files that have names and no directory.
    public static NormalResult of(ToolResult result) {
        return of(result, "");
    }

    /// @param prefix of the paths of its files, such as `/tmp/tools/7-`
    public static NormalResult of(ToolResult result, String prefix) {
        return result.failed() ? failed(result) : new Reading(prefix).of(result);
    }

    private static NormalResult failed(ToolResult result) {
        var text = joined(result.content());
        var told = text.isBlank() ? NO_TEXT : cut(text);
        return new NormalResult(NullNode.getInstance(), List.of(), List.of(), Optional.of(told));
    }

    private static String joined(List<Content> content) {
        return String.join(
                "\n",
                content.stream()
                        .filter(Content.Text.class::isInstance)
                        .map(item -> ((Content.Text) item).text())
                        .toList());
    }

    /// No character is cut in two.
    private static String cut(String text) {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= FAILURE_BYTES_MAX) {
            return text;
        }
        int end = FAILURE_BYTES_MAX - "…".getBytes(StandardCharsets.UTF_8).length;
        while ((bytes[end] & 0xc0) == 0x80) {
            end--;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8) + "…";
    }

    /// Reads one result that did not fail.
    private static final class Reading {
        private final String prefix;
        private final List<String> warnings = new ArrayList<>();
        private final List<BinaryFile> files = new ArrayList<>();

        Reading(String prefix) {
            this.prefix = prefix;
        }

        NormalResult of(ToolResult result) {
            var items = items(result.content());
            var structured = result.structured().filter(value -> !value.isNull());
            var data = structured.orElseGet(() -> data(result.content(), items));
            BrokenPromise.in(result).ifPresent(broken -> warnings.add(broken.sentence()));
            return new NormalResult(data, warnings, files, Optional.empty());
        }

        private static JsonNode data(List<Content> content, ArrayNode items) {
            if (content.isEmpty()) {
                return NullNode.getInstance();
            }
            if (!content.stream().allMatch(Content.Text.class::isInstance)) {
                return items;
            }
            var text = joined(content);
            var parsed = content.size() == 1 ? parsed(text) : Optional.<JsonNode>empty();
            return parsed.orElseGet(() -> Json.tree(text));
        }

        /// Only what is a value of many parts: a text such as `007` is no number.
        private static Optional<JsonNode> parsed(String text) {
            var start = text.stripLeading();
            if (!start.startsWith("{") && !start.startsWith("[")) {
                return Optional.empty();
            }
            try {
                return Optional.of(Json.parse(text));
            } catch (JacksonException noJson) {
                return Optional.empty();
            }
        }

        private ArrayNode items(List<Content> content) {
            var list = Json.array();
            content.forEach(item -> add(list, item));
            return list;
        }

        private void add(ArrayNode list, Content item) {
            switch (item) {
                case Content.Text(var text) -> list.add(text);
                case Content.Image(var data, var type) -> list.add(binary("image", data, type));
                case Content.Audio(var data, var type) -> list.add(binary("audio", data, type));
                case Content.Output(var data) -> list.add(data);
                case Content.Embedded(var resource) -> list.add(embedded(resource));
                case Content.Link link ->
                        list.add(
                                Json.object()
                                        .put("type", "resource_link")
                                        .put("uri", link.uri())
                                        .put("name", link.name()));
            }
        }

        private ObjectNode embedded(ResourceContents resource) {
            return switch (resource) {
                case ResourceContents.Text(var uri, var type, var text) ->
                        Json.object()
                                .put("type", "resource")
                                .put("uri", uri)
                                .put("mime_type", type)
                                .put("text", text);
                case ResourceContents.Blob(var uri, var type, var blob) ->
                        binary("resource", blob, type).put("uri", uri);
            };
        }

        /// What is no base64 has no file, and a warning.
        private ObjectNode binary(String kind, String data, String mimeType) {
            var item = Json.object().put("type", kind);
            try {
                int bytes = decoded(data).length;
                var path = "%s%d.%s".formatted(prefix, files.size() + 1, ending(mimeType));
                files.add(new BinaryFile(path, mimeType, data));
                return item.put("path", path).put("mime_type", mimeType).put("bytes", bytes);
            } catch (IllegalArgumentException broken) {
                warnings.add("A part of type %s was no base64 and was left out.".formatted(kind));
                return item.put("mime_type", mimeType);
            }
        }

        /// Lines in it are nothing to complain of; anything else that is no digit is.
        private static byte[] decoded(String data) {
            return Base64.getDecoder().decode(data.replace("\r", "").replace("\n", ""));
        }

        private static String ending(String mimeType) {
            var type = mimeType.toLowerCase(Locale.ROOT);
            int parameters = type.indexOf(';');
            return ENDINGS.getOrDefault(
                    parameters < 0 ? type : type.substring(0, parameters).strip(), "bin");
        }
    }
}
