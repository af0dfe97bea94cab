package dev.caisson.console;

import dev.caisson.call.Digests;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// One static file of the console, plain and compressed.
final class SiteFile {
    private static final Map<String, String> MEDIA_TYPES =
            Map.of(
                    "html", "text/html; charset=utf-8",
                    "js", "text/javascript; charset=utf-8",
                    "css", "text/css; charset=utf-8",
                    "svg", "image/svg+xml");

    private final String mediaType;
    private final Map<Coding, byte[]> forms;
    private final String tag;

    /// @param forms with [Coding#NONE] among them
    SiteFile(String name, Map<Coding, byte[]> forms) {
        var ending = name.substring(name.lastIndexOf('.') + 1);
        this.mediaType = MEDIA_TYPES.getOrDefault(ending, "application/octet-stream");
        this.forms = Map.copyOf(forms);
        this.tag = tag(bytes(Coding.NONE));
    }

    String mediaType() {
        return mediaType;
    }

    /// The same for every coding, and weak because of it.
    String tag() {
        return tag;
    }

    Set<Coding> codings() {
        return forms.keySet();
    }

    byte[] bytes(Coding coding) {
        return Optional.ofNullable(forms.get(coding)).orElseThrow();
    }

    private static String tag(byte[] bytes) {
        return "W/\"" + HexFormat.of().formatHex(Digests.sha256(bytes), 0, 12) + "\"";
    }
}
