package dev.caisson.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.store.DatabaseTestCase;
import dev.caisson.store.KilledChild;
import dev.caisson.store.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A program appends and says so once each append returned. It is killed in the middle; all that it
/// said must be found, and the chain must hold and go on.
@Timeout(120)
final class KilledLedgerTest extends DatabaseTestCase {
    private static final int ACKNOWLEDGED_ENOUGH = 300;

    @Test
    void no_acknowledged_entry_is_lost_when_the_program_is_killed() throws Exception {
        database.open().close();
        var acknowledged =
                KilledChild.said(
                        ACKNOWLEDGED_ENOUGH,
                        "[0-9]+ [0-9a-f]{64}",
                        Child.class,
                        database.address());
        try (var store = database.open()) {
            var ledger = new Ledger(store);
            ledger.append(LedgerTest.entry("parent", "after"));
            assertThat(ledger.verify(Optional.empty()).findings()).isEmpty();
            assertThat(all(ledger)).containsAll(acknowledged);
        }
    }

    @Test
    void what_nobody_waited_for_is_there_once_when_the_program_is_killed() throws Exception {
        database.open().close();
        var pending = Files.createDirectory(directory.resolve("pending"));
        var acknowledged =
                KilledChild.said(
                        ACKNOWLEDGED_ENOUGH,
                        "later [0-9]+",
                        Child.class,
                        database.address(),
                        pending.toString());
        assertThat(pending).isDirectoryContaining("glob:**.pending");
        try (var store = database.open();
                var journaled = JournaledLedger.in(store, pending)) {
            var ledger = journaled.ledger();
            assertThat(ledger.verify(Optional.empty()).findings()).isEmpty();
            var tools = new ArrayList<String>();
            LedgerTest.all(ledger).forEach(one -> tools.add("later " + one.entry().tool()));
            assertThat(tools).doesNotHaveDuplicates().containsAll(acknowledged);
            assertThat(pending).isDirectoryContaining("glob:**.pending");
        }
        assertThat(pending).isEmptyDirectory();
    }

    private static Set<String> all(Ledger ledger) {
        return LedgerTest.all(ledger).stream()
                .map(one -> one.sequence() + " " + one.hash())
                .collect(Collectors.toSet());
    }

    /// Appends until it is killed, or long enough for nobody to want more.
    static final class Child {
        private static final int CALLERS = 16;
        private static final int APPENDS_EACH_MAX = 2000;

        private Child() {}

        static void main(String[] args) throws InterruptedException {
            try (var store = TestDatabase.at(args[0]).open()) {
                var waits = args.length == 1;
                var ledger =
                        waits
                                ? new Ledger(store)
                                : JournaledLedger.in(store, Path.of(args[1])).ledger();
                var callers = new Thread[CALLERS];
                for (var i = 0; i < CALLERS; i++) {
                    var first = i * APPENDS_EACH_MAX;
                    Runnable work =
                            waits ? () -> appendMany(ledger) : () -> appendLater(ledger, first);
                    callers[i] = Thread.ofVirtual().start(work);
                }
                for (var caller : callers) {
                    caller.join();
                }
            }
        }

        private static void appendLater(Ledger ledger, int first) {
            for (var i = first; i < first + APPENDS_EACH_MAX; i++) {
                ledger.appendLater(LedgerTest.entry("child", Integer.toString(i)));
                System.out.println("later " + i);
            }
        }

        private static void appendMany(Ledger ledger) {
            for (var i = 0; i < APPENDS_EACH_MAX; i++) {
                var one = ledger.append(LedgerTest.entry("child", "run"));
                System.out.println(one.sequence() + " " + one.hash());
            }
        }
    }
}
