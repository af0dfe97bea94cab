package dev.caisson.broker;

import dev.caisson.call.ClientFeature;
import dev.caisson.call.Scope;
import dev.caisson.call.Toolset;
import dev.caisson.json.Json;
import dev.caisson.json.SchemaOf;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/// Declaration of a tool: its names, schemas and rules, as the catalogue lists it. Schemas are JSON
/// trees and reach the wire as they are here, keyword for keyword.
///
/// @param name advertised; desktop clients drop a whole server over one name outside
///   `[a-z0-9_]{1,64}`, so fixtures alone may use more of the specification's alphabet
/// @param toolset the group a caller selects
/// @param aliases names that work when called but are not advertised
/// @param tasks whether a call may become a task
/// @param needs what a client must be able to do before this tool can be called
/// @param synonyms by the name of an argument, other words for those of its fixed set
/// @param ofRecords whether its schemas are those of our records, which are listed in brief
/// @param outputListed whether the list names the members of its results
/// @param unlisted members that are taken or answered, and left out of the list to keep it short
/// @param scope without which a caller does not see it; absent when any caller may
/// @param origin the other server whose tool it is; absent for our own
/// @param inCode how it stands in the list of the toolset `code`
public record ToolSpec(
        String name,
        String title,
        String description,
        ObjectNode inputSchema,
        Optional<ObjectNode> outputSchema,
        Hints hints,
        List<Icon> icons,
        String toolset,
        Set<String> aliases,
        TaskUse tasks,
        Set<ClientFeature> needs,
        Map<String, Map<String, String>> synonyms,
        boolean ofRecords,
        boolean outputListed,
        Set<String> unlisted,
        Optional<Scope> scope,
        Optional<ToolOrigin> origin,
        CodeListing inCode) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

    /// Assumptions a model may make about a call, see the annotations of the specification.
    public record Hints(
            boolean readOnly, boolean destructive, boolean idempotent, boolean openWorld) {
        /// A call changes something but destroys nothing.
        public static final Hints NONE = new Hints(false, false, false, false);

        /// A call changes nothing.
        public static final Hints READS = new Hints(true, false, true, false);

        /// A call may destroy something, and a second one changes no more.
        public static final Hints REPLACES = new Hints(false, true, true, false);
    }

    /// @param src an https or data URI
    public record Icon(String src, String mimeType, List<String> sizes) {}

    /// Whether a call of this tool may, or must, go on as a task.
    public enum TaskUse {
        NEVER,
        OPTIONAL,
        REQUIRED
    }

    public ToolSpec {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("tool name " + name + " must match " + NAME);
        }
        icons = List.copyOf(icons);
        aliases = Set.copyOf(aliases);
        needs = Set.copyOf(needs);
        synonyms = Map.copyOf(synonyms);
        unlisted = Set.copyOf(unlisted);
    }

    /// The declaration as it is listed: true and short. Calls are checked against the whole of it.
    /// The schemas of others go out as they are.
    ToolSpec brief() {
        if (!ofRecords) {
            return this;
        }
        return new ToolSpec(
                name,
                title,
                description,
                BriefSchema.input(inputSchema, unlisted),
                outputSchema.map(schema ->
                        outputListed
                                ? BriefSchema.output(schema, unlisted)
                                : BriefSchema.anyOutput()),
                hints,
                icons,
                toolset,
                aliases,
                tasks,
                needs,
                synonyms,
                true,
                outputListed,
                unlisted,
                scope,
                origin,
                inCode);
    }

    /// As it is listed among the tools of `code`: in fewer words, with fewer members, and nothing
    /// about results. Calls are checked against the whole of it.
    ToolSpec briefInCode() {
        if (!inCode.shortened()) {
            return brief();
        }
        return new ToolSpec(
                name,
                title,
                inCode.description(),
                BriefSchema.only(inputSchema, inCode.members()),
                Optional.empty(),
                hints,
                icons,
                toolset,
                aliases,
                tasks,
                needs,
                synonyms,
                true,
                false,
                unlisted,
                scope,
                origin,
                inCode);
    }

    /// The same tool, which says something else of itself.
    ToolSpec saying(String newDescription) {
        return new ToolSpec(
                name,
                title,
                newDescription,
                inputSchema,
                outputSchema,
                hints,
                icons,
                toolset,
                aliases,
                tasks,
                needs,
                synonyms,
                ofRecords,
                outputListed,
                unlisted,
                scope,
                origin,
                inCode);
    }

    /// All toolsets it stands in.
    Set<String> toolsets() {
        return inCode.shortened() ? Set.of(toolset, Toolset.CODE.word()) : Set.of(toolset);
    }

    /// The server and the name there, by which a model finds it: `caisson.files_list`.
    public String qualifiedName() {
        return origin.map(ToolOrigin::qualifiedName).orElseGet(() -> server() + "." + name);
    }

    /// Where it comes from, also for our own.
    public ToolOrigin effectiveOrigin() {
        return origin.orElseGet(() -> ToolOrigin.own(this));
    }

    /// The id of the server whose tool it is.
    public String server() {
        return origin.map(ToolOrigin::server).orElse(ToolOrigin.OWN_SERVER);
    }

    /// A tool without arguments, in the `core` set, that changes something but destroys nothing:
    /// until the builder says otherwise.
    public static Builder named(String name, String title, String description) {
        return new Builder(name, title, description);
    }

    /// The declaration of a tool of which nothing else is said.
    public static ToolSpec of(
            String name, String title, String description, ObjectNode inputSchema) {
        return named(name, title, description).taking(inputSchema).build();
    }

    /// The schema of a tool without arguments.
    public static ObjectNode noArguments() {
        return Json.object().put("type", "object").put("additionalProperties", false);
    }

    /// Builder of a declaration; each method names one thing that is said about the tool.
    public static final class Builder {
        private final String name;
        private final String title;
        private final String description;
        private ObjectNode inputSchema = noArguments();
        private Optional<ObjectNode> outputSchema = Optional.empty();
        private Consumer<ObjectNode> narrowing = _ -> {};
        private Optional<Class<? extends Record>> refusal = Optional.empty();
        private Optional<Class<? extends Record>> running = Optional.empty();
        private Hints hints = Hints.NONE;
        private List<Icon> icons = List.of();
        private String toolset = Toolset.CORE.word();
        private Set<String> aliases = Set.of();
        private TaskUse tasks = TaskUse.NEVER;
        private Set<ClientFeature> needs = Set.of();
        private Map<String, Map<String, String>> synonyms = Map.of();
        private boolean ofRecords;
        private boolean outputListed;
        private Set<String> unlisted = Set.of();
        private Optional<Scope> scope = Optional.empty();
        private Optional<ToolOrigin> origin = Optional.empty();
        private CodeListing inCode = CodeListing.NONE;

        private Builder(String name, String title, String description) {
            this.name = name;
            this.title = title;
            this.description = description;
        }

        public Builder taking(ObjectNode schema) {
            inputSchema = schema;
            return this;
        }

        public Builder taking(Class<? extends Record> input) {
            ofRecords = true;
            return taking(
                    input.getRecordComponents().length == 0
                            ? noArguments()
                            : SchemaOf.record(input));
        }

        public Builder returning(ObjectNode schema) {
            outputSchema = Optional.of(schema);
            return this;
        }

        /// The schema of an output record, or of a refused call where there is one.
        public Builder returning(Class<? extends Record> output) {
            var others = new ArrayList<Class<? extends Record>>();
            running.ifPresent(others::add);
            refusal.ifPresent(others::add);
            return returning(SchemaOf.result(output, others));
        }

        /// The record a call answers with, in place of the output record, while its work goes on.
        public Builder orRunning(Class<? extends Record> newRunning) {
            running = Optional.of(newRunning);
            return this;
        }

        /// The record a refused call answers with, in place of the output record.
        public Builder orRefused(Class<? extends Record> newRefusal) {
            refusal = Optional.of(newRefusal);
            return this;
        }

        /// Says more about the input than its record can: what is known when the server runs.
        public Builder narrowing(Consumer<ObjectNode> schema) {
            narrowing = schema;
            return this;
        }

        public Builder hinted(Hints newHints) {
            hints = newHints;
            return this;
        }

        public Builder pictured(Icon... newIcons) {
            icons = List.of(newIcons);
            return this;
        }

        public Builder in(String newToolset) {
            toolset = newToolset;
            return this;
        }

        public Builder in(Toolset newToolset) {
            return in(newToolset.word());
        }

        /// Names that work when called but are not advertised.
        public Builder alsoCalled(String... names) {
            aliases = Set.of(names);
            return this;
        }

        public Builder asTask(TaskUse use) {
            tasks = use;
            return this;
        }

        public Builder needing(ClientFeature... features) {
            needs = Set.of(features);
            return this;
        }

        /// Takes other words for those of the fixed set of an argument.
        public Builder taking(String argument, Map<String, String> otherWords) {
            synonyms = Map.of(argument, otherWords);
            return this;
        }

        /// Names the members of its results in the list, because models work with them.
        public Builder listingOutput() {
            outputListed = true;
            return this;
        }

        /// Members that are taken or answered, and not listed.
        public Builder unlisted(String... arguments) {
            unlisted = Set.of(arguments);
            return this;
        }

        /// Seen only by callers with this scope.
        public Builder within(Scope newScope) {
            scope = Optional.of(newScope);
            return this;
        }

        /// A tool of another server.
        public Builder from(ToolOrigin newOrigin) {
            origin = Optional.of(newOrigin);
            return this;
        }

        /// Listed among the tools of `code` too, in fewer words and with these members alone.
        public Builder alsoInCode(String newDescription, String... members) {
            inCode = new CodeListing(true, newDescription, Set.of(members), false);
            return this;
        }

        /// Listed with the ids of the servers whose tools a caller may call.
        public Builder namingServers() {
            inCode = new CodeListing(false, "", Set.of(), true);
            return this;
        }

        public ToolSpec build() {
            narrowing.accept(inputSchema);
            return new ToolSpec(
                    name,
                    title,
                    description,
                    inputSchema,
                    outputSchema,
                    hints,
                    icons,
                    toolset,
                    aliases,
                    tasks,
                    needs,
                    synonyms,
                    ofRecords,
                    outputListed,
                    unlisted,
                    scope,
                    origin,
                    inCode);
        }
    }
}
