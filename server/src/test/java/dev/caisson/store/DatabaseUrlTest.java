package dev.caisson.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class DatabaseUrlTest {
    private static DatabaseUrl read(String url) {
        return DatabaseUrl.of(url, Optional.empty(), Optional.empty());
    }

    @Test
    void every_spelling_of_an_address_means_the_same() {
        for (var url :
                List.of(
                        "postgresql://anna:p%40ss@db:5432/caisson",
                        "postgres://anna:p%40ss@db:5432/caisson",
                        "jdbc:postgresql://db:5432/caisson?user=anna&password=p%40ss")) {
            assertThat(read(url))
                    .isEqualTo(
                            new DatabaseUrl(
                                    "postgresql://db:5432/caisson",
                                    Optional.of("anna"),
                                    Optional.of("p@ss")));
        }
    }

    @Test
    void user_and_password_beside_the_address_win() {
        assertThat(DatabaseUrl.of("postgresql://a:b@db/c", Optional.of("anna"), Optional.of("x+y")))
                .isEqualTo(
                        new DatabaseUrl(
                                "postgresql://db/c", Optional.of("anna"), Optional.of("x+y")));
        assertThat(read("postgresql://a:x+y@db/c").password()).contains("x+y");
    }

    @Test
    void other_parameters_and_several_hosts_stay() {
        var url = read("postgresql://one:1,two:2/c?sslmode=require&user=u&currentSchema=s");
        assertThat(url.jdbc())
                .isEqualTo("jdbc:postgresql://one:1,two:2/c?sslmode=require&currentSchema=s");
    }

    @Test
    void neither_user_nor_password_is_shown() {
        assertThat(read("postgresql://anna:secret@db/c?password=secret").toString())
                .isEqualTo("postgresql://db/c");
    }

    @Test
    void anything_else_is_refused_without_repeating_it() {
        for (var url :
                List.of("", "mysql://db/c", "postgresql://", "postgresql://u:secret@db", "db/c")) {
            assertThatThrownBy(() -> read(url))
                    .isInstanceOfSatisfying(
                            Refusal.class,
                            refusal -> {
                                assertThat(refusal.reason()).isEqualTo(Reason.INVALID_ARGUMENT);
                                assertThat(refusal.sentence()).doesNotContain("secret");
                            });
        }
    }
}
