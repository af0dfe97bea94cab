package dev.caisson.config;

import java.util.function.Function;

/// Value type of a configuration key: how a value is read from text, and the words for a text that
/// is none.
///
/// @param word for the documentation, such as `size`
/// @param must completes "the value must be ..."
/// @param reader throws an [IllegalArgumentException] for any text that is not such a value
public record Type<T>(String word, String must, Function<String, T> reader) {
    /// @throws IllegalArgumentException when the text is not such a value
    T read(String text) {
        return reader.apply(text);
    }

    <R> Type<R> map(Function<? super T, ? extends R> change) {
        return new Type<>(word, must, text -> change.apply(reader.apply(text)));
    }
}
