package dev.caisson.broker;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.caisson.call.Call;
import dev.caisson.call.CallNotes;
import dev.caisson.call.Caller;
import dev.caisson.call.Content;
import dev.caisson.call.Refusal;
import dev.caisson.call.ResourceContents;
import dev.caisson.json.Json;
import dev.caisson.redact.Redaction;
import dev.caisson.redact.RedactionRules;
import dev.caisson.redact.Redactor;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Redaction of everything that passes from a tool to its caller, whatever the door: results,
/// resources, refusals and messages beside the result. Secrets are taken out of it, and counted in
/// the record of the call and in the member `redactions` of a result that has one.
///
/// A tool that redacts its own results, because it knows better what is secret in them, is
/// believed. Images and other binary content pass as they are.
final class RedactedExit {
    /// The member of a result that says how much is missing.
    private static final String COUNT = "redactions";

    private final Redaction redaction;

    RedactedExit(Redaction redaction) {
        this.redaction = redaction;
    }

    /// Of a call of this tool.
    Redactor redactor(Call call, Tool tool) {
        return tool.redactsItself()
                ? redaction.idle()
                : redaction.of(tool.spec().name(), call.caller().id());
    }

    /// @param words the server's own in results of this tool
    ToolResult result(Call call, Tool tool, ToolResult result, Set<String> words) {
        var redactor = redactor(call, tool);
        return redactor.isIdle()
                ? result
                : redaction.work(
                        call.caller().id(),
                        length(result),
                        () -> clean(call.notes(), result, redactor, words));
    }

    /// What stands in the text is mostly what stands in the structured content.
    private static ToolResult clean(
            CallNotes notes, ToolResult result, Redactor redactor, Set<String> words) {
        var content = result.content().stream().map(item -> clean(item, redactor, words)).toList();
        var inText = redactor.events();
        var structured = result.structured().map(tree -> redactor.tree(tree, words));
        var found = Math.max(inText, redactor.events() - inText);
        notes.redacted(found);
        structured.ifPresent(tree -> count(tree, found));
        var clean = new ToolResult(content, structured, result.failed());
        return BrokenPromise.in(result)
                .map(broken -> clean.with(BrokenPromise.NAME, broken.clean(redactor::text)))
                .orElse(clean);
    }

    private static void count(JsonNode tree, long found) {
        if (found > 0 && tree instanceof ObjectNode object && object.has(COUNT)) {
            object.put(COUNT, found);
        }
    }

    private static Content clean(Content item, Redactor redactor, Set<String> words) {
        return switch (item) {
            case Content.Text text -> new Content.Text(redactor.text(text.text()));
            case Content.Output output ->
                    new Content.Output((ObjectNode) redactor.tree(output.data(), words));
            case Content.Embedded embedded ->
                    new Content.Embedded(clean(embedded.resource(), redactor));
            case Content.Link link ->
                    new Content.Link(
                            redactor.text(link.uri()),
                            redactor.text(link.name()),
                            link.description().map(redactor::text),
                            link.mimeType(),
                            link.size());
            case Content.Image image -> image;
            case Content.Audio audio -> audio;
        };
    }

    private static long length(ToolResult result) {
        return result.content().stream().mapToLong(RedactedExit::length).sum();
    }

    private static long length(Content item) {
        return switch (item) {
            case Content.Text text -> text.text().length();
            case Content.Embedded embedded -> length(embedded.resource());
            case Content.Output output -> Json.bytes(output.data()).length;
            case Content.Link _, Content.Image _, Content.Audio _ -> 0;
        };
    }

    private static long length(ResourceContents contents) {
        return switch (contents) {
            case ResourceContents.Text text -> text.text().length();
            case ResourceContents.Blob _ -> 0;
        };
    }

    /// The contents of a resource, and notes of their size.
    List<ResourceContents> resource(Call call, List<ResourceContents> contents) {
        var clean = cleaned(call, contents);
        call.notes().handedOut(clean.stream().mapToLong(RedactedExit::bytes).sum());
        return clean;
    }

    private static long bytes(ResourceContents contents) {
        return switch (contents) {
            case ResourceContents.Text text -> text.text().getBytes(UTF_8).length;
            case ResourceContents.Blob blob -> blob.blob().length();
        };
    }

    private List<ResourceContents> cleaned(Call call, List<ResourceContents> contents) {
        var redactor = redaction.of(RedactionRules.RESOURCES_READ, call.caller().id());
        return redactor.isIdle()
                ? contents
                : redaction.work(
                        call.caller().id(),
                        contents.stream().mapToLong(RedactedExit::length).sum(),
                        () -> {
                            var clean =
                                    contents.stream().map(each -> clean(each, redactor)).toList();
                            call.notes().redacted(redactor.events());
                            return clean;
                        });
    }

    private static ResourceContents clean(ResourceContents contents, Redactor redactor) {
        return switch (contents) {
            case ResourceContents.Text text ->
                    new ResourceContents.Text(
                            text.uri(), text.mimeType(), redactor.text(text.text()));
            case ResourceContents.Blob blob -> blob;
        };
    }

    /// Of what a caller handed over in confidence, for words of the server that repeat its own.
    Redactor exactly(Caller caller, Set<String> given) {
        return redaction.exactly(caller.id(), given);
    }

    /// A refusal often repeats what it refuses.
    ///
    /// @param given values that the arguments hand over in confidence, known or not
    Refusal refusal(Caller caller, Set<String> given, Refusal refusal) {
        var redactor = exactly(caller, given);
        return redactor.isIdle()
                ? refusal
                : refusal.saying(
                        redactor.text(refusal.sentence()), details(refusal.details(), redactor));
    }

    private static Map<String, Object> details(Map<String, Object> details, Redactor redactor) {
        var clean = new TreeMap<String, Object>();
        details.forEach((name, value) -> clean.put(name, plain(value, redactor)));
        return clean;
    }

    /// One of the plain values that details may have.
    private static Object plain(Object value, Redactor redactor) {
        return switch (value) {
            case String text -> redactor.text(text);
            case List<?> items -> items.stream().map(item -> plain(item, redactor)).toList();
            case Map<?, ?> members -> {
                var clean = new TreeMap<String, Object>();
                members.forEach(
                        (name, each) -> clean.put(String.valueOf(name), plain(each, redactor)));
                yield clean;
            }
            default -> value;
        };
    }

    /// The names of members and the values of fixed sets that a schema has, in all its depth.
    static Set<String> words(JsonNode schema) {
        var words = new HashSet<String>();
        collect(schema, words);
        return Set.copyOf(words);
    }

    private static void collect(JsonNode schema, Set<String> words) {
        schema.path("properties").properties().forEach(member -> words.add(member.getKey()));
        schema.path("enum")
                .valueStream()
                .filter(JsonNode::isString)
                .forEach(one -> words.add(one.stringValue()));
        if (schema.path("const").isString()) {
            words.add(schema.path("const").stringValue());
        }
        schema.valueStream().filter(JsonNode::isContainer).forEach(each -> collect(each, words));
    }
}
