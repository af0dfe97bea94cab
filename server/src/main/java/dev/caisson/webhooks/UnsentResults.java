package dev.caisson.webhooks;

import dev.caisson.json.Json;
import dev.caisson.share.Budget;
import dev.caisson.store.Store;
import dev.caisson.store.Transaction;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// Results that wait to be sent. One that is given up is still sent, but says only how the run
/// ended and where the rest is.
record UnsentResults(Store store) implements Budget.Kept {
    /// What a shortened one may take at most.
    static final int SHORT_LENGTH_MAX = 8 << 10;

    private static final List<String> SHORT =
            List.of("execution_id", "run_id", "trace_id", "status", "exit_code");
    private static final int TEXT_LENGTH_MAX = 200;

    @Override
    public Map<String, Long> bytes() {
        return store.read(DeliveryRows::bytes);
    }

    @Override
    public int giveUp(String owner, long bytes) {
        var total = 0;
        for (var left = bytes; left > 0; total++) {
            var freed = store.write(handle -> shortenOldest(handle, owner));
            if (freed == 0) {
                break;
            }
            left -= freed;
        }
        return total;
    }

    private static long shortenOldest(Transaction handle, String owner) {
        return DeliveryRows.oldestLarge(handle, owner, SHORT_LENGTH_MAX)
                .map(large -> {
                    var body = shortened(large);
                    DeliveryRows.replace(handle, large.id(), body);
                    return large.bytes() - body.length();
                })
                .orElse(0L);
    }

    private static String shortened(DeliveryRows.Large large) {
        var body = (ObjectNode) Json.parse(large.body());
        var whole = body.path("data");
        var data = Json.object();
        for (var name : SHORT) {
            var value = whole.path(name);
            if (value.isNumber()
                    || (value.isString() && value.asString().length() < TEXT_LENGTH_MAX)) {
                data.set(name, value);
            }
        }
        data.put(
                "note",
                "Too many results of this key wait to be sent. GET /v1/executions/"
                        + large.executionId()
                        + " has the rest of this one.");
        body.set("data", data);
        return Json.text(body);
    }
}
