package dev.caisson.broker;

import dev.caisson.call.Caller;
import dev.caisson.call.FullDisk;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.redact.Redaction;
import dev.caisson.telemetry.Metrics;
import java.time.Clock;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// The one way to call a tool, whoever calls it. What holds for every call holds here: visibility,
/// the schema of the arguments, the schema of the result, the record.
public final class Broker {
    private volatile Catalogue catalogue;
    private final List<ResourceSource> sources;
    private final List<Prompt> prompts;
    private final Changes changes;
    private final Tally tally;
    private final Recording recording;
    private final Exit exit;

    /// With the usual redaction.
    public Broker(
            Collection<Tool> tools,
            List<ResourceSource> sources,
            Collection<Prompt> prompts,
            Changes changes,
            Metrics metrics,
            CallRecorder recorder,
            Clock clock) {
        this(tools, sources, prompts, changes, metrics, recorder, clock, Redaction.standard());
    }

    /// @param recorder is told of every call
    /// @param redaction of everything that leaves
    public Broker(
            Collection<Tool> tools,
            List<ResourceSource> sources,
            Collection<Prompt> prompts,
            Changes changes,
            Metrics metrics,
            CallRecorder recorder,
            Clock clock,
            Redaction redaction) {
        this.exit = new Exit(redaction);
        this.catalogue = new Catalogue(tools);
        this.sources = List.copyOf(sources);
        this.prompts =
                prompts.stream()
                        .sorted(Comparator.comparing(prompt -> prompt.spec().name()))
                        .toList();
        this.changes = changes;
        this.tally = new Tally(metrics);
        this.recording = new Recording(recorder, clock);
    }

    public Changes changes() {
        return changes;
    }

    /// The tools this caller sees, in the order of their names.
    public List<ToolSpec> tools(Caller caller) {
        return catalogue.visibleTo(caller);
    }

    public Optional<ToolSpec> tool(Caller caller, String name) {
        return catalogue.find(caller, name).map(entry -> entry.tool().spec());
    }

    /// Exchanges all tools and tells whoever sees another list now.
    public synchronized void replaceTools(Collection<Tool> tools) {
        var before = catalogue;
        var after = new Catalogue(tools);
        catalogue = after;
        changes.announce(
                new Change.Tools(
                        caller -> !before.visibleTo(caller).equals(after.visibleTo(caller))));
    }

    /// Calls a tool. A member that is null where the schema wants a value counts as absent.
    /// Arguments that fail the schema are a refusal that names the member. However it ends, it is
    /// recorded before this returns.
    public ToolResult call(Call call, String name, ObjectNode arguments)
            throws InterruptedException {
        var found = catalogue.find(call.caller(), name);
        var recordedName =
                found.map(entry -> entry.listed().name())
                        .orElseGet(() -> shown(call.caller(), name));
        return recording.of(
                call,
                recordedName,
                arguments,
                noted -> {
                    var entry =
                            found.orElseThrow(
                                    () -> unknown(call.caller(), recordedName, arguments));
                    return tally.counted(
                            noted, recordedName, arguments, () -> left(noted, entry, arguments));
                });
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
    public ToolResult refused(Caller caller, String name, Refusal refusal) {
        return catalogue
                .find(caller, name)
                .map(entry -> checked(entry, entry.tool().refused(refusal)))
                .orElseGet(() -> ToolResult.failure(refusal.sentence()));
    }

    private Refusal unknown(Caller caller, String name, ObjectNode arguments) {
        tally.unknown(caller, arguments);
        return UnknownTool.refusal(name, tools(caller));
    }

    /// The answer as it leaves the server.
    private ToolResult left(NotedCall call, Catalogue.Entry entry, ObjectNode given)
            throws InterruptedException {
        try {
            return exit.result(call, entry.tool(), answer(call, entry, given), entry.words());
        } catch (Refusal refusal) {
            throw exit.refusal(call.caller(), entry.tool().secrets(given), refusal);
        }
    }

    private ToolResult answer(NotedCall call, Catalogue.Entry entry, ObjectNode given)
            throws InterruptedException {
        var spec = entry.tool().spec();
        requireFeatures(call, spec);
        var arguments = Absent.without(given, spec.inputSchema());
        var complaints = entry.input().complaints(arguments);
        if (!complaints.isEmpty()) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "The arguments of "
                            + spec.name()
                            + " are not valid: "
                            + String.join("; ", complaints),
                    Map.of("complaints", complaints));
        }
        call.reached(spec, exit.redactor(call, entry.tool()));
        return checked(entry, called(call, entry.tool(), arguments));
    }

    private static ToolResult called(NotedCall call, Tool tool, ObjectNode arguments)
            throws InterruptedException {
        try {
            return tool.call(call, arguments);
        } catch (RuntimeException failure) {
            throw FullDisk.told(failure);
        }
    }

    private static void requireFeatures(Call call, ToolSpec spec) {
        for (var feature : spec.needs()) {
            if (!call.client().contains(feature)) {
                throw new Refusal(
                        Reason.MISSING_CAPABILITY,
                        spec.name()
                                + " needs a client that declares "
                                + feature.name().toLowerCase(Locale.ROOT)
                                + ".",
                        Map.of("feature", feature.name()));
            }
        }
    }

    /// A result that breaks its own promise is our fault, not the caller's.
    private static ToolResult checked(Catalogue.Entry entry, ToolResult result) {
        if (entry.output().isEmpty() || (result.failed() && result.structured().isEmpty())) {
            return result;
        }
        var name = entry.tool().spec().name();
        var value =
                result.structured()
                        .orElseThrow(() ->
                                new IllegalStateException(name + " returned nothing structured"));
        var complaints = entry.output().get().complaints(value);
        if (!complaints.isEmpty()) {
            throw new IllegalStateException(name + " broke its output schema: " + complaints);
        }
        return result;
    }

    public List<ResourceSource.Resource> resources(Caller caller) {
        return sources.stream().flatMap(source -> source.list(caller).stream()).toList();
    }

    public List<ResourceSource.Template> templates(Caller caller) {
        return sources.stream().flatMap(source -> source.templates(caller).stream()).toList();
    }

    public List<ResourceContents> read(Call call, String uri) throws InterruptedException {
        try {
            return exit.resource(call, found(call, uri));
        } catch (Refusal refusal) {
            throw shown(call.caller(), refusal);
        }
    }

    private List<ResourceContents> found(Call call, String uri) throws InterruptedException {
        for (var source : sources) {
            var contents = source.read(call, uri);
            if (contents.isPresent()) {
                return contents.get();
            }
        }
        throw new Refusal(Reason.UNKNOWN_RESOURCE, "Unknown resource: " + uri, Map.of("uri", uri));
    }

    public List<Prompt.Spec> prompts(Caller caller) {
        return prompts.stream().map(Prompt::spec).toList();
    }

    public Prompt prompt(Caller caller, String name) {
        return prompts.stream()
                .filter(prompt -> prompt.spec().name().equals(name))
                .findFirst()
                .orElseThrow(() -> new Refusal(Reason.UNKNOWN_PROMPT, "Unknown prompt: " + name));
    }

    /// Values that could complete an argument of a resource template.
    public List<String> completeTemplate(
            Caller caller, String uriTemplate, String argument, String prefix) {
        return sources.stream()
                .flatMap(source -> source.complete(caller, uriTemplate, argument, prefix).stream())
                .toList();
    }
}
