package dev.caisson.mcp.server;

import dev.caisson.broker.Broker;
import dev.caisson.broker.ToolLookup;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.identity.TokenCaller;
import dev.caisson.json.Json;
import dev.caisson.rpc.ProtocolError;
import dev.caisson.rpc.RpcError;
import dev.caisson.rpc.RpcResponse;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Refusal of a call whose caller has a token without the scope of the tool. Its client can get one
/// with more scopes, so it is told which; the holder of a key cannot, and to it there is no such
/// tool.
public final class MissingScope {
    private static final int STATUS = 403;

    private MissingScope() {}

    /// What to throw for a refused call: the refusal, unless a scope is why.
    static RuntimeException of(Broker broker, Caller caller, ToolLookup tool, Refusal refusal) {
        return refusal.reason() == Reason.UNKNOWN_TOOL && TokenCaller.is(caller)
                ? needed(broker, caller, tool)
                        .<RuntimeException>map(MissingScope::error)
                        .orElse(refusal)
                : refusal;
    }

    private static Optional<Scope> needed(Broker broker, Caller caller, ToolLookup tool) {
        return broker.find(caller.having(Set.of(Scope.values())), tool.given())
                .spec()
                .flatMap(ToolSpec::scope)
                .filter(scope -> !caller.may(scope));
    }

    private static ProtocolError error(Scope scope) {
        var refusal =
                new Refusal(
                        Reason.FORBIDDEN,
                        "This needs a token with the scope " + TokenCaller.word(scope) + ".");
        var data = Codec.details(refusal);
        data.set(Refusal.SCOPES, Json.tree(List.of(scope.word())));
        return new ProtocolError(
                RpcError.of(Codec.FORBIDDEN, refusal.sentence(), STATUS).with(data),
                Optional.empty());
    }

    /// The scope that an answer says is missing.
    public static Optional<String> needed(RpcResponse answer) {
        return answer.status() == STATUS
                ? Optional.ofNullable(
                        answer.message()
                                .at("/error/data/" + Refusal.SCOPES + "/0")
                                .stringValue(null))
                : Optional.empty();
    }
}
