package dev.caisson.redact;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretVariablesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "TOKEN",
                "GITHUB_TOKEN",
                "GITHUB_PAT",
                "AZURE_DEVOPS_EXT_PAT",
                "OPENAI_API_KEY",
                "AWS_SECRET_ACCESS_KEY",
                "SSH_KEY",
                "KEY",
                "DB_PASS",
                "MYSQL_PWD",
                "PGPASSWORD",
                "GOOGLE_CREDENTIALS",
                "SSH_PASSPHRASE",
                "PASSPHRASE",
                "CLIENT_SECRET",
                "SECRET_2",
                "TOKEN1",
                "db_password"
            })
    void a_name_says_that_the_value_is_secret(String name) {
        assertThat(SecretVariables.values(name, "value")).containsExactly("value");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PATH_INFO",
                "MONKEY",
                "BYPASS",
                "COMPAT",
                "MAX_TOKENS",
                "KEYBOARD",
                "PASSENGER",
                "LANG"
            })
    void an_ordinary_name_does_not(String name) {
        assertThat(SecretVariables.values(name, "value")).isEmpty();
    }

    @Test
    void an_address_with_a_password_is_secret_and_so_is_the_password() {
        var url = "redis://:" + "p%40ss@cache:6379/0";
        assertThat(SecretVariables.values("CACHE_URL", url))
                .containsExactlyInAnyOrder(url, "p%40ss", "p@ss");
        var unencoded = "https://me:" + "p@ss:word@host/path?a@b";
        assertThat(SecretVariables.values("ANY_NAME", unencoded))
                .containsExactlyInAnyOrder(unencoded, "p@ss:word");
        var mysql = "me:" + "pass@tcp(db:3306)/x";
        assertThat(SecretVariables.values("DSN", mysql)).containsExactlyInAnyOrder(mysql, "pass");
        var named = "Server=db;Password='correct horse';Database=x";
        assertThat(SecretVariables.values("CONNECTION", named))
                .containsExactlyInAnyOrder(named, "correct horse");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://example.com/a:b@c",
                "https://me@example.com/",
                "postgres://db.example:5432/x",
                "a:b@c",
                "mailto:me@example.com"
            })
    void an_address_without_a_password_is_not(String address) {
        assertThat(SecretVariables.values("SERVICE_URL", address)).isEmpty();
    }
}
