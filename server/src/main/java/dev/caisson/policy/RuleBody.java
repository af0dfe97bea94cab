package dev.caisson.policy;

import dev.caisson.broker.ToolEffect;
import dev.caisson.json.Describe;
import dev.caisson.json.Length;
import dev.caisson.json.MaxBytes;
import dev.caisson.json.Sparse;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Rule as people write it, in `policy.yaml` and over REST.
@Sparse
public record RuleBody(
        @Describe("Unique among all rules.") @Length(min = 1, max = RuleReader.NAME_MAX)
                String name,
        @Describe("Which calls it decides: those that every member matches. All if absent.")
                Optional<WhenBody> when,
        @Describe("What becomes of them.") Decision decide,
        @Describe("Why, as callers are told.") @Length(min = 1, max = 500) Optional<String> reason,
        @Describe("How long an approval may be waited for, such as 1h; with ask.") @Length(max = 20)
                Optional<String> expires,
        @Describe("Calls of each key, such as 30/m; m, h and d are minutes, hours and days.")
                @Length(max = 20)
                Optional<String> rate,
        @Describe("What each key may use.") Optional<BudgetBody> budget) {
    /// Whether a server is believed what it says of its tools.
    public enum Trust {
        TRUSTED,
        UNTRUSTED
    }

    /// Doors by which calls come in.
    public enum DoorWord {
        MCP,
        STDIO,
        REST,
        CLI,
        SANDBOX,
        INSIDE
    }

    @Sparse
    public record WhenBody(
            @Describe("The name or the id of a key, such as agent-*.") @Length(min = 1, max = 200)
                    Optional<String> caller,
            @Describe("The id of a server, such as github; our own tools are those of caisson.")
                    @Length(min = 1, max = 200)
                    Optional<String> server,
            @Describe("The name of a tool at its server, such as delete_*.")
                    @Length(min = 1, max = 200)
                    Optional<String> tool,
            @Describe("The most that the tool may do.") @Length(min = 1, max = 4)
                    Optional<List<ToolEffect>> effect,
            @Describe("Whether the server is trusted.") Optional<Trust> trust,
            @Describe("Where the call came in.") @Length(min = 1, max = 6)
                    Optional<List<DoorWord>> door,
            @Describe("A JSON Schema that the arguments conform to.")
                    @MaxBytes(RuleReader.RULE_BYTES_MAX)
                    Optional<ObjectNode> arguments) {}

    @Sparse
    public record BudgetBody(
            @Describe("Calls, such as 500/d.") @Length(max = 20) Optional<String> calls,
            @Describe("Bytes of results, such as 1GiB/d.") @Length(max = 20)
                    Optional<String> resultBytes) {}
}
