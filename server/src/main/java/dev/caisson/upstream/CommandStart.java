package dev.caisson.upstream;

import dev.caisson.call.Deadline;
import dev.caisson.upstream.connection.Connection;
import dev.caisson.upstream.connection.Era;
import dev.caisson.upstream.connection.ReadBudget;
import dev.caisson.upstream.connection.StdioConnector;
import dev.caisson.upstream.connection.StdioProcess;
import dev.caisson.upstream.connection.UpstreamFailure;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One start of a command that is an upstream. What it wrote to its standard error before it failed
/// is logged for operators; callers are not told.
final class CommandStart {
    private static final Logger LOG = LoggerFactory.getLogger(CommandStart.class);

    private final String upstream;
    private final StdioConnector.Starter starter;
    private final CredentialValues credentials;
    private final AtomicReference<Optional<StdioProcess>> last =
            new AtomicReference<>(Optional.empty());

    /// @param credentials which it is given, and which are struck from what it wrote
    CommandStart(String upstream, StdioConnector.Starter starter, CredentialValues credentials) {
        this.upstream = upstream;
        this.starter = starter;
        this.credentials = credentials;
    }

    Connection connect(
            Optional<Era> known,
            Deadline deadline,
            long resultBytesMax,
            ReadBudget budget,
            boolean forms)
            throws UpstreamFailure, InterruptedException {
        try {
            return new StdioConnector(upstream, this::start, resultBytesMax, budget, forms)
                    .connect(known, deadline);
        } catch (UpstreamFailure failure) {
            throw told(failure);
        }
    }

    private StdioProcess start() throws UpstreamFailure, InterruptedException {
        var process = starter.start();
        last.set(Optional.of(process));
        return process;
    }

    private UpstreamFailure told(UpstreamFailure failure) throws InterruptedException {
        var process = last.get();
        var errors = process.isEmpty() ? "" : process.get().recentErrors().strip();
        if (errors.isEmpty()) {
            return failure;
        }
        LOG.warn(
                "the upstream {} failed to start and wrote to its standard error: {}",
                upstream,
                credentials.sentence(end(errors)));
        return new UpstreamFailure(
                failure.type(),
                failure.sent(),
                failure.sentence().replaceFirst("[.]$", "")
                        + "; the log of this server has what it wrote to its standard error.");
    }

    /// The reason stands at the end, behind what it says of itself.
    private static String end(String errors) {
        int length = errors.length();
        return errors.substring(Math.max(0, length - CredentialValues.SENTENCE_LENGTH_MAX));
    }
}
