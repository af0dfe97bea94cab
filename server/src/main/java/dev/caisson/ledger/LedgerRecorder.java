package dev.caisson.ledger;

import dev.caisson.broker.CallRecorder;
import dev.caisson.broker.RecordedCall;
import dev.caisson.broker.ToolResult;
import dev.caisson.call.KeyedDigest;
import dev.caisson.call.NestedIn;
import dev.caisson.json.Json;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// Recorder that makes a ledger entry of every call. It keeps hashes and sizes, never arguments or
/// results.
///
/// A call that may have changed something is answered only when its entry is durable. One that
/// changed nothing, because it was refused or its tool only reads, is answered when its entry
/// outlives the server, however that ends; the disk has it within milliseconds. If the machine dies
/// in between, no more than such entries are lost, and the chain holds. That is the default,
/// because waiting for the disk would take most of the time of a call that does little.
public final class LedgerRecorder implements CallRecorder {
    /// How much of a name that no tool has is kept, in characters.
    static final int TOOL_LENGTH_MAX = 128;

    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_.-]+");

    private static final int REPLACEMENT = 0xfffd;

    private final Ledger ledger;
    private final KeyedDigest digest;
    private final boolean alwaysWait;

    /// @param digest of arguments
    /// @param alwaysWait whether every call waits for its entry
    public LedgerRecorder(Ledger ledger, KeyedDigest digest, boolean alwaysWait) {
        this.ledger = ledger;
        this.digest = digest;
        this.alwaysWait = alwaysWait;
    }

    @Override
    public void record(RecordedCall call) {
        if (call.notes().isRecorded()) {
            return;
        }
        var entry = entry(call);
        if (alwaysWait || call.changing()) {
            ledger.record(entry);
        } else {
            ledger.appendLater(entry);
        }
    }

    private Entry entry(RecordedCall call) {
        return new Entry(
                call.at(),
                call.caller().id(),
                call.door().word(),
                printable(call.tool()),
                digest.of(call.caller().id(), Json.bytes(call.arguments())),
                call.notes().codeHash(),
                call.notes().handedOutBytes() + call.result().map(ToolResult::bytes).orElse(0L),
                call.ending().word(),
                call.duration(),
                call.notes().approval(),
                call.notes().redactions(),
                call.trace().id().value(),
                new Entry.Subject(
                        call.notes().execution(),
                        call.notes().metadata().map(metadata -> hash(call, metadata)),
                        Optional.empty(),
                        call.notes().nestedIn().map(NestedIn::executionId),
                        call.notes().judgement()));
    }

    private String hash(RecordedCall call, JsonNode metadata) {
        return digest.of(call.caller().id(), Json.bytes(metadata));
    }

    /// A caller's text, made fit for every database and every terminal.
    private static String printable(String text) {
        if (text.length() <= TOOL_LENGTH_MAX && NAME.matcher(text).matches()) {
            return text;
        }
        var kept = text.substring(0, Math.min(text.length(), TOOL_LENGTH_MAX));
        return kept.codePoints()
                .map(point ->
                        Character.isISOControl(point) || surrogate(point) ? REPLACEMENT : point)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static boolean surrogate(int point) {
        return point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
    }
}
