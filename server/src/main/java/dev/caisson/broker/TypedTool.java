package dev.caisson.broker;

import dev.caisson.call.Call;
import dev.caisson.call.Content;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.json.Records;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/// Tool made of an input record, an output record and a method. The declaration has the schemas of
/// the two records; the record's constructor checks what a schema cannot say, and its complaint
/// refuses the call.
///
/// @param body the method, and how its answer becomes a result
/// @param redactsItself see [Tool#redactsItself]
/// @param secrets see [Tool#secrets]
/// @param refusal see [Tool#refused]
/// @param otherForms see [Tool#otherForms]
public record TypedTool<I extends Record>(
        ToolSpec spec,
        Class<I> input,
        Body<I> body,
        boolean redactsItself,
        Function<ObjectNode, Set<String>> secrets,
        Function<Refusal, ToolResult> refusal,
        List<Tool> otherForms)
        implements Tool {
    /// Method of a tool.
    @FunctionalInterface
    public interface Method<I, O extends Record> {
        /// @throws InterruptedException when the call was cancelled
        Answer<O> call(Call call, I input) throws InterruptedException;
    }

    /// Method of a tool that looks at its arguments as they came, too.
    @FunctionalInterface
    public interface WholeMethod<I, O extends Record> {
        /// @throws InterruptedException when the call was cancelled
        Answer<O> call(Call call, I input, ObjectNode arguments) throws InterruptedException;
    }

    /// Method of a tool whose results are more than a record can say.
    @FunctionalInterface
    public interface Body<I> {
        ToolResult call(Call call, I input, ObjectNode arguments) throws InterruptedException;
    }

    /// Answer of a tool: an output record and the content shown beside it.
    ///
    /// @param content absent for the output as JSON text
    /// @param report see [ToolResult#report]
    /// @param meta see [ToolResult#meta]
    public record Answer<O extends Record>(
            O output,
            Optional<List<Content>> content,
            boolean failed,
            Optional<Record> report,
            Map<String, Record> meta) {
        /// The output alone.
        public static <O extends Record> Answer<O> of(O output) {
            return new Answer<>(output, Optional.empty(), false, Optional.empty(), Map.of());
        }

        public static <O extends Record> Answer<O> of(O output, List<Content> content) {
            return new Answer<>(output, Optional.of(content), false, Optional.empty(), Map.of());
        }

        public static <O extends Record> Answer<O> of(O output, String text) {
            return of(output, List.of(Content.text(text)));
        }

        /// The same answer of a tool that did not succeed, if so.
        public Answer<O> failed(boolean ifSo) {
            return new Answer<>(output, content, ifSo, report, meta);
        }

        /// The same answer, of which there is more to show than a model needs.
        public Answer<O> reporting(Record whole) {
            return new Answer<>(output, content, failed, Optional.of(whole), meta);
        }

        /// The same answer, and what goes along with it for programs.
        public Answer<O> with(String name, Record figures) {
            return new Answer<>(output, content, failed, report, Map.of(name, figures));
        }

        /// As every door takes it.
        public ToolResult result() {
            var tree = Records.tree(output);
            var shown = content.orElseGet(() -> List.of(Content.text(Json.text(tree))));
            return new ToolResult(shown, Optional.of(tree), failed, report, meta);
        }
    }

    public TypedTool {
        otherForms = List.copyOf(otherForms);
    }

    /// @param spec gets the schemas of the two records
    public static <I extends Record, O extends Record> TypedTool<I> of(
            ToolSpec.Builder spec, Class<I> input, Class<O> output, Method<I, O> method) {
        return ofWhole(spec, input, output, (call, read, _) -> method.call(call, read));
    }

    /// @param spec gets the schemas of the two records
    public static <I extends Record, O extends Record> TypedTool<I> ofWhole(
            ToolSpec.Builder spec, Class<I> input, Class<O> output, WholeMethod<I, O> method) {
        return withBody(
                spec.returning(output),
                input,
                (call, read, arguments) -> method.call(call, read, arguments).result());
    }

    /// @param spec gets the schema of the input record
    public static <I extends Record> TypedTool<I> withBody(
            ToolSpec.Builder spec, Class<I> input, Body<I> body) {
        return new TypedTool<>(
                spec.taking(input).build(),
                input,
                body,
                false,
                _ -> Set.of(),
                refusal -> ToolResult.failure(refusal.sentence()),
                List.of());
    }

    /// The same tool, whose answers need no redaction behind it.
    public TypedTool<I> redactingItself() {
        return new TypedTool<>(spec, input, body, true, secrets, refusal, otherForms);
    }

    /// The same tool, which finds values in its arguments that are handed over in confidence.
    public TypedTool<I> knowingSecrets(Function<ObjectNode, Set<String>> found) {
        return new TypedTool<>(spec, input, body, redactsItself, found, refusal, otherForms);
    }

    /// The same tool with its own form of a refused call.
    public TypedTool<I> refusingWith(Function<Refusal, ToolResult> form) {
        return new TypedTool<>(spec, input, body, redactsItself, secrets, form, otherForms);
    }

    /// The same tool, which can also be called in another form.
    public TypedTool<I> alsoAs(Tool form) {
        return new TypedTool<>(spec, input, body, redactsItself, secrets, refusal, List.of(form));
    }

    @Override
    public Set<String> secrets(ObjectNode arguments) {
        return secrets.apply(arguments);
    }

    @Override
    public ToolResult refused(Refusal refused) {
        return refusal.apply(refused);
    }

    @Override
    public ToolResult call(Call call, ObjectNode arguments) throws InterruptedException {
        return body.call(call, read(arguments), arguments);
    }

    /// Only the record's own complaint is the caller's mistake; what the method throws later is
    /// not.
    private I read(ObjectNode arguments) {
        try {
            return Records.read(arguments, input);
        } catch (IllegalArgumentException complaint) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "The arguments of "
                            + spec.name()
                            + " are not valid: "
                            + complaint.getMessage());
        }
    }
}
