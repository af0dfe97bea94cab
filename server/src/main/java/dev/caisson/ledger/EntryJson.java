package dev.caisson.ledger;

import dev.caisson.json.Json;
import tools.jackson.databind.node.ObjectNode;

/// An entry as a JSON object. It has every field of the [EntryEncoding] that [Chain] hashes, by the
/// same names, so that the chain can be checked from an export alone.
public final class EntryJson {
    private EntryJson() {}

    static String line(LinkedEntry linked) {
        return Json.text(tree(linked));
    }

    public static ObjectNode tree(LinkedEntry linked) {
        var entry = linked.entry();
        var tree = Json.object().put("sequence", linked.sequence());
        tree.put("time", entry.at().toString()).put("at", entry.at().toEpochMilli());
        tree.put("caller", entry.caller()).put("door", entry.door()).put("tool", entry.tool());
        tree.put("arguments_hash", entry.argumentsHash());
        entry.codeHash().ifPresent(hash -> tree.put("code_hash", hash));
        tree.put("result_bytes", entry.resultBytes()).put("status", entry.status());
        tree.put("duration_micros", entry.durationMicros());
        entry.approval().ifPresent(decision -> tree.put("approval", decision));
        tree.put("redactions", entry.redactions()).put("trace_id", entry.traceId());
        var subject = entry.subject();
        subject.executionId().ifPresent(id -> tree.put("execution_id", id));
        subject.metadataHash().ifPresent(hash -> tree.put("metadata_hash", hash));
        subject.keyId().ifPresent(id -> tree.put("key_id", id));
        subject.execution().ifPresent(id -> tree.put("execution", id));
        subject.judgement().ifPresent(by -> tree.put("policy", by.policy()).put("rule", by.rule()));
        return tree.put("previous_hash", linked.previousHash()).put("hash", linked.hash());
    }
}
