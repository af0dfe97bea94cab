package dev.caisson.json;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.function.UnaryOperator;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.StreamReadException;

/// Streaming copy of one JSON value, step by step, in the memory its longest string needs. What is
/// copied is compact, and valid.
///
/// Closing it closes both streams.
public final class JsonCopy implements AutoCloseable {
    private static final int TOKENS_AT_ONCE = 1000;

    private final JsonParser parser;
    private final JsonGenerator generator;
    private final UnaryOperator<String> strings;
    private final UnaryOperator<String> numbers;
    private final int depthMax;
    private int depth;
    private boolean begun;

    JsonCopy(
            JsonParser parser,
            JsonGenerator generator,
            UnaryOperator<String> strings,
            UnaryOperator<String> numbers,
            int depthMax) {
        this.parser = parser;
        this.generator = generator;
        this.strings = strings;
        this.numbers = numbers;
        this.depthMax = depthMax;
    }

    /// @param strings what each string and each name becomes
    /// @param numbers what each number becomes as it is written; a string where that is another
    /// @param depthMax how deep objects and arrays may be nested
    public static JsonCopy of(
            InputStream from,
            OutputStream to,
            UnaryOperator<String> strings,
            UnaryOperator<String> numbers,
            int depthMax) {
        return Json.copy(from, to, strings, numbers, depthMax);
    }

    /// Copies some of it.
    ///
    /// @return whether there is more
    /// @throws tools.jackson.core.JacksonException when it is not one JSON value, or a stream fails
    public boolean next() {
        for (var count = 0; count < TOKENS_AT_ONCE; count++) {
            var token = parser.nextToken();
            if (token == null) {
                requireWhole();
                generator.flush();
                return false;
            }
            if (begun && depth == 0) {
                throw malformed("there is more than one value");
            }
            begun = true;
            copy(token);
        }
        return true;
    }

    private void requireWhole() {
        if (!begun) {
            throw malformed("there is no value");
        }
    }

    private StreamReadException malformed(String why) {
        return new StreamReadException(parser, why);
    }

    private void copy(JsonToken token) {
        switch (token) {
            case START_OBJECT, START_ARRAY -> enter(token);
            case END_OBJECT -> {
                depth--;
                generator.writeEndObject();
            }
            case END_ARRAY -> {
                depth--;
                generator.writeEndArray();
            }
            case PROPERTY_NAME -> generator.writeName(text(parser.currentName()));
            case VALUE_STRING -> generator.writeString(text(parser.getString()));
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser.getString());
            case VALUE_TRUE -> generator.writeBoolean(true);
            case VALUE_FALSE -> generator.writeBoolean(false);
            case VALUE_NULL -> generator.writeNull();
            case NOT_AVAILABLE, VALUE_EMBEDDED_OBJECT ->
                    throw malformed("there is something that is no JSON");
        }
    }

    private void number(String original) {
        var copied = numbers.apply(original);
        if (copied.equals(original)) {
            generator.writeNumber(original);
        } else {
            generator.writeString(copied);
        }
    }

    private String text(String original) {
        Surrogates.require(original);
        return strings.apply(original);
    }

    private void enter(JsonToken token) {
        depth++;
        if (depth > depthMax) {
            throw malformed("it is nested deeper than " + depthMax + " levels");
        }
        if (token == JsonToken.START_OBJECT) {
            generator.writeStartObject();
        } else {
            generator.writeStartArray();
        }
    }

    @Override
    public void close() {
        try (parser) {
            generator.close();
        }
    }
}
