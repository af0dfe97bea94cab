package dev.caisson;

import dev.caisson.call.Door;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.http.Exchange;
import dev.caisson.http.Operations;
import dev.caisson.identity.Gate;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Access check of `/metrics`: the figures tell how much is run, in which language and with what
/// success.
record MetricsGuard(Gate gate) implements Operations.Guard {
    /// Empty when everybody reads them.
    static Optional<Operations.Guard> of(Config config, Gate gate) {
        var open =
                switch (config.telemetry().metricsAccess()) {
                    case OPEN -> true;
                    case KEY -> false;
                    case AUTO -> config.http().isLocal();
                };
        return open ? Optional.empty() : Optional.of(new MetricsGuard(gate));
    }

    @Override
    public void admit(Exchange exchange) {
        var caller =
                gate.admit(Door.REST, exchange.clientAddress(), exchange.header("Authorization"));
        if (!caller.may(Scope.ADMIN) && !caller.may(Scope.AUDIT)) {
            throw new Refusal(
                    Reason.FORBIDDEN,
                    "The metrics need a key with the scope admin or audit.",
                    Map.of("scopes", List.of(Scope.ADMIN.word(), Scope.AUDIT.word())));
        }
        exchange.admitted(caller);
    }
}
