package dev.caisson.tools;

import dev.caisson.json.Json;
import dev.caisson.json.MaxBytes;
import dev.caisson.sandbox.Language;
import dev.caisson.sandbox.Runner;
import dev.caisson.session.SessionLimits;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/// What is said about running code here: exactly what is configured and really there.
final class Descriptions {
    private Descriptions() {}

    /// The languages with their versions, such as `python 3.11.2, bash 5.2`.
    static String languages(Executions executions) {
        var runners = executions.runs().runners().available();
        return runners.isEmpty()
                ? "none at the moment"
                : runners.stream()
                        .map(runner -> runner.language().word() + " " + runner.version())
                        .collect(Collectors.joining(", "));
    }

    static String limits(Executions executions) {
        var profile = executions.profile();
        var limits = profile.limits();
        return "Limits: %s unless timeout asks for up to %s; %s of memory; %s cores; %d processes; "
                        .formatted(
                                Words.duration(limits.wall()),
                                Words.duration(profile.wallMax()),
                                Words.bytes(limits.memoryBytes()),
                                limits.cpus(),
                                limits.processes())
                + "%s of /tmp; workspace: %s. "
                        .formatted(Words.bytes(limits.tmpBytes()), executions.threads().capacity())
                + "No network, so nothing can be installed. The first and last part of each stream is returned, %s of stdout and %s of stderr in all; "
                        .formatted(
                                Words.bytes(executions.spool().limits().stdoutInlineBytes()),
                                Words.bytes(executions.spool().limits().stderrInlineBytes()))
                + "output_read reads the rest, up to %s."
                        .formatted(Words.bytes(executions.spool().limits().spoolBytes()));
    }

    /// When files come with links, and for how long those work.
    static String links(Executions executions) {
        return "Each file in the structured result that is kept has a link, url, which fetches it"
                + " without a key for %s; there is none without a kept workspace, over stdio, and for a key that may not read files. "
                        .formatted(Words.duration(executions.linkLife()));
    }

    static void limitTimeout(Executions executions, ObjectNode schema) {
        var profile = executions.profile();
        property(schema, "timeout")
                .put("maximum", profile.wallMax().toSeconds())
                .put("default", profile.limits().wall().toSeconds());
    }

    /// What a session keeps, and what ends it.
    static String sessions(SessionLimits limits) {
        return " With session: true and a thread_id the interpreter itself stays: variables,"
                + " functions, imports, working directory, environment and background processes are"
                + " there in the next call with session. It ends by exit, by running out of memory,"
                + " when a program does not heed the interrupt at its time limit, by session_reset,"
                + " and after "
                + Words.duration(limits.idle())
                + " without a call; session.state of the answer is new, kept or restarted, with the"
                + " reason. Memory and processes are limited for a session as a whole, time for each"
                + " call.";
    }

    /// Narrows the choice of a language to those that are there.
    static void narrowLanguages(Executions executions, ObjectNode schema) {
        var runners = executions.runs().runners().available();
        if (runners.isEmpty()) {
            return;
        }
        var words = Json.array();
        runners.stream().map(Runner::language).distinct().map(Language::word).forEach(words::add);
        property(schema, "language").set("enum", words);
    }

    /// Bounds a member that sets environment variables.
    static void variables(Executions executions, ObjectNode schema, String name) {
        property(schema, name)
                .put(MaxBytes.KEYWORD, executions.profile().envBytesMax())
                .putObject("propertyNames")
                .put("pattern", EnvVars.NAME_PATTERN);
    }

    static ObjectNode property(ObjectNode schema, String name) {
        return (ObjectNode) schema.get("properties").get(name);
    }
}
