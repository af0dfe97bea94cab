package dev.caisson.egress;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// Head of a request in HTTP/1, read so strictly that no other reader can take it for another:
/// lines end with CR LF, no field goes on in the next line, none has space before its colon.
///
/// @param target as it was sent
record HttpHead(String method, String target, boolean isOld, List<Field> fields) {
    static final int BYTES_MAX = 16 << 10;
    static final int FIELDS_MAX = 100;
    static final int TARGET_LENGTH_MAX = 8_000;

    private static final String END = "\r\n\r\n";
    private static final Pattern LINE =
            Pattern.compile("([A-Z]{1,16}) ([\\x21-\\x7e]+) HTTP/1\\.([01])");
    private static final Pattern FIELD =
            Pattern.compile(
                    "([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \\t]*([\\t\\x20-\\x7e\\x80-\\xff]*?)[ \\t]*");

    record Field(String name, String value) {
        boolean is(String other) {
            return name.equalsIgnoreCase(other);
        }
    }

    HttpHead {
        fields = List.copyOf(fields);
    }

    /// @return empty when there is none
    /// @throws ProxyRefusal for what is none, or a longer one
    static Optional<HttpHead> read(InputStream in) throws IOException {
        var head = new StringBuilder();
        while (head.indexOf(END, Math.max(0, head.length() - END.length())) < 0) {
            int next = in.read();
            if (next < 0) {
                return Optional.empty();
            }
            if (head.length() >= BYTES_MAX) {
                throw new ProxyRefusal(
                        431,
                        NetworkVerdict.MALFORMED,
                        "the head of the request has more than %d bytes".formatted(BYTES_MAX));
            }
            head.append((char) next);
        }
        return Optional.of(of(head.substring(0, head.length() - END.length())));
    }

    private static HttpHead of(String text) throws ProxyRefusal {
        var lines = text.split("\r\n", -1);
        var line = LINE.matcher(lines[0]);
        if (!line.matches()) {
            throw ProxyRefusal.malformed("not a request to a proxy");
        }
        if (line.group(2).length() > TARGET_LENGTH_MAX) {
            throw ProxyRefusal.malformed(
                    "the address has more than %d characters".formatted(TARGET_LENGTH_MAX));
        }
        if (lines.length - 1 > FIELDS_MAX) {
            throw ProxyRefusal.malformed("more than %d headers".formatted(FIELDS_MAX));
        }
        var fields = new ArrayList<Field>();
        for (int i = 1; i < lines.length; i++) {
            var field = FIELD.matcher(lines[i]);
            if (!field.matches()) {
                throw ProxyRefusal.malformed("a header is not one name, a colon and a value");
            }
            fields.add(new Field(field.group(1), field.group(2)));
        }
        return new HttpHead(line.group(1), line.group(2), line.group(3).equals("0"), fields);
    }

    /// The value of a field that may stand there once.
    Optional<String> only(String name) throws ProxyRefusal {
        var values = fields.stream().filter(field -> field.is(name)).map(Field::value).toList();
        if (values.size() > 1) {
            throw ProxyRefusal.malformed(
                    "the header " + name.toLowerCase(Locale.ROOT) + " stands there twice");
        }
        return values.stream().findFirst();
    }
}
