package dev.caisson.stubs;

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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// Stub of a function in Python: declarations of its types and its signature with a docstring.
final class PythonStub {
    static final String HEAD = "from typing import Any, Literal, NotRequired, TypedDict\n";

    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final String INDENT = "    ";

    /// Words a member may not have as its name here, though a function gives way to more.
    private static final Set<String> KEYWORDS =
            ReservedWords.PYTHON.stream()
                    .filter(word -> !Set.of("arguments", "default", "eval").contains(word))
                    .collect(Collectors.toUnmodifiableSet());

    private PythonStub() {}

    static String of(StubFunction function) {
        var text = new StringBuilder();
        function.types().forEach(type -> text.append(struct(type)).append('\n'));
        return text.append(signature(function)).toString();
    }

    private static String struct(Struct struct) {
        return struct.members().stream().allMatch(member -> isName(member.name()))
                ? classForm(struct)
                : functionForm(struct);
    }

    private static String classForm(Struct struct) {
        var text = new StringBuilder("class " + struct.name() + "(TypedDict):\n");
        for (var member : struct.members()) {
            text.append(INDENT)
                    .append(member.name())
                    .append(": ")
                    .append(wrapped(member))
                    .append(comment(member))
                    .append('\n');
        }
        return text.toString();
    }

    private static String functionForm(Struct struct) {
        var text =
                new StringBuilder(struct.name())
                        .append(" = TypedDict(")
                        .append(SourceText.python(struct.name()))
                        .append(", {\n");
        for (var member : struct.members()) {
            text.append(INDENT)
                    .append(SourceText.python(member.name()))
                    .append(": ")
                    .append(wrapped(member))
                    .append(',')
                    .append(comment(member))
                    .append('\n');
        }
        return text.append("})\n").toString();
    }

    private static boolean isName(String name) {
        return IDENTIFIER.matcher(name).matches()
                && !KEYWORDS.contains(name)
                && !name.startsWith("__");
    }

    private static String wrapped(Member member) {
        var type = type(member.type());
        return member.required() ? type : "NotRequired[" + type + "]";
    }

    private static String comment(Member member) {
        var said = SourceText.lineComment(member.description());
        return said.isEmpty() ? "" : "  # " + said;
    }

    private static String signature(StubFunction function) {
        var parameters = new ArrayList<String>();
        parameters.add("arguments: " + type(function.arguments()) + " = ...");
        parameters.add("/");
        var keywords = keywords(function.members());
        if (!keywords.isEmpty()) {
            parameters.add("*");
            parameters.addAll(keywords);
        }
        return "def %s(%s) -> %s:\n%s\"\"\"%s\"\"\"\n%s...\n"
                .formatted(
                        function.origin().function(),
                        String.join(", ", parameters),
                        type(function.result()),
                        INDENT,
                        SourceText.docstring(function.description(), INDENT),
                        INDENT);
    }

    /// Members with odd names, and one called `arguments`, are given in the object.
    private static List<String> keywords(List<Member> members) {
        var names = new HashSet<>(Set.of("arguments"));
        var keywords = new ArrayList<String>();
        for (var member : members) {
            var name = KEYWORDS.contains(member.name()) ? member.name() + "_" : member.name();
            if (isName(name) && names.add(name)) {
                keywords.add("%s: %s = ...".formatted(name, type(member.type())));
            }
        }
        return keywords;
    }

    private static String type(StubType type) {
        return switch (type) {
            case Any _ -> "Any";
            case Simple(var kind) -> simple(kind);
            case Literals(var values) ->
                    values.stream()
                            .map(PythonStub::literal)
                            .collect(Collectors.joining(", ", "Literal[", "]"));
            case ListOf(var items) -> "list[" + type(items) + "]";
            case MapOf(var values) -> "dict[str, " + type(values) + "]";
            case Union(var types) ->
                    types.stream().map(PythonStub::type).collect(Collectors.joining(" | "));
            case Named(var name) -> name;
        };
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

    private static String literal(JsonNode value) {
        if (value.isString()) {
            return SourceText.python(value.stringValue());
        }
        if (value.isBoolean()) {
            return value.booleanValue() ? "True" : "False";
        }
        return value.isNull() ? "None" : value.asString();
    }
}
