package dev.caisson.rpc;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads the parameters of a method strictly: a member of the wrong type is refused by its name.
///
/// @param path what the members are called in a refusal, such as `params`
public record Params(String path, ObjectNode node) {
    /// The longest URI of a resource.
    public static final int URI_BYTES_MAX = 8 * 1024;

    public static Params of(ObjectNode node) {
        return new Params("params", node);
    }

    public String string(String name) {
        return optionalString(name).orElseThrow(() -> wrong(name, "is missing; it is a string"));
    }

    /// A URI, of bounded length: it may be kept for long.
    public String uri(String name) {
        return checkedUri(name, string(name));
    }

    public List<String> uris(String name, int most) {
        var all = strings(name, most);
        all.forEach(uri -> checkedUri(name, uri));
        return all;
    }

    private String checkedUri(String name, String uri) {
        if (uri.getBytes(StandardCharsets.UTF_8).length > URI_BYTES_MAX) {
            throw wrong(name, "must be at most " + URI_BYTES_MAX + " bytes long");
        }
        return uri;
    }

    public Optional<String> optionalString(String name) {
        var value = node.get(name);
        if (value == null) {
            return Optional.empty();
        }
        if (!value.isString()) {
            throw wrong(name, "must be a string");
        }
        return Optional.of(value.stringValue());
    }

    public boolean flag(String name) {
        var value = node.get(name);
        if (value != null && !value.isBoolean()) {
            throw wrong(name, "must be true or false");
        }
        return value != null && value.booleanValue();
    }

    public Params object(String name) {
        return optionalObject(name).orElseThrow(() -> wrong(name, "is missing; it is an object"));
    }

    public Optional<Params> optionalObject(String name) {
        var value = node.get(name);
        if (value == null) {
            return Optional.empty();
        }
        if (value instanceof ObjectNode object) {
            return Optional.of(new Params(path + "." + name, object));
        }
        throw wrong(name, "must be an object");
    }

    List<String> strings(String name, int most) {
        var value = node.get(name);
        if (value == null) {
            return List.of();
        }
        if (!value.isArray() || value.size() > most) {
            throw wrong(name, "must be an array of at most " + most + " strings");
        }
        var all = new ArrayList<String>();
        for (var item : value) {
            if (!item.isString()) {
                throw wrong(name, "must hold strings only");
            }
            all.add(item.stringValue());
        }
        return all;
    }

    /// An object whose members are all strings; absent is empty.
    public Map<String, String> stringMap(String name) {
        var found = new LinkedHashMap<String, String>();
        optionalObject(name)
                .ifPresent(object -> {
                    for (var member : object.node().properties()) {
                        found.put(member.getKey(), object.string(member.getKey()));
                    }
                });
        return found;
    }

    /// An id or a token: a string or a number.
    public Optional<JsonNode> optionalToken(String name) {
        var value = node.get(name);
        if (value != null && !value.isString() && !value.isIntegralNumber()) {
            throw wrong(name, "must be a string or an integer");
        }
        return Optional.ofNullable(value);
    }

    public Refusal wrong(String name, String what) {
        return new Refusal(
                Reason.MALFORMED,
                path + "." + name + " " + what,
                Map.of("member", path + "." + name));
    }

    public static Params empty() {
        return of(Json.object());
    }
}
