package dev.caisson.ledger;

import dev.caisson.call.CodePlace;
import dev.caisson.call.Door;
import dev.caisson.call.Judgement;
import dev.caisson.json.Json;
import dev.caisson.ledger.UpstreamCall.Asked;
import dev.caisson.ledger.UpstreamCall.State;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;

/// Form of a call in the file of [Intents]: a JSON object with the members of an [UpstreamCall]
/// that is under way, each by a name that is never used for anything else, and `boot`, which names
/// the boot of the machine in which it was written.
record IntentForm(String boot, UpstreamCall call) {
    byte[] bytes() {
        var form =
                Json.object()
                        .put("boot", boot)
                        .put("id", call.id())
                        .put("number", call.number())
                        .put("caller", call.caller())
                        .put("upstream", call.upstream())
                        .put("tool", call.tool())
                        .put("hash", call.hash())
                        .put("arguments_hash", call.argumentsHash())
                        .put("argument_bytes", call.argumentBytes())
                        .put("effect", call.effect())
                        .put("began", call.began().toEpochMilli());
        call.executionId().ifPresent(id -> form.put("execution", id));
        call.at().ifPresent(at -> form.put("file", at.file()).put("line", at.line()));
        call.arguments().ifPresent(arguments -> form.set("arguments", arguments));
        call.asked()
                .ifPresent(asked -> {
                    form.put("protocol_name", asked.protocolName())
                            .put("door", asked.door().word())
                            .put("trusted", asked.trusted());
                    asked.judgement()
                            .ifPresent(
                                    by -> form.put("policy", by.policy()).put("rule", by.rule()));
                });
        return Json.bytes(form);
    }

    static IntentForm read(byte[] bytes) {
        var form = Json.parse(bytes);
        var call =
                new UpstreamCall(
                        text(form, "id"),
                        optional(form, "execution"),
                        form.path("number").longValue(),
                        optional(form, "file")
                                .flatMap(file ->
                                        CodePlace.said(file, form.path("line").longValue())),
                        text(form, "caller"),
                        text(form, "upstream"),
                        text(form, "tool"),
                        text(form, "hash"),
                        text(form, "arguments_hash"),
                        Optional.ofNullable(form.get("arguments")),
                        State.INTENDED,
                        text(form, "effect"),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        form.path("argument_bytes").longValue(),
                        OptionalLong.empty(),
                        Instant.ofEpochMilli(form.path("began").longValue()),
                        OptionalLong.empty(),
                        optional(form, "protocol_name")
                                .map(name ->
                                        new Asked(
                                                name,
                                                Door.ofWord(text(form, "door")),
                                                form.path("trusted").booleanValue(),
                                                judgement(form))),
                        Optional.empty());
        return new IntentForm(text(form, "boot"), call);
    }

    private static Optional<Judgement> judgement(JsonNode form) {
        return optional(form, "rule").map(rule -> new Judgement(text(form, "policy"), rule));
    }

    private static String text(JsonNode form, String member) {
        return form.path(member).stringValue();
    }

    private static Optional<String> optional(JsonNode form, String member) {
        return Optional.ofNullable(form.get(member)).map(JsonNode::stringValue);
    }
}
