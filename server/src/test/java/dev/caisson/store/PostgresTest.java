package dev.caisson.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("postgres")
@Timeout(60)
final class PostgresTest {
    private static final String SETTING = "SELECT current_setting('synchronous_commit')";

    /// The server of the tests is told to forget the last commits in a crash, for speed.
    @Test
    void commits_are_durable_even_on_a_server_that_was_told_otherwise() {
        try (var store = Store.open(TestPostgres.freshSchema())) {
            assertThat(setting(store::read)).isEqualTo("off");
            assertThat(setting(store::write)).isEqualTo("on");
        }
    }

    private interface Door {
        String through(StoreWork<String> work);
    }

    private static String setting(Door door) {
        return door.through(handle -> handle.query(SETTING).mapTo(String.class).one());
    }

    @Test
    void a_connection_that_was_cut_is_a_refusal_and_the_next_write_works() {
        try (var store = Store.open(TestPostgres.freshSchema())) {
            assertUnavailable(() ->
                    store.write(handle -> {
                        var backend =
                                handle.query("SELECT pg_backend_pid()").mapTo(Integer.class).one();
                        TestPostgres.execute("SELECT pg_terminate_backend(" + backend + ")");
                        return handle.query("SELECT 1").mapTo(Integer.class).one();
                    }));
            int rows = store.write(handle -> handle.execute("DELETE FROM api_key"));
            assertThat(rows).isZero();
        }
    }

    @Test
    void a_server_that_is_away_a_wrong_database_and_a_wrong_user_are_refusals() {
        var here = "postgresql://localhost:" + TestPostgres.port();
        assertUnavailable(() -> open("postgresql://localhost:1/postgres", "postgres"));
        assertUnavailable(() -> open(here + "/no_such_database", "postgres"));
        assertUnavailable(() -> open(here + "/postgres", "nobody"));
    }

    private static void open(String url, String user) {
        Store.open(DatabaseUrl.of(url, Optional.of(user), Optional.of("secret"))).close();
    }

    private static void assertUnavailable(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> {
                            assertThat(refusal.reason()).isEqualTo(Reason.UNAVAILABLE);
                            assertThat(refusal.sentence())
                                    .contains("postgresql://localhost", "Look at its server")
                                    .doesNotContain("secret");
                        });
    }
}
