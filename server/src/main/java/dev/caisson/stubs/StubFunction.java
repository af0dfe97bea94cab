package dev.caisson.stubs;

import dev.caisson.broker.ToolOrigin;
import dev.caisson.broker.ToolSpec;
import dev.caisson.stubs.StubType.MapOf;
import dev.caisson.stubs.StubType.Member;
import dev.caisson.stubs.StubType.Named;
import dev.caisson.stubs.StubType.Struct;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;

/// A tool as a function of a program: what it takes, what it returns, and what is said of it.
///
/// @param arguments the type of all its arguments as one object
/// @param result the type of what it returns
/// @param learned what is known of the result from calls alone; empty where it was declared
/// @param types that are declared for it
record StubFunction(
        ToolSpec tool,
        StubType arguments,
        StubType result,
        Optional<String> learned,
        List<Struct> types) {
    /// @param taken names that no type may have; gets those of the types
    /// @param shape of the results that were seen, for a tool that declares none
    static StubFunction of(ToolSpec tool, Set<String> taken, Optional<Shapes> shape) {
        var table = new TypeTable(taken, NullNode.getInstance());
        var name = Identifiers.typeName(tool.effectiveOrigin().function());
        var arguments = table.read(name + "Arguments", tool.inputSchema());
        var seen = shape.filter(_ -> tool.outputSchema().isEmpty()).flatMap(Shapes::schema);
        Optional<JsonNode> output = tool.outputSchema().map(schema -> schema);
        var result =
                output.or(() -> seen)
                        .map(schema -> table.read(name + "Result", schema))
                        .orElse(StubType.ANY);
        return new StubFunction(
                tool,
                arguments instanceof Named ? arguments : new MapOf(StubType.ANY),
                result,
                seen.flatMap(_ -> shape).map(Shapes::sentence),
                table.declared());
    }

    static StubFunction of(ToolSpec tool) {
        return of(tool, new HashSet<>(), Optional.empty());
    }

    ToolOrigin origin() {
        return tool.effectiveOrigin();
    }

    /// The members of its arguments; empty where they are not known.
    List<Member> members() {
        return types.stream()
                .filter(type -> arguments.equals(new Named(type.name())))
                .findFirst()
                .map(Struct::members)
                .orElse(List.of());
    }

    boolean needsArguments() {
        return members().stream().anyMatch(Member::required);
    }

    /// What is said of it, under the name of who says it.
    String description() {
        var text = origin().isOwn() ? said() : "Description by " + origin().id() + ": " + said();
        return learned.map(sentence -> text + "\n\nResult: " + sentence).orElse(text);
    }

    /// A declaration may say already whose word it is.
    private String said() {
        var text = tool.description().strip();
        var attribution = origin().attribution();
        return text.startsWith(attribution) ? text.substring(attribution.length()) : text;
    }

    /// The first line of that, without who says it.
    String firstLine() {
        var line = said().lines().findFirst().orElse("").strip();
        return line.codePointCount(0, line.length()) <= FIRST_LINE_LENGTH_MAX
                ? line
                : line.substring(0, line.offsetByCodePoints(0, FIRST_LINE_LENGTH_MAX - 1)) + "…";
    }

    /// In characters.
    private static final int FIRST_LINE_LENGTH_MAX = 200;
}
