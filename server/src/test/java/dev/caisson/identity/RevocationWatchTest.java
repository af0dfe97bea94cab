package dev.caisson.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.call.Revocations;
import dev.caisson.call.Scope;
import dev.caisson.store.DatabaseTestCase;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class RevocationWatchTest extends DatabaseTestCase {
    private static final Clock CLOCK = Clock.systemUTC();

    private static NewKey create(Keys keys) {
        return keys.create("laptop", Set.of(Scope.RUN), Set.of(), Optional.empty());
    }

    @Test
    void a_key_revoked_by_another_process_ends_what_it_has_here() {
        var revocations = new Revocations();
        var ended = new AtomicInteger();
        try (var store = database.open();
                var other = database.open()) {
            var keys = new Keys(store, CLOCK);
            var key = create(keys);
            var bystander = create(keys);
            revocations.register(key.info().caller().id(), ended::incrementAndGet);
            revocations.register(bystander.info().caller().id(), () -> ended.addAndGet(100));
            try (var _ = RevocationWatch.start(keys, revocations, CLOCK, Duration.ofMillis(20))) {
                new Keys(other, CLOCK).revoke(key.info().id());

                await().until(() -> ended.get() == 1);
                assertThat(revocations.has(key.info().caller().id())).isTrue();
                assertThat(revocations.has(bystander.info().caller().id())).isFalse();
            }
        }
    }

    @Test
    void one_that_was_revoked_long_before_the_start_is_known_when_it_has_started() {
        var revocations = new Revocations();
        var longAgo = Clock.offset(CLOCK, RevocationWatch.LOOK_BACK.multipliedBy(-3));
        try (var store = database.open()) {
            var keys = new Keys(store, CLOCK);
            var key = create(keys);
            new Keys(store, longAgo).revoke(key.info().id());

            try (var _ = RevocationWatch.start(keys, revocations, CLOCK)) {
                assertThat(revocations.has(key.info().caller().id())).isTrue();
            }
        }
    }

    @Test
    void clocks_need_not_agree() {
        var revocations = new Revocations();
        var behind = Clock.offset(CLOCK, Duration.ofMinutes(-30));
        var ahead = Clock.offset(CLOCK, Duration.ofMinutes(30));
        try (var store = database.open()) {
            var keys = new Keys(store, CLOCK);
            var early = create(keys);
            var late = create(keys);
            try (var _ = RevocationWatch.start(keys, revocations, CLOCK, Duration.ofMillis(20))) {
                new Keys(store, behind).revoke(early.info().id());
                new Keys(store, ahead).revoke(late.info().id());

                await().until(() ->
                        revocations.has(early.info().caller().id())
                                && revocations.has(late.info().caller().id()));
            }
        }
    }
}
