package dev.caisson.tools;

import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Remedy;
import dev.caisson.runs.RunOffer;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Server instructions for a model: how to work here with the tools it is listed, in a few
/// sentences that are true of this server.
public final class Instructions {
    private final RunOffer offer;
    private final List<ToolSpec> tools;
    private final Set<String> names;

    private Instructions(RunOffer offer, List<ToolSpec> tools) {
        this.offer = offer;
        this.tools = tools;
        this.names = tools.stream().map(ToolSpec::name).collect(Collectors.toSet());
    }

    /// @param tools those the caller sees
    public static String of(RunOffer offer, List<ToolSpec> tools) {
        return new Instructions(offer, List.copyOf(tools)).text();
    }

    private String text() {
        if (tools.isEmpty()) {
            return "Caisson runs programs in isolated sandboxes. This key sees no tools here.";
        }
        var text = new StringBuilder("Caisson runs programs in isolated sandboxes.");
        if (names.contains(SandboxExecute.NAME)) {
            text.append(running());
        }
        if (names.contains(Remedy.WAIT_FOR_EXECUTION.word())) {
            text.append(" Run what takes minutes with background: true, and wait for it with ")
                    .append(Remedy.WAIT_FOR_EXECUTION.word())
                    .append('.');
        }
        if (names.contains(OutputRead.NAME)) {
            text.append(" Print what you want to read; ")
                    .append(OutputRead.NAME)
                    .append(" has what was too long for the answer.");
        }
        if (names.contains(FilesList.NAME)) {
            text.append(files());
        }
        return text.toString();
    }

    private String running() {
        return " Run code with "
                + SandboxExecute.NAME
                + "; languages: "
                + Descriptions.languages(offer)
                + ". "
                + Descriptions.installed(offer)
                + "Choose a thread_id and give it in every call that shall find the files of the ones"
                + " before in /workspace; without one they are erased. One call at a time runs in a"
                + " thread. "
                + Descriptions.sessions(offer.sessions())
                + "To show a chart, save it as a PNG in /workspace. When a run fails, read stderr and"
                + " advice, change the program and run it again.";
    }

    private static String files() {
        return " The file tools read and write threads and volumes without a program: source is"
                + " thread or volume, id the thread_id or the volume's name, path as files_list shows"
                + " it. Volumes are at /volumes/<name> in programs.";
    }
}
