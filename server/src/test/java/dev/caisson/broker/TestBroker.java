package dev.caisson.broker;

import dev.caisson.call.Changes;
import dev.caisson.redact.Redaction;
import dev.caisson.telemetry.Metrics;
import java.time.Clock;
import java.util.Collection;
import java.util.List;

/// Makes brokers that allow everything.
public final class TestBroker {
    private TestBroker() {}

    /// A broker with these tools alone.
    public static Broker of(Collection<? extends Tool> tools, CallRecorder recorder, Clock clock) {
        var changes = new Changes();
        return of(
                Broker.Sources.ofTools(new ToolList(tools, changes)),
                changes,
                new Recording(recorder, new Metrics(), clock));
    }

    /// A broker with the usual redaction.
    public static Broker of(Broker.Sources sources, Changes changes, Recording recording) {
        return new Broker(sources, CallRules.ALLOW_ALL, changes, recording, Redaction.standard());
    }

    /// Sources of tools and resources.
    public static Broker.Sources sources(ToolSource tools, ResourceSource... resources) {
        return new Broker.Sources(List.of(tools), List.of(resources), List.of());
    }
}
