package dev.caisson.redact;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Factory of redactors: makes the one of everything that leaves the server: by the operator's
/// rules for the tool, and with the values its caller handed over in confidence.
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

    /// The same of values that the caller itself called secret.
    public void learnNamed(String caller, Collection<String> values) {
        known.addNamed(caller, values);
    }

    /// The caller is no more.
    public void forget(String caller) {
        known.forget(caller);
    }

    /// Of a text that a tool hands to a caller.
    public Redactor of(String tool, String caller) {
        return new Redactor(List.of(known.exact(caller, turns)), rules.of(tool), onHit);
    }

    /// Of what a run writes and leaves.
    ///
    /// @param secrets the values it was given in confidence
    /// @param plain those it was given openly: the caller says that they are no secrets now
    public Redactor ofRun(
            String tool, String caller, Set<String> secrets, Collection<String> plain) {
        var remembered = without(known.exact(caller, turns), caller, secrets, plain);
        return new Redactor(
                List.of(remembered, beside(remembered, caller, secrets)), rules.of(tool), onHit);
    }

    private ExactValues without(
            ExactValues remembered, String caller, Set<String> secrets, Collection<String> plain) {
        var open = new HashSet<>(plain);
        open.removeAll(secrets);
        open.retainAll(remembered.given());
        if (open.isEmpty()) {
            return remembered;
        }
        var rest = new HashSet<>(remembered.given());
        rest.removeAll(open);
        return ExactValues.of(Set.copyOf(rest), turns, caller);
    }

    /// Those values that are not remembered.
    private ExactValues beside(ExactValues remembered, String caller, Set<String> values) {
        var rest = new HashSet<>(values);
        rest.removeAll(remembered.given());
        return rest.isEmpty() ? ExactValues.NONE : ExactValues.of(Set.copyOf(rest), turns, caller);
    }

    /// Of output that is kept: what its run had in confidence was taken out before, but not what
    /// its owner handed over since.
    ///
    /// @param owner whose run it was
    /// @param secrets the operator's
    public Redactor ofKept(String tool, String owner, Collection<String> secrets) {
        var remembered = known.exact(owner, turns);
        return new Redactor(
                List.of(remembered, beside(remembered, owner, Set.copyOf(secrets))),
                rules.of(tool),
                onHit);
    }

    /// Of nothing.
    public Redactor idle() {
        return new Redactor(List.of(), SecretForms.NONE, onHit);
    }

    /// Of what this caller handed over in confidence and of these values, whatever the tool.
    public Redactor exactly(String caller, Set<String> values) {
        var remembered = known.exact(caller, turns);
        return new Redactor(
                List.of(remembered, beside(remembered, caller, values)), SecretForms.NONE, onHit);
    }

    /// Of what the server says about a fault of its own: nothing in it is for readers of code.
    public String ofLog(String text) {
        var all = List.of(ExactValues.of(known.all()));
        return new Redactor(all, new SecretForms(true, rules.personal()), onHit).text(text);
    }

    /// Does the work on a text where it holds up nobody else.
    public <T> T work(String caller, long characters, Supplier<T> work) {
        return characters < LONG_TEXT ? work.get() : turns.take(caller, work);
    }
}
