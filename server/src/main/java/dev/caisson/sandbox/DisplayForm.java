package dev.caisson.sandbox;

import dev.caisson.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// One form in which a program shows the value of its last expression, as text. It is the word of
/// the program, as is its media type: nobody may take it for more than text.
public record DisplayForm(String mediaType, String text) {
    /// How long the forms of one value may be together, as JSON in ASCII, in which a character may
    /// take twelve bytes.
    public static final int BYTES_MAX = 400 << 10;

    /// How long one form may be, in characters.
    static final int LENGTH_MAX = 24_000;

    private static final Set<String> TYPES = Set.of("text/plain", "text/html");

    /// The forms in a record of a guest, one of each type; what is none is left out.
    static List<DisplayForm> parse(JsonNode display) {
        var forms = new ArrayList<DisplayForm>();
        for (var form : display) {
            var type = form.path("media_type").asString("");
            var text = form.path("text").asString("");
            boolean known = TYPES.contains(type) && text.length() <= LENGTH_MAX;
            boolean twice = forms.stream().anyMatch(other -> other.mediaType().equals(type));
            if (known && !twice && Json.isWritable(form)) {
                forms.add(new DisplayForm(type, text));
            }
        }
        return List.copyOf(forms);
    }
}
