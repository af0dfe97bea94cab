package dev.caisson.broker;

import dev.caisson.call.Scope;
import dev.caisson.call.Toolset;
import dev.caisson.json.Json;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/// What is said about a tool. Schemas are JSON trees and reach the wire as they are here, keyword
/// for keyword.
///
/// @param name advertised; desktop clients drop a whole server over one name outside
///   `[a-z0-9_]{1,64}`, so fixtures alone may use more of the specification's alphabet
/// @param toolset the group a caller selects
/// @param aliases names that work when called but are not advertised
/// @param tasks whether a call may become a task
/// @param needs what a client must be able to do before this tool can be called
/// @param scope without which a caller does not see it; absent when any caller may
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
        Optional<Scope> scope) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

    /// What a model may assume about a call, see the annotations of the specification.
    public record Hints(
            boolean readOnly, boolean destructive, boolean idempotent, boolean openWorld) {}

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
    }

    /// The short form: a tool of the `core` set that changes something but destroys nothing.
    public static ToolSpec of(
            String name, String title, String description, ObjectNode inputSchema) {
        return new ToolSpec(
                name,
                title,
                description,
                inputSchema,
                Optional.empty(),
                new Hints(false, false, false, false),
                List.of(),
                Toolset.CORE.word(),
                Set.of(),
                TaskUse.NEVER,
                Set.of(),
                Optional.empty());
    }

    /// A tool without arguments, until [#taking] says which.
    public static ToolSpec of(String name, String title, String description) {
        return of(name, title, description, noArguments());
    }

    /// The schema of a tool without arguments.
    public static ObjectNode noArguments() {
        return Json.object().put("type", "object").put("additionalProperties", false);
    }

    public ToolSpec taking(ObjectNode schema) {
        return new ToolSpec(
                name,
                title,
                description,
                schema,
                outputSchema,
                hints,
                icons,
                toolset,
                aliases,
                tasks,
                needs,
                scope);
    }

    public ToolSpec returning(ObjectNode schema) {
        return new ToolSpec(
                name,
                title,
                description,
                inputSchema,
                Optional.of(schema),
                hints,
                icons,
                toolset,
                aliases,
                tasks,
                needs,
                scope);
    }

    public ToolSpec hinted(Hints newHints) {
        return new ToolSpec(
                name,
                title,
                description,
                inputSchema,
                outputSchema,
                newHints,
                icons,
                toolset,
                aliases,
                tasks,
                needs,
                scope);
    }

    public ToolSpec pictured(Icon... newIcons) {
        return new ToolSpec(
                name,
                title,
                description,
                inputSchema,
                outputSchema,
                hints,
                List.of(newIcons),
                toolset,
                aliases,
                tasks,
                needs,
                scope);
    }

    public ToolSpec in(String newToolset) {
        return new ToolSpec(
                name,
                title,
                description,
                inputSchema,
                outputSchema,
                hints,
                icons,
                newToolset,
                aliases,
                tasks,
                needs,
                scope);
    }

    public ToolSpec alsoCalled(String... names) {
        return new ToolSpec(
                name,
                title,
                description,
                inputSchema,
                outputSchema,
                hints,
                icons,
                toolset,
                Set.of(names),
                tasks,
                needs,
                scope);
    }

    public ToolSpec asTask(TaskUse use) {
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
                use,
                needs,
                scope);
    }

    public ToolSpec needing(ClientFeature... features) {
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
                Set.of(features),
                scope);
    }

    /// Seen only by callers with this scope.
    public ToolSpec within(Scope newScope) {
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
                Optional.of(newScope));
    }
}
