package dev.caisson.egress;

import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Optional;

/// Head of an HTTP message, as a proxy reads it and passes it on.
final class MessageHead {
    private static final String END = "\r\n\r\n";

    private MessageHead() {}

    /// Reads one, with the empty line at its end; empty when it has none within so many bytes.
    static Optional<String> read(InputStream in, int bytesMax) throws IOException {
        var head = new StringBuilder();
        while (head.indexOf(END, Math.max(0, head.length() - END.length())) < 0) {
            int next = in.read();
            if (next < 0 || head.length() >= bytesMax) {
                return Optional.empty();
            }
            head.append((char) next);
        }
        return Optional.of(head.toString());
    }

    /// The fields that are not about one connection alone, each with the end of its line.
    static String endToEnd(String fields) {
        return fields.lines()
                .filter(field -> !isOfConnection(field))
                .reduce("", (all, field) -> all + field + "\r\n");
    }

    private static boolean isOfConnection(String field) {
        var name = field.toLowerCase(Locale.ROOT);
        return name.isEmpty()
                || name.startsWith("proxy-")
                || name.startsWith("connection:")
                || name.startsWith("keep-alive:");
    }

    /// The head of an answer, with the word that its connection ends after it: one request goes
    /// over one connection, and a server that ends it need not say so.
    static String closing(String head) {
        int line = head.indexOf("\r\n") + 2;
        return head.substring(0, line) + endToEnd(head.substring(line)) + "Connection: close" + END;
    }

    /// Whether another head follows that of an answer.
    static boolean isInterim(String head) {
        return head.matches("(?s)HTTP/1\\.[01] 1\\d\\d\\D.*");
    }
}
