package dev.caisson.broker;

import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.Changes;
import dev.caisson.call.EarlyAnswer;
import dev.caisson.call.FullDisk;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.ResourceContents;
import dev.caisson.json.Json;
import dev.caisson.redact.Redaction;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/// Broker of all calls: the one way to call a tool, to change something and to read it, for every
/// door. A call passes these stages: find, review, features, schema, policy, consent, run, record.
/// What is no tool has no schema and passes policy, consent, run and record.
public final class Broker {
    /// Sources of everything that can be called, read or filled in.
    ///
    /// @param listing which of the tools a caller is listed
    public record Sources(
            List<ToolSource> tools,
            List<ResourceSource> resources,
            List<PromptSource> prompts,
            ToolListing listing) {
        public Sources {
            tools = List.copyOf(tools);
            resources = List.copyOf(resources);
            prompts = List.copyOf(prompts);
        }

        /// Every tool is listed.
        public Sources(
                List<ToolSource> tools,
                List<ResourceSource> resources,
                List<PromptSource> prompts) {
            this(tools, resources, prompts, ToolListing.ALL);
        }

        public static Sources ofTools(ToolSource... tools) {
            return new Sources(List.of(tools), List.of(), List.of());
        }
    }

    /// Work of an action that is no tool.
    ///
    /// @param <T> its result
    /// @param <X> what it may throw beside refusals
    @FunctionalInterface
    public interface Work<T, X extends Exception> {
        T run(Call call) throws InterruptedException, X;
    }

    private final Catalogue catalogue;
    private final Resources resources;
    private final List<PromptSource> prompts;
    private final CallRules rules;
    private final Changes changes;
    private final Recording recording;
    private final RedactedExit exit;
    private final ToolStages stages;

    /// @param redaction of everything that leaves
    public Broker(
            Sources sources,
            CallRules rules,
            Changes changes,
            Recording recording,
            Redaction redaction) {
        this.catalogue = new Catalogue(sources.tools(), sources.listing());
        this.resources = new Resources(sources.resources());
        this.prompts = sources.prompts();
        this.rules = rules;
        this.changes = changes;
        this.recording = recording;
        this.exit = new RedactedExit(redaction);
        this.stages = new ToolStages(rules, exit, recording::begins);
    }

    /// The names of the stages of a call, in order.
    List<String> stageNames() {
        return Stream.of(List.of("find"), stages.names(), List.of("run", "record"))
                .flatMap(List::stream)
                .toList();
    }

    public Changes changes() {
        return changes;
    }

    /// The tools this caller is listed, in the order of their names.
    public List<ToolSpec> tools(Caller caller) {
        return catalogue.listedTo(caller);
    }

    /// All tools this caller may call, listed or not, in the order of their names. These are the
    /// whole declarations, not those of the list.
    public List<ToolSpec> callable(Caller caller) {
        return catalogue.callableBy(caller);
    }

    /// Looks up the tool that a caller means by a name.
    public ToolLookup find(Caller caller, String name) {
        return catalogue.find(caller, name);
    }

    /// Looks up a tool by the server that offers it and its name there; our own are those of
    /// [ToolOrigin#OWN_SERVER].
    public ToolLookup findOrigin(Caller caller, String server, String tool) {
        return catalogue.findOrigin(caller, server, tool);
    }

    /// What the policy says of a tool before its arguments are known.
    public CallPolicy.Outlook outlook(Caller caller, ToolSpec tool) {
        return rules.policy().outlook(caller, tool.effectiveOrigin());
    }

    /// Why calls of a tool fail now, in a word; empty while nothing is known to be wrong.
    public Optional<String> trouble(Caller caller, ToolSpec tool) {
        var origin = tool.effectiveOrigin();
        return catalogue
                .findOrigin(caller, origin.server(), origin.tool())
                .entry()
                .flatMap(found -> found.tool().trouble());
    }

    public Optional<ToolSpec> tool(Caller caller, String name) {
        return find(caller, name).spec();
    }

    /// Calls the tool of this name.
    public ToolResult call(Call call, String name, ObjectNode arguments)
            throws InterruptedException {
        return call(call, find(call.caller(), name), arguments);
    }

