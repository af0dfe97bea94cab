package dev.caisson.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.store.StoreTestCase;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class SpacesTest extends StoreTestCase {
    private static final Caller ANA = new Caller("key:ana", "Ana", Set.of(), Set.of());
    private static final Caller BEN = new Caller("key:ben", "Ben", Set.of(), Set.of());

    private Spaces spaces;

    @BeforeEach
    void open() {
        var fewer = ModelLimits.DEFAULT;
        spaces =
                new Spaces(
                        store,
                        Clock.systemUTC(),
                        new ModelLimits(
                                2,
                                2,
                                fewer.classesMax(),
                                fewer.slotsMax(),
                                fewer.entitiesMax(),
                                fewer.entityBytesMax(),
                                fewer.itemsMax(),
                                fewer.changesMax(),
                                fewer.cascadeMax(),
                                fewer.rewriteMax(),
                                fewer.scanMax()));
    }

    private static Refusal refusal(ThrowingCallable call) {
        var refused = new Refusal[1];
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(Refusal.class, refusal -> refused[0] = refusal);
        return refused[0];
    }

    private static Reason reason(ThrowingCallable call) {
        return refusal(call).reason();
    }

    @Test
    void a_home_is_private_and_made_when_something_is_written_to_it() {
        assertThat(spaces.open(ANA, "home", SpaceAccess.READ).isUnmade()).isTrue();
        var made = spaces.open(ANA, "home", SpaceAccess.WRITE);
        assertThat(made.isUnmade()).isFalse();
        assertThat(spaces.open(ANA, "home", SpaceAccess.DEFINE).number()).isEqualTo(made.number());
        assertThat(spaces.open(BEN, "home", SpaceAccess.WRITE).number())
                .isNotEqualTo(made.number());
    }

    @Test
    void a_space_that_was_not_granted_is_refused_as_one_that_is_not_there() {
        spaces.create(ANA, "lab", "The lab");
        var foreign = refusal(() -> spaces.open(BEN, "lab", SpaceAccess.READ));
        var absent = refusal(() -> spaces.open(BEN, "lap", SpaceAccess.READ));
        assertThat(foreign.reason()).isEqualTo(Reason.NOT_FOUND);
        assertThat(foreign.sentence()).isEqualTo(absent.sentence());
        assertThat(spaces.list(BEN)).extracting(Space::name).containsExactly("home");
        Stream.<ThrowingCallable>of(
                        () -> spaces.grant(BEN, "lab", "key:ben", SpaceAccess.DEFINE),
                        () -> spaces.revoke(BEN, "lab", "key:ben"),
                        () -> spaces.grants(BEN, "lab"),
                        () -> spaces.delete(BEN, "lab"))
                .forEach(call -> assertThat(reason(call)).isEqualTo(Reason.NOT_FOUND));
    }

    @Test
    void a_grant_lets_in_as_far_as_it_says_until_it_is_revoked() {
        spaces.create(ANA, "lab", "The lab");
        for (var granted : SpaceAccess.values()) {
            spaces.grant(ANA, "lab", "key:ben", granted);
            for (var needed : SpaceAccess.values()) {
                if (granted.includes(needed)) {
                    assertThat(spaces.open(BEN, "lab", needed).access()).isEqualTo(granted);
                } else {
                    assertThat(reason(() -> spaces.open(BEN, "lab", needed)))
                            .isEqualTo(Reason.FORBIDDEN);
                }
            }
        }
        assertThat(spaces.grants(ANA, "lab"))
                .containsExactly(new SpaceGrant("key:ben", SpaceAccess.DEFINE));
        assertThat(spaces.list(BEN)).extracting(Space::name).containsExactly("home", "lab");
        assertThat(reason(() -> spaces.delete(BEN, "lab"))).isEqualTo(Reason.FORBIDDEN);
        assertThat(reason(() -> spaces.grant(BEN, "lab", "key:eve", SpaceAccess.READ)))
                .isEqualTo(Reason.FORBIDDEN);
        assertThat(spaces.revoke(ANA, "lab", "key:ben")).isTrue();
        assertThat(spaces.revoke(ANA, "lab", "key:ben")).isFalse();
        assertThat(reason(() -> spaces.open(BEN, "lab", SpaceAccess.READ)))
                .isEqualTo(Reason.NOT_FOUND);
    }

    @Test
    void a_name_is_unique_on_the_server_and_free_again_after_the_end_of_its_space() {
        var first = spaces.create(ANA, "lab", "");
        spaces.grant(ANA, "lab", "key:ben", SpaceAccess.READ);
        assertThat(reason(() -> spaces.create(BEN, "lab", ""))).isEqualTo(Reason.INVALID_ARGUMENT);
        spaces.delete(ANA, "lab");
        var second = spaces.create(BEN, "lab", "");
        assertThat(second.number()).isNotEqualTo(first.number());
        assertThat(spaces.grants(BEN, "lab")).isEmpty();
        assertThat(reason(() -> spaces.open(ANA, "lab", SpaceAccess.READ)))
                .isEqualTo(Reason.NOT_FOUND);
    }

    @Test
    void names_and_labels_have_limits() {
        spaces.create(ANA, "a".repeat(63), "l".repeat(Spaces.LABEL_MAX));
        for (var name : List.of("a".repeat(64), "", "home", "Lab", "1", "a_b", "../a", "a\0")) {
            if (!name.equals(Spaces.HOME)) {
                assertThat(reason(() -> spaces.open(ANA, name, SpaceAccess.READ)))
                        .as(name)
                        .isEqualTo(Reason.NOT_FOUND);
            }
            assertThat(reason(() -> spaces.create(ANA, name, "")))
                    .as(name)
                    .isEqualTo(Reason.INVALID_ARGUMENT);
        }
        for (var label : List.of("l".repeat(Spaces.LABEL_MAX + 1), "a\0b")) {
            assertThat(reason(() -> spaces.create(ANA, "b", label)))
                    .isEqualTo(Reason.INVALID_ARGUMENT);
        }
    }

    @Test
    void a_caller_owns_so_many_spaces_and_a_space_has_so_many_grants() {
        spaces.create(ANA, "a", "");
        spaces.create(ANA, "b", "");
        assertThat(reason(() -> spaces.create(ANA, "c", ""))).isEqualTo(Reason.NO_CAPACITY);
        spaces.create(BEN, "c", "");
        spaces.grant(ANA, "a", "key:1", SpaceAccess.READ);
        spaces.grant(ANA, "a", "key:2", SpaceAccess.READ);
        spaces.grant(ANA, "a", "key:2", SpaceAccess.WRITE);
        assertThat(reason(() -> spaces.grant(ANA, "a", "key:3", SpaceAccess.READ)))
                .isEqualTo(Reason.NO_CAPACITY);
        assertThat(reason(() -> spaces.grant(ANA, "a", ANA.id(), SpaceAccess.READ)))
                .isEqualTo(Reason.INVALID_ARGUMENT);
    }

    @Test
    void a_home_is_never_granted_or_deleted() {
        spaces.open(ANA, "home", SpaceAccess.WRITE);
        Stream.<ThrowingCallable>of(
                        () -> spaces.grant(ANA, "home", "key:ben", SpaceAccess.READ),
                        () -> spaces.delete(ANA, "home"))
                .forEach(call -> assertThat(reason(call)).isEqualTo(Reason.INVALID_ARGUMENT));
        assertThat(Optional.of(spaces.list(BEN).getFirst())).get().matches(Space::isUnmade);
    }
}
