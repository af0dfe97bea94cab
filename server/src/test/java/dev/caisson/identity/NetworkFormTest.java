package dev.caisson.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.NetworkRule;
import dev.caisson.call.NetworkRules;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.json.Records;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Networks of keys as JSON.
class NetworkFormTest {
    private static NetworkForm read(String json) {
        return Records.read(Json.parse(json), NetworkForm.class);
    }

    @Test
    void a_network_is_kept_whole_and_shown_without_values() {
        var rules =
                new NetworkRules(
                        List.of(
                                new NetworkRule(
                                        "*.a.example",
                                        List.of(80),
                                        List.of("GET"),
                                        List.of("/v1/*"),
                                        Map.of("X-Api", "hidden-value"),
                                        true),
                                new NetworkRule("b.example", List.of())));
        var kept = Json.text(Records.tree(NetworkForm.of(rules)));
        assertThat(read(kept).rules()).isEqualTo(rules);
        assertThat(Json.text(Records.tree(NetworkForm.shown(rules))))
                .contains("X-Api", "a.example", "443")
                .doesNotContain("hidden-value");
        assertThat(rules.toString()).doesNotContain("hidden-value");
    }

    @Test
    void a_rule_that_cannot_be_kept_is_named() {
        for (var wrong :
                List.of(
                        "{'host':'a b'}",
                        "{'host':'a.example','ports':[0]}",
                        "{'host':'a.example','methods':['GET']}",
                        "{'host':'a.example','ports':[80],'headers':{'A':'${secret:x}'}}",
                        "{'host':'a.example','ports':[80],'headers':{'Host':'x'}}",
                        "{'host':'a.example','ports':[80],'paths':['v1']}")) {
            var form =
                    read("{'allow':[{'host':'b.example'},%s]}".formatted(wrong).replace('\'', '"'));
            assertThatThrownBy(form::rules)
                    .as(wrong)
                    .isInstanceOf(Refusal.class)
                    .hasMessageStartingWith("In rule 2 of network, ");
        }
    }

    @Test
    void a_private_rule_is_taken_from_the_operator_alone() {
        var form = read("{\"allow\":[{\"host\":\"a.example\",\"private\":true}]}");
        assertThat(form.rules().allow().getFirst().mayBePrivate()).isTrue();
        assertThatThrownBy(form::rulesFromAfar)
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("caisson key create --network FILE");
        assertThat(read("{\"allow\":[{\"host\":\"a.example\"}]}").rulesFromAfar().allow())
                .containsExactly(new NetworkRule("a.example", List.of(443)));
    }

    @Test
    void a_network_has_as_many_rules_as_may_be_and_not_one_more() {
        var rule = "{\"host\":\"a.example\"}";
        var most = String.join(",", Collections.nCopies(NetworkRules.COUNT_MAX, rule));
        assertThat(read("{\"allow\":[" + most + "]}").rules().allow())
                .hasSize(NetworkRules.COUNT_MAX);
        var more = read("{\"allow\":[" + most + "," + rule + "]}");
        assertThatThrownBy(more::rules)
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("64 rules at most");
    }
}
