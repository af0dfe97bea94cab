package dev.caisson.acceptance.transcript;

import dev.caisson.acceptance.wire.Connection;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The bytes of a request, from the lines that describe it.
final class RequestText {
    private static final String ABSENT = "(none)";

    private final Subject subject;
    private final Words words;

    RequestText(Subject subject, Words words) {
        this.subject = subject;
        this.words = words;
    }

    byte[] bytes(List<String> lines) {
        var first = words.fill(lines.getFirst());
        if (first.startsWith("raw: ")) {
            return raw(first.substring(5), lines.subList(1, lines.size()));
        }
        Map<String, String> headers = defaults(first);
        int at = 1;
        while (at < lines.size() && isHeader(lines.get(at))) {
            addHeader(headers, words.fill(lines.get(at)));
            at++;
        }
        headers.values().removeIf(ABSENT::equals);
        var body = words.fill(String.join("\n", lines.subList(at, lines.size())).strip());
        return Connection.request(
                first, new LinkedHashMap<>(headers), body.getBytes(StandardCharsets.UTF_8));
    }

    private byte[] raw(String first, List<String> rest) {
        var text = new StringBuilder(first).append("\r\n");
        rest.forEach(line -> text.append(words.fill(line)).append("\r\n"));
        return text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private Map<String, String> defaults(String line) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.put("Host", "localhost:" + subject.port());
        if (line.startsWith("POST")) {
            headers.put("Content-Type", "application/json");
            headers.put("Accept", "application/json, text/event-stream");
        } else {
            headers.put("Accept", "text/event-stream");
        }
        return headers;
    }

    private static boolean isHeader(String line) {
        return line.matches("[A-Za-z-]+:.*");
    }

    private void addHeader(Map<String, String> headers, String line) {
        var colon = line.indexOf(':');
        var name = line.substring(0, colon);
        var value = line.substring(colon + 1).replaceFirst("^ ", "");
        switch (name) {
            case "key" -> headers.put("Authorization", "Bearer " + subject.key(value));
            case "modern" -> mirror(headers, value.split(" ", 2));
            default -> headers.put(name, value);
        }
    }

    private static void mirror(Map<String, String> headers, String[] methodAndName) {
        headers.put("MCP-Protocol-Version", "2026-07-28");
        headers.put("Mcp-Method", methodAndName[0]);
        if (methodAndName.length > 1) {
            headers.put("Mcp-Name", methodAndName[1]);
        }
    }
}
