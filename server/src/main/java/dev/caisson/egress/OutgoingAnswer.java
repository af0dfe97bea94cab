package dev.caisson.egress;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Response;

/// Answer to an outgoing request: its head, and its body while it comes. Closing it before the end
/// of the body closes the connection.
public final class OutgoingAnswer implements AutoCloseable {
    private final Request request;
    private final Response head;
    private final InputStream body;
    private final OutgoingRequest asked;
    private final AtomicBoolean sent;
    private long read;
    private boolean ended;

    OutgoingAnswer(
            Request request,
            Response head,
            InputStream body,
            OutgoingRequest asked,
            AtomicBoolean sent) {
        this.request = request;
        this.head = head;
        this.body = body;
        this.asked = asked;
        this.sent = sent;
    }

    public int status() {
        return head.getStatus();
    }

    public Optional<String> header(String name) {
        return Optional.ofNullable(head.getHeaders().get(name));
    }

    /// In lower case and without parameters; empty when none is said.
    public String mediaType() {
        var said = header("Content-Type").orElse("");
        int end = said.indexOf(';');
        return (end < 0 ? said : said.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    }

    /// The body as it comes, counted. Reading throws [EgressFailure] when there is more than the
    /// request allows, when the time is over or when it breaks off, and [InterruptedIOException]
    /// when interrupted.
    public InputStream body() {
        return new Counted();
    }

    /// The whole body, which is no longer than the request allows.
    public byte[] bytes() throws EgressFailure, InterruptedException {
        try {
            return body().readAllBytes();
        } catch (EgressFailure failed) {
            throw failed;
        } catch (InterruptedIOException cancelled) {
            throw new InterruptedException();
        } catch (IOException failed) {
            throw OutgoingHttp.failure(failed, sent.get());
        }
    }

    private final class Counted extends InputStream {
        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            int count = next(into, offset, length);
            ended |= count < 0;
            read += Math.max(0, count);
            if (read > asked.bytesMax()) {
                close();
                throw OutgoingHttp.failure(
                        EgressFailure.Kind.TOO_LARGE,
                        true,
                        "the answer is longer than %d bytes".formatted(asked.bytesMax()));
            }
            return count;
        }

        private int next(byte[] into, int offset, int length) throws IOException {
            try {
                return body.read(into, offset, length);
            } catch (InterruptedIOException cancelled) {
                close();
                throw cancelled;
            } catch (IOException failed) {
                var cause = failed.getCause() == null ? failed : failed.getCause();
                throw OutgoingHttp.failure(cause, true);
            }
        }

        @Override
        public void close() {
            OutgoingAnswer.this.close();
        }
    }

    @Override
    public void close() {
        if (!ended) {
            ended = true;
            var _ = request.abort(new CancellationException("nobody reads the rest"));
        }
        try {
            body.close();
        } catch (IOException gone) {
            // It was aborted.
        }
    }
}
