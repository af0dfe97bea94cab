package dev.caisson.config;

import java.util.function.Function;

/// What a value can be: how it is read from text, and what to say when that fails.
///
/// @param word for the documentation, such as `size`
/// @param must completes "the value must be ..."
/// @param reader throws an [IllegalArgumentException] for any text that is not such a value
public record Type<T>(String word, String must, Function<String, T> reader) {
    /// @throws IllegalArgumentException when the text is not such a value
    T read(String text) {
        return reader.apply(text);
    }
}
