package dev.caisson.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ServerTokenTest {
    @Test
    void this_process_is_alive() {
        assertThat(ServerToken.own().isAlive()).isTrue();
        assertThat(ServerToken.own()).isEqualTo(ServerToken.own());
    }

    @Test
    void a_process_that_took_over_a_number_is_another() {
        var own = ServerToken.own();
        assertThat(new ServerToken(own.pid(), own.startTicks() + 1).isAlive()).isFalse();
    }

    @Test
    void of_one_that_counts_its_processes_apart_nobody_knows() {
        var own = ServerToken.own();
        var apart = new ServerToken(own.pid(), own.startTicks() + 1, own.space() + 1);
        assertThat(apart.isAlive()).isTrue();
        assertThat(ServerToken.parse(apart.toString())).contains(apart);
    }

    @Test
    void a_token_is_read_back_and_nothing_else_is() {
        var own = ServerToken.own();
        assertThat(ServerToken.parse(own.toString())).contains(own);
        for (var other :
                List.of("", "p1", "p1t", "pxt1", "user.slice", "p1t1", "p12345678901t1n1")) {
            assertThat(ServerToken.parse(other)).as(other).isEmpty();
        }
    }
}
