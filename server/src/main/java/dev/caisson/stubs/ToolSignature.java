package dev.caisson.stubs;

import dev.caisson.broker.ToolSpec;
import dev.caisson.stubs.StubType.Kind;
import dev.caisson.stubs.StubType.Literals;
import dev.caisson.stubs.StubType.Member;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// Signature of a tool in one line, by which a model chooses it: `create_issue(repo: str, title:
/// str, body?: str) -> dict`. What must be given stands first.
public final class ToolSignature {
    /// In characters; what is longer ends with an ellipsis.
    static final int LENGTH_MAX = 240;

    private static final int LITERALS_MAX = 6;

    private ToolSignature() {}

    public static String of(ToolSpec tool) {
        var function = StubFunction.of(tool, new HashSet<>(), Optional.empty());
        var members =
                function.members().stream()
                        .sorted(Comparator.comparing(member -> !member.required()))
                        .map(ToolSignature::member)
                        .toList();
        var result = " -> " + type(function.result());
        var head = function.origin().function() + "(";
        return head + fitting(members, LENGTH_MAX - head.length() - result.length()) + ")" + result;
    }

    private static String fitting(List<String> members, int length) {
        var text = new StringBuilder();
        for (var member : members) {
            if (text.length() + member.length() + ", …".length() > length) {
                return text.isEmpty() ? "…" : text + ", …";
            }
            text.append(text.isEmpty() ? "" : ", ").append(member);
        }
        return text.toString();
    }

    private static String member(Member member) {
        var name = SourceText.lineComment(member.name());
        return name + (member.required() ? "" : "?") + ": " + type(member.type());
    }

    private static String type(StubType type) {
        return switch (type) {
            case StubType.Any _ -> "any";
            case StubType.Simple(var kind) -> simple(kind);
            case Literals(var values) -> literals(values);
            case StubType.ListOf(var items) -> "list[" + type(items) + "]";
            case StubType.MapOf _, StubType.Named _ -> "dict";
            case StubType.Union(var types) ->
                    types.stream()
                            .map(ToolSignature::type)
                            .distinct()
                            .collect(Collectors.joining(" | "));
        };
    }

    private static String literals(List<JsonNode> values) {
        return values.size() > LITERALS_MAX
                ? "str"
                : values.stream()
                        .map(value ->
                                value.isString()
                                        ? SourceText.python(value.stringValue())
                                        : value.asString("null"))
                        .collect(Collectors.joining(" | "));
    }

    private static String simple(Kind kind) {
        return switch (kind) {
            case TEXT -> "str";
            case WHOLE -> "int";
            case NUMBER -> "float";
            case BOOLEAN -> "bool";
            case NULL -> "None";
        };
    }
}
