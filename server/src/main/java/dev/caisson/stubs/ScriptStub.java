package dev.caisson.stubs;

import dev.caisson.json.Json;
import dev.caisson.stubs.StubType.Any;
import dev.caisson.stubs.StubType.Kind;
import dev.caisson.stubs.StubType.ListOf;
import dev.caisson.stubs.StubType.Literals;
import dev.caisson.stubs.StubType.MapOf;
import dev.caisson.stubs.StubType.Member;
import dev.caisson.stubs.StubType.Named;
import dev.caisson.stubs.StubType.Simple;
import dev.caisson.stubs.StubType.Struct;
import dev.caisson.stubs.StubType.Union;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// Stub of a function in TypeScript: declarations of its types and its signature with a comment.
final class ScriptStub {
    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_$][A-Za-z0-9_$]*");
    private static final String INDENT = "  ";

    private ScriptStub() {}

    static String of(StubFunction function) {
        var text = new StringBuilder();
        function.types().forEach(type -> text.append(struct(type)).append('\n'));
        return text.append(signature(function)).toString();
    }

    private static String struct(Struct struct) {
        var text = new StringBuilder("export interface " + struct.name() + " {\n");
        struct.members().forEach(member -> text.append(member(member)));
        return text.append("}\n").toString();
    }

    private static String member(Member member) {
        var name =
                IDENTIFIER.matcher(member.name()).matches()
                        ? member.name()
                        : SourceText.javaScript(member.name());
        var said = SourceText.lineComment(member.description());
        return "%s%s%s: %s;%s\n"
                .formatted(
                        INDENT,
                        name,
                        member.required() ? "" : "?",
                        type(member.type()),
                        said.isEmpty() ? "" : " // " + said);
    }

    private static String signature(StubFunction function) {
        return "/**\n * %s\n */\nexport function %s(input%s: %s): Promise<%s>;\n"
                .formatted(
                        SourceText.blockComment(function.description(), " * "),
                        function.origin().jsFunction(),
                        function.needsArguments() ? "" : "?",
                        type(function.arguments()),
                        type(function.result()));
    }

    private static String type(StubType type) {
        return switch (type) {
            case Any _ -> "any";
            case Simple(var kind) -> simple(kind);
            case Literals(var values) ->
                    values.stream().map(ScriptStub::literal).collect(Collectors.joining(" | "));
            case ListOf(var items) -> "Array<" + type(items) + ">";
            case MapOf(var values) -> "Record<string, " + type(values) + ">";
            case Union(var types) ->
                    types.stream().map(ScriptStub::type).collect(Collectors.joining(" | "));
            case Named(var name) -> name;
        };
    }

    private static String simple(Kind kind) {
        return switch (kind) {
            case TEXT -> "string";
            case WHOLE, NUMBER -> "number";
            case BOOLEAN -> "boolean";
            case NULL -> "null";
        };
    }

    private static String literal(JsonNode value) {
        return value.isString() ? SourceText.javaScript(value.stringValue()) : Json.text(value);
    }
}
