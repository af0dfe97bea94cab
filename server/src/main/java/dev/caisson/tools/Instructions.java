package dev.caisson.tools;

import dev.caisson.broker.ToolSpec;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// What a model should know before it uses the tools it sees: which there are, and how threads,
/// sessions and files work here, with the limits in force.
public final class Instructions {
    private final Executions executions;
    private final List<ToolSpec> tools;
    private final Set<String> names;

    private Instructions(Executions executions, List<ToolSpec> tools) {
        this.executions = executions;
        this.tools = tools;
        this.names = tools.stream().map(ToolSpec::name).collect(Collectors.toSet());
    }

    /// @param tools those the caller sees
    public static String of(Executions executions, List<ToolSpec> tools) {
        return new Instructions(executions, List.copyOf(tools)).text();
    }

    private String text() {
        var text =
                new StringBuilder(
                        "Caisson runs programs in isolated sandboxes and keeps their files.");
        if (tools.isEmpty()) {
            return text.append(" This key sees no tools here.").toString();
        }
        text.append(" Tools: ")
                .append(
                        tools.stream()
                                .map(tool -> tool.name() + " (" + tool.title() + ")")
                                .collect(Collectors.joining(", ")))
                .append(".");
        if (names.contains(SandboxExecute.NAME)) {
            text.append("\n\n").append(running());
        }
        if (names.contains(FilesList.NAME)) {
            text.append("\n\n").append(files());
        }
        return text.toString();
    }

    private String running() {
        return SandboxExecute.NAME
                + " runs one program in a fresh sandbox. Languages: "
                + Descriptions.languages(executions)
                + ". Name a thread_id of your choice to keep the files of /workspace from call to"
                + " call; without one they are gone after the call. One call at a time runs in a"
                + " thread."
                + (executions.sessions().limits().total() > 0
                        ? Descriptions.sessions(executions.sessions().limits())
                        : "")
                + " "
                + Descriptions.limits(executions);
    }

    private static String files() {
        return "The files of threads and volumes are read and written without running a program:"
                + " name source (thread or volume), its id, and a path from its root, as files_list"
                + " shows them. Volumes are at /volumes/<name> in the programs of those who may use"
                + " them.";
    }
}
