package dev.caisson.redact;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Makes the redactor of everything that leaves the server: by the operator's rules for the tool,
/// and with the values its caller handed over in confidence.
public final class Redaction {
    /// Shorter texts are redacted where they are.
    private static final int LONG_TEXT = 16 << 10;

    private final RedactionRules rules;
    private final Turns turns;
    private final Consumer<String> onHit;
    private final KnownSecrets known = new KnownSecrets();

    /// Where long texts are worked on, in the turn of their caller.
    public interface Turns {
        /// For tests, and for texts that wait for nobody.
        Turns NONE =
                new Turns() {
                    @Override
                    public <T> T take(String caller, Supplier<T> work) {
                        return work.get();
                    }
                };

        <T> T take(String caller, Supplier<T> work);
    }

    /// @param onHit is told the kind of everything that is taken out
    public Redaction(RedactionRules rules, Turns turns, Consumer<String> onHit) {
        this.rules = rules;
        this.turns = turns;
        this.onHit = onHit;
    }

    /// By the default rules, counting nothing.
    public static Redaction standard() {
        return new Redaction(RedactionRules.DEFAULT, Turns.NONE, _ -> {});
    }

    /// These values are secret in everything this caller reads from now on.
    public void learn(String caller, Collection<String> values) {
        known.add(caller, values);
    }

    /// The caller is no more.
    public void forget(String caller) {
        known.forget(caller);
    }

    /// What this caller handed over in confidence, as far as it is remembered.
    public Set<String> known(String caller) {
        return known.of(caller);
    }

    /// Of a text that a tool hands to a caller.
    public Redactor of(String tool, String caller) {
        return with(tool, known.of(caller));
    }

    /// Of what a run writes and leaves.
    ///
    /// @param secrets the values it was given in confidence
    /// @param plain those it was given openly: the caller says that they are no secrets now
    public Redactor ofRun(
            String tool, String caller, Set<String> secrets, Collection<String> plain) {
        var values = new HashSet<>(known.of(caller));
        values.removeAll(plain);
        values.addAll(secrets);
        return with(tool, values);
    }

    /// Of output that is kept: what its run had in confidence was taken out before, but not what
    /// its owner handed over since.
    ///
    /// @param owner whose run it was
    /// @param secrets the operator's
    public Redactor ofKept(String tool, String owner, Collection<String> secrets) {
        var values = new HashSet<>(known.of(owner));
        values.addAll(secrets);
        return with(tool, values);
    }

    /// Of these values alone, whatever the tool.
    public Redactor exactly(Collection<String> values) {
        return new Redactor(values, Forms.NONE, onHit);
    }

    /// Of what the server says about a fault of its own: nothing in it is for readers of code.
    public String ofLog(String text) {
        return new Redactor(known.all(), new Forms(true, rules.personal()), onHit).text(text);
    }

    private Redactor with(String tool, Collection<String> values) {
        return new Redactor(values, rules.of(tool), onHit);
    }

    /// Does the work on a text where it holds up nobody else.
    public <T> T work(String caller, long characters, Supplier<T> work) {
        return characters < LONG_TEXT ? work.get() : turns.take(caller, work);
    }
}
