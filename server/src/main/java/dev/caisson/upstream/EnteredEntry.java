package dev.caisson.upstream;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Entry of an upstream that a request or a command brings: it may have less than one in the file.
/// Values of headers and credentials come from the vault, so that no answer and no command line can
/// hold one, and a request names a command only where the operator says so: a stolen key must not
/// start programs.
public final class EnteredEntry {
    private EnteredEntry() {}

    /// @param commands whether programs may be named
    /// @throws Refusal FORBIDDEN for a command; INVALID_ARGUMENT with every mistake
    public static UpstreamSettings read(String id, ObjectNode entry, boolean commands) {
        if (entry.has("command") && !commands) {
            throw new Refusal(
                    Reason.FORBIDDEN,
                    "This server takes no commands over REST. Add it with `caisson upstream add`, write it in the file of upstreams.file, or set upstreams.api_commands.",
                    Map.of("parameter", "command"));
        }
        try {
            requireNoSecrets(entry);
            return UpstreamReader.read(id, entry);
        } catch (UpstreamMistakes wrong) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    wrong.sentences(),
                    Map.of(
                            "complaints",
                            wrong.all().stream().map(UpstreamMistake::sentence).toList()));
        }
    }

    private static void requireNoSecrets(ObjectNode entry) throws UpstreamMistakes {
        var mistakes = new ArrayList<UpstreamMistake>();
        if (EntryMask.isIn(entry)) {
            mistakes.add(
                    new UpstreamMistake(
                            "The entry",
                            "has " + EntryMask.HIDDEN + " in place of a value",
                            "Write the value, or ${secret:name}."));
        }
        literals("credentials.headers", entry.at("/credentials/headers"), mistakes);
        literals("credentials.env", entry.at("/credentials/env"), mistakes);
        for (var variable : entry.path("env").properties()) {
            if (SecretWords.isSecret(variable.getKey())
                    && !EntryMask.isReference(variable.getValue())) {
                mistakes.add(literal("env." + variable.getKey()));
            }
        }
        if (!mistakes.isEmpty()) {
            throw new UpstreamMistakes(mistakes);
        }
    }

    private static void literals(String member, JsonNode values, List<UpstreamMistake> mistakes) {
        for (var one : values.properties()) {
            if (!EntryMask.isReference(one.getValue())) {
                mistakes.add(literal(member + "." + one.getKey()));
            }
        }
    }

    private static UpstreamMistake literal(String member) {
        return new UpstreamMistake(
                member.length() > 100 ? member.substring(0, 100) + "…" : member,
                "has its value in the request",
                "Keep it in the vault, with `caisson secret set`, and write ${secret:name}.");
    }
}
