package dev.caisson.identity;

import dev.caisson.call.NetworkRule;
import dev.caisson.call.NetworkRules;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.DefaultsTo;
import dev.caisson.json.Describe;
import dev.caisson.json.Length;
import dev.caisson.json.MaxBytes;
import dev.caisson.json.Named;
import dev.caisson.json.Sparse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Network of a key as JSON: how it is asked for, kept and shown.
public record NetworkForm(
        @Describe("What programs may reach; nothing else.") @Length(max = NetworkRules.COUNT_MAX)
                List<Rule> allow) {
    /// How much a network may take, as JSON.
    public static final int BYTES_MAX = 32 << 10;

    private static final String HIDDEN = "***";

    /// No network.
    public static final NetworkForm NONE = new NetworkForm(List.of());

    public NetworkForm {
        allow = List.copyOf(allow);
    }

    /// One host.
    @Sparse
    public record Rule(
            @Describe(
                            "A name, *. and a name for all names below it, or an address in its usual"
                                    + " form.")
                    @Length(min = 1, max = NetworkRule.HOST_LENGTH_MAX)
                    String host,
            @Describe("443 when absent.") @Length(max = NetworkRule.PORTS_MAX)
                    Optional<List<Integer>> ports,
            @Describe(
                            "Methods of HTTP, such as GET; every one when absent. With methods, paths or"
                                    + " headers only plain HTTP goes through.")
                    @Length(max = NetworkRule.METHODS_MAX)
                    Optional<List<String>> methods,
            @Describe("Patterns of paths, such as /v1/*; every one when absent.")
                    @Length(max = NetworkRule.PATHS_MAX)
                    Optional<List<String>> paths,
            @Describe("Headers that requests get from the server. Their values are never shown.")
                    @MaxBytes(BYTES_MAX)
                    Optional<Map<String, String>> headers,
            @Named("private")
                    @Describe(
                            "The host may have addresses of private networks and of the server's"
                                    + " machine. Set by caisson key create --network alone.")
                    @DefaultsTo("false")
                    boolean mayBePrivate) {
        private NetworkRule rule() {
            return new NetworkRule(
                    host,
                    ports.orElse(List.of()),
                    methods.orElse(List.of()),
                    paths.orElse(List.of()),
                    headers.orElse(Map.of()),
                    mayBePrivate);
        }

        private static Rule of(NetworkRule rule, Map<String, String> headers) {
            return new Rule(
                    rule.host(),
                    Optional.of(rule.ports()),
                    some(rule.methods()),
                    some(rule.paths()),
                    headers.isEmpty() ? Optional.empty() : Optional.of(headers),
                    rule.mayBePrivate());
        }

        private static Optional<List<String>> some(List<String> words) {
            return words.isEmpty() ? Optional.empty() : Optional.of(words);
        }
    }

    /// As it is kept.
    static NetworkForm of(NetworkRules rules) {
        return new NetworkForm(
                rules.allow().stream().map(rule -> Rule.of(rule, rule.headers())).toList());
    }

    /// Without values of headers.
    public static NetworkForm shown(NetworkRules rules) {
        return new NetworkForm(
                rules.allow().stream().map(rule -> Rule.of(rule, masked(rule))).toList());
    }

    private static Map<String, String> masked(NetworkRule rule) {
        var names = new TreeMap<String, String>();
        rule.headers().keySet().forEach(name -> names.put(name, HIDDEN));
        return names;
    }

    /// @throws Refusal INVALID_ARGUMENT that names the rule
    public NetworkRules rules() {
        var rules = new ArrayList<NetworkRule>();
        for (var rule : allow) {
            try {
                rules.add(rule.rule());
            } catch (IllegalArgumentException wrong) {
                throw refusal(
                        "In rule %d of network, %s."
                                .formatted(rules.size() + 1, wrong.getMessage()));
            }
        }
        try {
            return new NetworkRules(rules);
        } catch (IllegalArgumentException wrong) {
            throw refusal("In network, %s.".formatted(wrong.getMessage()));
        }
    }

    /// The same from who is not at this machine.
    ///
    /// @throws Refusal also for a rule that may reach private addresses
    public NetworkRules rulesFromAfar() {
        if (allow.stream().anyMatch(Rule::mayBePrivate)) {
            throw refusal(
                    "A rule of network has private, which only the operator at the machine of the"
                            + " server can give: caisson key create --network FILE.");
        }
        return rules();
    }

    private static Refusal refusal(String sentence) {
        return new Refusal(Reason.INVALID_ARGUMENT, sentence, Map.of("parameter", "network"));
    }
}
