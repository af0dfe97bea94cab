package dev.caisson.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.store.StoreTestCase;
import dev.caisson.telemetry.LogCapture;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/// Rules of the file and of the database are put together, and mistakes leave the last good ones.
@Timeout(60)
final class RulesTest extends StoreTestCase {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration OFTEN = Duration.ofMillis(20);

    private Rules rules;

    @BeforeEach
    void open() {
        rules = other();
    }

    private Rules other() {
        return new Rules(store, Clock.systemUTC(), Decision.ASK);
    }

    private static ObjectNode rule(String name, String decide) {
        return Json.object().put("name", name).put("decide", decide);
    }

    private void put(String name, int position) {
        rules.put(name, rule(name, "deny"), OptionalInt.of(position), "anna");
    }

    private void put(String name) {
        rules.put(name, rule(name, "deny"), OptionalInt.empty(), "anna");
    }

    private static List<String> names(Rules rules) {
        return rules.now().rules().stream()
                .filter(one -> one.source() != PlacedRule.Source.DEFAULT)
                .map(one -> one.rule().name())
                .toList();
    }

    @Test
    void stored_rules_have_an_order() {
        put("a");
        put("b");
        put("c", 1);
        assertThat(names(rules)).containsExactly("c", "a", "b");
        put("a");
        assertThat(names(rules)).containsExactly("c", "a", "b");
        put("a", 99);
        assertThat(names(rules)).containsExactly("c", "b", "a");
        rules.remove("b");
        assertThat(names(rules)).containsExactly("c", "a");
        assertThat(names(other())).containsExactly("c", "a");
    }

    @Test
    void another_server_sees_every_change() {
        var other = other();
        put("a");
        other.refresh();
        assertThat(names(other)).containsExactly("a");
        assertThat(other.now().version()).isEqualTo(rules.now().version());
        rules.put("a", rule("a", "allow"), OptionalInt.empty(), "anna");
        other.refresh();
        assertThat(other.now().version()).isEqualTo(rules.now().version());
        rules.remove("a");
        other.refresh();
        assertThat(names(other)).isEmpty();
    }

    @Test
    void a_rule_with_mistakes_is_not_stored() {
        var wrong = rule("a", "deny").put("rate", "3/m").put("expires", "1h");
        assertThatThrownBy(() -> rules.put("a", wrong, OptionalInt.empty(), "anna"))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> {
                            assertThat(refusal.reason()).isEqualTo(Reason.INVALID_ARGUMENT);
                            assertThat(refusal.sentence())
                                    .contains("expires has a meaning", "rate and budget have no");
                        });
        assertThatThrownBy(() -> rules.put("b", rule("a", "deny"), OptionalInt.empty(), "anna"))
                .hasMessageContaining("not the name it is to be stored by");
        assertThat(names(rules)).isEmpty();
        assertThatThrownBy(() -> rules.remove("a"))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> assertThat(refusal.reason()).isEqualTo(Reason.NOT_FOUND));
    }

    @Test
    void a_name_of_the_file_is_not_stored_and_hides_what_is() throws Exception {
        put("a");
        rules.take(PolicyFile.parse("- {name: a, decide: allow}"));
        assertThat(names(rules)).containsExactly("a");
        assertThat(rules.now().rules().getFirst().source()).isEqualTo(PlacedRule.Source.FILE);
        assertThat(rules.state().problems())
                .containsExactly(
                        "The stored rule a is hidden by the rule of that name in the file.");
        assertThatThrownBy(() -> put("a"))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> assertThat(refusal.reason()).isEqualTo(Reason.CONFLICT));
        rules.take(List.of());
        assertThat(rules.state().problems()).isEmpty();
        assertThat(names(rules)).containsExactly("a");
    }

    @Test
    void there_are_so_many_and_no_more() {
        for (int i = 0; i < PolicyFile.RULES_MAX; i++) {
            var name = "r" + i;
            store.write(handle -> {
                RuleRows.put(
                        handle,
                        new RuleRows.Stored(
                                name, rule(name, "deny"), "anna", Clock.systemUTC().instant()));
                return name;
            });
        }
        assertThatThrownBy(() -> put("one more")).hasMessageContaining("500 stored rules already");
        put("r0");
    }

    /// As of a newer version of the product.
    @Test
    void a_stored_rule_that_cannot_be_read_denies() {
        put("allow all");
        store.write(handle -> {
            RuleRows.put(
                    handle,
                    new RuleRows.Stored(
                            "allow all",
                            Json.object().put("name", "allow all").put("decide", "sometimes"),
                            "anna",
                            Clock.systemUTC().instant()));
            return 1;
        });
        rules.refresh();
        assertThat(rules.now().rules().getFirst().rule().decide()).isEqualTo(Decision.DENY);
        assertThat(rules.problems()).isEqualTo(1);
        assertThat(rules.state().problems().getFirst()).contains("allow all cannot be read");
    }

    @Test
    void a_file_with_a_mistake_leaves_the_last_good_rules(@TempDir Path directory)
            throws Exception {
        var file = directory.resolve("policy.yaml");
        Files.writeString(file, "- {name: a, decide: deny}\n");
        try (var log = new LogCapture();
                var watch = PolicyWatch.start(rules, Optional.of(file), OFTEN)) {
            assertThat(watch).isNotNull();
            assertThat(names(rules)).containsExactly("a");
            var before = rules.now().version();
            Files.writeString(file, "- {name: a, decide: maybe}\n- {name: bee, decid: deny}\n");
            await().atMost(PATIENCE).until(() -> rules.problems() > 1);
            assertThat(rules.now().version()).isEqualTo(before);
            assertThat(rules.state().problems())
                    .anyMatch(one -> one.startsWith("Line 1: a: decide"))
                    .anyMatch(one -> one.startsWith("Line 2: bee:"));
            await().atMost(PATIENCE).until(() -> log.text().contains("last good rules stay"));
            put("stored");
            assertThat(names(rules)).containsExactly("a", "stored");
            assertThat(rules.problems()).isGreaterThan(1);
            Files.delete(file);
            await().atMost(PATIENCE).until(() -> rules.problems() == 1);
            assertThat(names(rules)).containsExactly("a", "stored");
            Files.writeString(file, "- {name: b, decide: deny}\n");
            await().atMost(PATIENCE).until(() -> names(rules).contains("b"));
            assertThat(rules.problems()).isZero();
        }
    }

    @Test
    void a_server_does_not_start_with_a_file_that_has_mistakes(@TempDir Path directory)
            throws Exception {
        var file = directory.resolve("policy.yaml");
        Files.writeString(file, "- {name: a, decide: maybe}\n");
        assertThatThrownBy(() -> PolicyWatch.start(rules, Optional.of(file)))
                .isInstanceOf(RuleMistakes.class)
                .hasMessageContaining("Line 1: a: decide");
    }
}
