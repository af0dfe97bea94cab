package dev.caisson;

import dev.caisson.broker.ToolEffect;
import dev.caisson.call.Caller;
import dev.caisson.identity.KeyDirectory;
import dev.caisson.identity.KeyInfo;
import dev.caisson.ledger.UpstreamCall;
import dev.caisson.ledger.UpstreamCalls;
import dev.caisson.policy.CallHistory;
import dev.caisson.policy.PastCall;
import dev.caisson.policy.Subject;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/// Recorded calls of other servers' tools, as the policy looks at them.
record RecordedCalls(UpstreamCalls calls, KeyDirectory keys) implements CallHistory {
    /// Each may have 512 KiB.
    private static final int PAGE = 20;

    @Override
    public Pages since(Instant moment) {
        Map<String, String> names =
                keys.list().stream()
                        .map(KeyInfo::caller)
                        .collect(Collectors.toMap(Caller::id, Caller::name));
        return new Pages() {
            private Optional<UpstreamCall> last = Optional.empty();

            @Override
            public List<PastCall> next() {
                var page = calls.since(moment, last, PAGE);
                if (!page.isEmpty()) {
                    last = Optional.of(page.getLast());
                }
                return page.stream().map(call -> past(call, names)).toList();
            }
        };
    }

    private static PastCall past(UpstreamCall call, Map<String, String> names) {
        var asked = call.asked();
        return new PastCall(
                call.id(),
                call.executionId(),
                call.began(),
                new Subject(
                        call.caller(),
                        call.caller().equals(Caller.LOCAL.id())
                                ? Optional.of(Caller.LOCAL.name())
                                : Optional.ofNullable(names.get(call.caller())),
                        call.upstream(),
                        asked.map(UpstreamCall.Asked::protocolName).orElse(call.tool()),
                        ToolEffect.of(call.effect()).orElse(ToolEffect.UNKNOWN),
                        asked.map(UpstreamCall.Asked::trusted),
                        asked.map(UpstreamCall.Asked::door),
                        call.arguments()
                                .filter(ObjectNode.class::isInstance)
                                .map(ObjectNode.class::cast)),
                asked.flatMap(UpstreamCall.Asked::judgement),
                call.state() != UpstreamCall.State.REFUSED);
    }
}
