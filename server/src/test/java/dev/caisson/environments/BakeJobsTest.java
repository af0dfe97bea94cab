package dev.caisson.environments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// How many bakes there are at once, and how many are remembered.
@Timeout(60)
class BakeJobsTest {
    private static final int AT_ONCE = EnvironmentSettings.DEFAULT.atOnce();
    private static final int REMEMBERED = EnvironmentSettings.DEFAULT.remembered();

    private final CountDownLatch held = new CountDownLatch(1);
    private final BakeJobs jobs = new BakeJobs(AT_ONCE, REMEMBERED);

    private static BakeRecord record(String name) {
        return new BakeRecord(name, name, "hash", Set.of(), Instant.EPOCH, new BakeOutput(10));
    }

    private BakeRecord begin(String name) {
        var record = record(name);
        jobs.start(
                record,
                each -> {
                    try {
                        held.await();
                        each.done();
                    } catch (InterruptedException stopped) {
                        each.failed("The server stopped.");
                    }
                });
        return record;
    }

    private Reason refused(String name) {
        var thrown = new Reason[1];
        assertThatThrownBy(() -> begin(name))
                .isInstanceOfSatisfying(Refusal.class, why -> thrown[0] = why.reason());
        return thrown[0];
    }

    @Test
    void two_at_once_and_one_of_a_name() throws InterruptedException {
        assertThat(AT_ONCE).isEqualTo(2);
        var one = begin("one");
        assertThat(refused("one")).isEqualTo(Reason.CONFLICT);
        var two = begin("two");
        assertThat(refused("three")).isEqualTo(Reason.NO_CAPACITY);
        held.countDown();
        one.await();
        two.await();
        assertThat(begin("three").await()).isEqualTo(BakeRecord.State.DONE);
        assertThat(jobs.last("one")).contains(one);
    }

    @Test
    void thirty_two_are_remembered_and_then_the_oldest_is_forgotten() throws InterruptedException {
        assertThat(REMEMBERED).isEqualTo(32);
        held.countDown();
        for (int number = 0; number < REMEMBERED; number++) {
            begin("b" + number).await();
        }
        assertThat(jobs.all()).hasSize(REMEMBERED);
        assertThat(jobs.find("b0")).isPresent();
        begin("one-more").await();
        assertThat(jobs.all()).hasSize(REMEMBERED);
        assertThat(jobs.find("b0")).isEmpty();
        assertThat(jobs.find("b1")).isPresent();
    }

    @Test
    void none_begins_after_the_end_and_what_is_under_way_is_ended() {
        var one = begin("one");
        jobs.close();
        assertThat(one.state()).isEqualTo(BakeRecord.State.FAILED);
        assertThat(refused("two")).isEqualTo(Reason.NO_CAPACITY);
    }
}
