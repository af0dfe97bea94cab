package dev.caisson.store;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Optional;
import java.util.function.Function;

/// Classifier of database failures: tells those that somebody outside must act on from those that
/// are ours.
final class Failures {
    private final DatabaseEngine engine;

    Failures(DatabaseEngine engine) {
        this.engine = engine;
    }

    /// What to throw when reading failed.
    RuntimeException reading(RuntimeException failure) {
        return refusal(failure, engine::refusal)
                .or(() -> poolIsEmpty(failure))
                .<RuntimeException>map(refusal -> refusal)
                .orElse(failure);
    }

    /// What to throw when opening or writing failed.
    RuntimeException writing(RuntimeException failure) {
        return refusal(failure, engine::writeRefusal)
                .<RuntimeException>map(refusal -> refusal)
                .orElse(failure);
    }

    /// What to tell one of those whose work was in a transaction that was not committed.
    RuntimeException committing(Throwable failure) {
        return refusal(failure, engine::writeRefusal)
                .<RuntimeException>map(refusal -> refusal)
                .orElseGet(() ->
                        new IllegalStateException("the transaction was not committed", failure));
    }

    private static Optional<Refusal> refusal(
            Throwable failure, Function<SQLException, Optional<Refusal>> refusal) {
        for (var cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                var found = refusal.apply(sql);
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    /// The pool gave up, and not because the database did not let it in.
    private static Optional<Refusal> poolIsEmpty(RuntimeException failure) {
        return failure.getCause() instanceof SQLTransientConnectionException
                ? Optional.of(
                        new Refusal(
                                Reason.NO_CAPACITY,
                                "The store is busy with reads. Try again shortly."))
                : Optional.empty();
    }
}