    /// Calls a tool. Arguments that fail the schema are a refusal that names the member. However it
    /// ends, it is recorded before this returns.
    ///
    /// @param tool as it was found for this caller; also one that was not found is recorded
    public ToolResult call(Call call, ToolLookup tool, ObjectNode arguments)
            throws InterruptedException {
        if (tool.entry().isEmpty()) {
            return unknown(call, tool, arguments);
        }
        var entry = tool.entry().get();
        return recording.tool(
                call,
                ToolLookup.request(entry, arguments),
                noted -> stages.answer(noted, entry, arguments));
    }

    private ToolResult unknown(Call call, ToolLookup tool, ObjectNode arguments)
            throws InterruptedException {
        var name = shown(call.caller(), tool.given());
        return recording.unknownTool(
                call,
                ActionRequest.read(name, arguments),
                noted -> {
                    throw UnknownTool.refusal(name, tools(noted.caller()));
                });
    }

    /// Does something that is no tool, and records it however it ends, before this returns.
    ///
    /// @param work is given the call with its notes
    public <T, X extends Exception> T act(Call call, ActionRequest action, Work<T, X> work)
            throws InterruptedException, X {
        return recording.action(call, action, noted -> done(noted, action, work));
    }

    private <T, X extends Exception> T done(Call call, ActionRequest action, Work<T, X> work)
            throws InterruptedException, X {
        try {
            rules.pass(call, action);
            if (action.changing()) {
                call.notes().mayChange();
            }
            return work.run(call);
        } catch (Refusal refusal) {
            throw shown(call.caller(), refusal);
        } catch (RuntimeException failure) {
            throw FullDisk.told(failure);
        }
    }

    /// A refusal that any door makes, without what its caller handed over in confidence.
    public Refusal shown(Caller caller, Refusal refusal) {
        return exit.refusal(caller, Set.of(), refusal);
    }

    /// The same of a sentence.
    public String shown(Caller caller, String sentence) {
        return exit.exactly(caller, Set.of()).text(sentence);
    }

    /// What a tool says of a call that was refused, for a door that gives results and no errors.
    public ToolResult refused(ToolLookup tool, Refusal refusal) {
        return tool.entry()
                .map(entry -> ToolStages.checked(entry, entry.tool().refused(refusal)))
                .orElseGet(() -> ToolResult.failure(refusal.sentence()));
    }

    /// What a tool says of a call that goes on after its client was answered.
    public ToolResult early(ToolLookup tool, EarlyAnswer answer) {
        var entry = tool.entry().orElseThrow();
        if (!entry.tool().redactsItself()) {
            throw new IllegalStateException("a tool that answers early redacts itself");
        }
        return ToolStages.checked(
                entry, new ToolResult(answer.content(), Optional.of(answer.structured()), false));
    }

    /// A page of the resources this caller may read.
    ///
    /// @param cursor the `next` of the page before
    public ResourceSource.Page resources(Caller caller, Optional<String> cursor, int limit) {
        return resources.list(caller, cursor, limit);
    }

    public List<ResourceSource.Template> templates(Caller caller) {
        return resources.templates(caller);
    }

    /// Values that could complete an argument of a resource template.
    public List<String> completeTemplate(
            Caller caller, String uriTemplate, String argument, String prefix) {
        return resources.complete(caller, uriTemplate, argument, prefix);
    }

    public List<ResourceContents> read(Call call, String uri) throws InterruptedException {
        return act(
                call,
                ActionRequest.read("resource_read", Json.object().put("uri", uri)),
                noted -> exit.resource(noted, resources.read(noted, uri)));
    }

    /// In the order of their names.
    public List<Prompt.Spec> prompts(Caller caller) {
        return allPrompts(caller)
                .map(Prompt::spec)
                .sorted(Comparator.comparing(Prompt.Spec::name))
                .toList();
    }

    public Prompt prompt(Caller caller, String name) {
        return allPrompts(caller)
                .filter(prompt -> prompt.spec().name().equals(name))
                .findFirst()
                .orElseThrow(() -> new Refusal(Reason.UNKNOWN_PROMPT, "Unknown prompt: " + name));
    }

    private Stream<Prompt> allPrompts(Caller caller) {
        return prompts.stream().flatMap(source -> source.prompts(caller).stream());
    }
}
