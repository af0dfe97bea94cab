package dev.caisson.ledger;

import dev.caisson.broker.ToolEffect;
import dev.caisson.ledger.UpstreamCall.State;
import dev.caisson.store.SlotFile;
import dev.caisson.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Journal of the calls of other servers' tools that are under way, in a [SlotFile] with an
/// [IntentForm] in each slot. A call is here before anything of it is sent, and its slot is marked
/// before the first byte goes out; both cost no call of the system. So after the end of a process,
/// however it ended, the next one knows of each call whether it was sent.
///
/// The file does not outlive the machine: of a call that may change something and was noted before
/// the last boot nobody knows. It is no part of a backup, for the same reason: what was sent after
/// the backup is not in it.
final class Intents implements AutoCloseable {
    /// Enough for the calls that 16 programs have under way; others wait for the database.
    static final int SLOTS = 1024;

    /// Arguments that are longer are in the database alone.
    static final int SLOT_BYTES = 4 << 10;

    /// How a call ended whose server did, in a word.
    static final String STOPPED = "stopped";

    private static final Logger LOG = LoggerFactory.getLogger(Intents.class);
    private static final String KIND = "calls";
    private static final SlotFile.Size SIZE = new SlotFile.Size(SLOTS, SLOT_BYTES);
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

    private final Path directory;
    private final String boot;
    private final SlotFile file;
    private final BitSet taken = new BitSet(SLOTS);

    /// @param boot names the boot of this machine
    Intents(Path directory, String boot) {
        this.directory = directory;
        this.boot = boot;
        this.file = SlotFile.create(directory, KIND, SIZE);
    }

    static Intents in(Path directory) {
        return new Intents(directory, boot());
    }

    /// One that cannot be told from others is like none.
    private static String boot() {
        try {
            return Files.readString(BOOT).strip();
        } catch (IOException none) {
            LOG.warn("the boot of this machine has no id: {}", BOOT, none);
            return "";
        }
    }

    /// A call that is noted.
    final class Noted {
        private final int slot;

        /// Whether its arguments are with it, or were not kept.
        private final boolean whole;

        private Noted(int slot, boolean whole) {
            this.slot = slot;
            this.whole = whole;
        }

        boolean isWhole() {
            return whole;
        }

        /// Its first byte goes out when this returns.
        void sends() {
            file.mark(slot);
        }

        /// The database knows how it ended. Nothing of it stays here.
        void settled() {
            clear(slot);
        }
    }

    /// @return empty when there is no room for it
    synchronized Optional<Noted> note(UpstreamCall call) {
        int slot = taken.nextClearBit(0);
        if (slot >= SLOTS) {
            return Optional.empty();
        }
        var whole = new IntentForm(boot, call).bytes();
        var fits = file.fits(whole);
        var form = fits ? whole : new IntentForm(boot, call.withoutArguments()).bytes();
        if (!file.fits(form)) {
            return Optional.empty();
        }
        taken.set(slot);
        file.put(slot, slot, form);
        return Optional.of(new Noted(slot, fits));
    }

    private synchronized void clear(int slot) {
        file.clear(slot);
        taken.clear(slot);
    }

    /// Settles the calls that processes of this directory left when they ended.
    ///
    /// @return how many
    int settleLeft(Store store) {
        int settled = 0;
        for (var left : SlotFile.left(directory, KIND, SIZE)) {
            settled += settle(left, store);
        }
        return settled;
    }

    private int settle(SlotFile left, Store store) {
        try (left) {
            var calls = calls(left);
            store.write(handle -> {
                calls.forEach(call -> UpstreamCallRows.settle(handle, call));
                return calls.size();
            });
            left.remove();
            return calls.size();
        }
    }

    private List<UpstreamCall> calls(SlotFile left) {
        var calls = new ArrayList<UpstreamCall>();
        for (var slot : left.all()) {
            try {
                calls.add(settled(IntentForm.read(slot.form()), slot.marked()));
            } catch (RuntimeException unreadable) {
                LOG.error("a call that was under way could not be recovered", unreadable);
            }
        }
        return calls;
    }

    private UpstreamCall settled(IntentForm form, boolean sent) {
        var call = form.call();
        boolean known = isOfThisBoot(form) || call.effect().equals(ToolEffect.READ.word());
        return !sent && known
                ? call.ended(State.NOT_SENT, Optional.of(true), Optional.of(STOPPED))
                : call.ended(State.UNKNOWN, Optional.empty(), Optional.of(STOPPED));
    }

    private boolean isOfThisBoot(IntentForm form) {
        return !boot.isEmpty() && form.boot().equals(boot);
    }

    /// Leaves what is in it for whoever comes next.
    @Override
    public synchronized void close() {
        if (taken.isEmpty()) {
            file.remove();
        } else {
            file.close();
        }
    }
}
