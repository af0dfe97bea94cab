package dev.caisson.stubs;

import java.util.List;
import tools.jackson.databind.JsonNode;

/// Type of a value as stubs write it, in no language yet.
sealed interface StubType {
    Any ANY = new Any();

    /// Of which nothing is known.
    record Any() implements StubType {}

    /// One of the simple types of JSON.
    record Simple(Kind kind) implements StubType {}

    /// One of these values: texts, whole numbers, booleans, null.
    record Literals(List<JsonNode> values) implements StubType {}

    record ListOf(StubType items) implements StubType {}

    /// An object with any names.
    record MapOf(StubType values) implements StubType {}

    record Union(List<StubType> types) implements StubType {}

    /// A type that is declared by name, see [TypeTable].
    record Named(String name) implements StubType {}

    /// Kinds of simple types.
    enum Kind {
        TEXT,
        WHOLE,
        NUMBER,
        BOOLEAN,
        NULL
    }

    /// Declaration of an object with known members.
    record Struct(String name, List<Member> members) {}

    /// @param description empty where nothing is said
    record Member(String name, StubType type, boolean required, String description) {}
}
