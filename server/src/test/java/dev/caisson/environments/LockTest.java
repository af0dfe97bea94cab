package dev.caisson.environments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Refusal;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a lock may say.
class LockTest {
    private static Lock python(String text) {
        return new Lock(Optional.of(text), Optional.empty(), List.of());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "numpy",
                "numpy==2.4.6",
                "pandas[excel] >= 2, < 4 ; python_version >= '3.11'",
                "six==1.17.0 --hash=sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
                "six==1.17.0 \\\n  --hash=sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
            })
    void requirements_are_taken(String text) {
        assertThat(python(text).python()).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--index-url https://elsewhere.example/simple",
                "-r other.txt",
                "-e .",
                "--no-binary :all:",
                "numpy --no-binary=numpy",
                "numpy @ https://elsewhere.example/numpy.whl",
                "https://elsewhere.example/numpy.whl",
                "./local.whl",
                "/etc/passwd",
                "../x",
                "numpy; $(id)",
                "# nothing"
            })
    void whatever_says_where_packages_come_from_is_refused(String text) {
        assertThatThrownBy(() -> python(text)).isInstanceOf(Refusal.class);
    }

    @Test
    void a_lock_is_of_something_and_not_too_long() {
        assertThatThrownBy(() -> new Lock(Optional.empty(), Optional.empty(), List.of()))
                .isInstanceOf(Refusal.class);
        assertThat(python("a\n".repeat(Lock.BYTES_MAX / 2)).python()).isPresent();
        assertThatThrownBy(() -> python("a\n".repeat(Lock.BYTES_MAX / 2) + "b"))
                .isInstanceOf(Refusal.class);
        assertThatThrownBy(() ->
                        new Lock(
                                Optional.empty(),
                                Optional.of("{\"lockfileVersion\": 1}"),
                                List.of()))
                .isInstanceOf(Refusal.class);
        assertThatThrownBy(
                        () -> new Lock(Optional.of("six"), Optional.empty(), List.of("os;print()")))
                .isInstanceOf(Refusal.class);
    }

    @Test
    void sixteen_modules_are_preloaded_and_no_more() {
        var sixteen = Collections.nCopies(Lock.PRELOAD_MAX, "numpy");
        assertThat(new Lock(Optional.of("six"), Optional.empty(), sixteen).preload()).hasSize(16);
        var more = Collections.nCopies(Lock.PRELOAD_MAX + 1, "numpy");
        assertThatThrownBy(() -> new Lock(Optional.of("six"), Optional.empty(), more))
                .isInstanceOf(Refusal.class);
    }

    @ParameterizedTest
    @EnumSource(ShippedLock.class)
    void the_locks_of_the_product_pin_every_package(ShippedLock shipped) {
        assertThat(shipped.lock().python().orElseThrow().lines())
                .hasSizeGreaterThan(5)
                .allMatch(line -> line.matches("[a-z0-9-]+==[0-9a-z.]+"));
    }
}
