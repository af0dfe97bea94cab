package dev.caisson.mcp.http;

import dev.caisson.broker.ToolSpec;
import dev.caisson.http.Exchange;
import dev.caisson.json.Json;
import dev.caisson.mcp.server.Method;
import dev.caisson.rpc.HeaderText;
import dev.caisson.rpc.ProtocolError;
import dev.caisson.rpc.RpcError;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Checks that the headers of a modern request say what its body says, since whoever routes it
/// reads only them.
final class HeaderMirror {
    private static final int BASE64_GROUP = 4;

    private HeaderMirror() {}

    static void requireMethod(Exchange exchange, String method) {
        require(exchange, "Mcp-Method", method);
    }

    /// Compares `Mcp-Name` with the parameter it mirrors, unless that is not even a string.
    static void requireName(Exchange exchange, Method method, ObjectNode params) {
        method.nameMember()
                .map(params::get)
                .filter(JsonNode::isString)
                .ifPresent(name -> require(exchange, "Mcp-Name", name.stringValue()));
    }

    private static void require(Exchange exchange, String header, String expected) {
        var value = value(exchange, header);
        if (value.isEmpty()) {
            throw mismatch("The header " + header + " is missing");
        }
        if (!value.get().equals(expected)) {
            throw mismatch("The header " + header + " differs from the body");
        }
    }

    /// Compares the `Mcp-Param-*` headers with the arguments that a tool's schema has mirrored.
    static void requireArguments(Exchange exchange, ToolSpec spec, JsonNode arguments) {
        walk(exchange, spec.inputSchema(), arguments);
    }

    private static void walk(Exchange exchange, JsonNode schema, JsonNode values) {
        for (var property : schema.path("properties").properties()) {
            var value = values.path(property.getKey());
            var mirrored = property.getValue().path("x-mcp-header");
            if (mirrored.isString()) {
                compare(exchange, "Mcp-Param-" + mirrored.stringValue(), value);
            }
            walk(exchange, property.getValue(), value);
        }
    }

    private static void compare(Exchange exchange, String header, JsonNode value) {
        var mirrored = value(exchange, header);
        if (value.isMissingNode() || value.isNull()) {
            if (mirrored.isPresent()) {
                throw mismatch("The header " + header + " has no argument in the body");
            }
            return;
        }
        if (mirrored.isEmpty()) {
            throw mismatch("The header " + header + " is missing");
        }
        if (!same(mirrored.get(), value)) {
            throw mismatch("The header " + header + " differs from the body");
        }
    }

    private static boolean same(String header, JsonNode value) {
        if (value.isString()) {
            return header.equals(value.stringValue());
        }
        if (!value.isNumber()) {
            return header.equals(Json.text(value));
        }
        try {
            return new BigDecimal(header).compareTo(value.decimalValue()) == 0;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static Optional<String> value(Exchange exchange, String header) {
        var values = exchange.headers(header);
        if (values.size() > 1) {
            throw mismatch("The header " + header + " is there twice");
        }
        return values.stream().findFirst().map(value -> decoded(header, value.strip()));
    }

    private static String decoded(String header, String value) {
        if (!value.startsWith(HeaderText.ENCODED_START)
                || !value.endsWith(HeaderText.ENCODED_END)) {
            return value;
        }
        var inner =
                value.substring(
                        HeaderText.ENCODED_START.length(),
                        value.length() - HeaderText.ENCODED_END.length());
        if (inner.length() % BASE64_GROUP != 0) {
            throw mismatch("The header " + header + " is Base64 without its padding");
        }
        try {
            var bytes = Base64.getDecoder().decode(inner);
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (IllegalArgumentException | CharacterCodingException e) {
            throw mismatch("The header " + header + " is not valid Base64 of UTF-8");
        }
    }

    static ProtocolError mismatch(String message) {
        return new ProtocolError(RpcError.HEADER_MISMATCH, message, 400);
    }
}
