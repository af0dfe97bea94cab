package dev.caisson.egress;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/// Body of a request as its head delimits it. It is written anew by the same delimiters, so that
/// nothing behind it goes out as a second request.
sealed interface HttpBody {
    /// Where what is read of it goes.
    @FunctionalInterface
    interface Sink {
        void write(byte[] bytes, int count) throws IOException;
    }

    /// The field that delimits it; empty when there is none.
    String field();

    void copy(InputStream in, Sink out) throws IOException;

    static HttpBody of(HttpHead head) throws ProxyRefusal {
        var length = head.only("Content-Length");
        var coding = head.only("Transfer-Encoding");
        if (coding.isPresent()) {
            if (length.isPresent() || head.isOld() || !coding.get().equalsIgnoreCase("chunked")) {
                throw ProxyRefusal.malformed(
                        "a request has Content-Length or Transfer-Encoding: chunked, and not both");
            }
            return new Chunked();
        }
        if (length.isEmpty()) {
            return new None();
        }
        if (!length.get().matches("\\d{1,15}")) {
            throw ProxyRefusal.malformed("Content-Length is no number");
        }
        return new Counted(Long.parseLong(length.get()));
    }

    /// No body.
    record None() implements HttpBody {
        @Override
        public String field() {
            return "";
        }

        @Override
        public void copy(InputStream in, Sink out) {}
    }

    /// As many bytes as the head says.
    record Counted(long bytes) implements HttpBody {
        @Override
        public String field() {
            return "Content-Length: " + bytes + "\r\n";
        }

        @Override
        public void copy(InputStream in, Sink out) throws IOException {
            Chunked.copy(in, bytes, out);
        }
    }

    /// Chunks, whose extensions and trailers are left out.
    record Chunked() implements HttpBody {
        private static final Pattern SIZE = Pattern.compile("([0-9A-Fa-f]{1,8})(?:[ \\t]*;.*)?");
        private static final int LINE_MAX = 256;
        private static final int TRAILERS_MAX = 100;
        private static final int BUFFER_BYTES = 16 << 10;

        @Override
        public String field() {
            return "Transfer-Encoding: chunked\r\n";
        }

        @Override
        public void copy(InputStream in, Sink out) throws IOException {
            for (long size = size(in); size > 0; size = size(in)) {
                write(out, Long.toHexString(size) + "\r\n");
                copy(in, size, out);
                if (!line(in).isEmpty()) {
                    throw ProxyRefusal.malformed("a chunk is longer than it says");
                }
                write(out, "\r\n");
            }
            for (int i = 0; !line(in).isEmpty(); i++) {
                if (i >= TRAILERS_MAX) {
                    throw ProxyRefusal.malformed("more than %d trailers".formatted(TRAILERS_MAX));
                }
            }
            write(out, "0\r\n\r\n");
        }

        static void copy(InputStream in, long bytes, Sink out) throws IOException {
            var buffer = new byte[BUFFER_BYTES];
            for (long left = bytes; left > 0; ) {
                int count = in.read(buffer, 0, (int) Math.min(left, buffer.length));
                if (count < 0) {
                    throw new EOFException("the body of a request broke off");
                }
                out.write(buffer, count);
                left -= count;
            }
        }

        private static long size(InputStream in) throws IOException {
            var size = SIZE.matcher(line(in));
            if (!size.matches()) {
                throw ProxyRefusal.malformed("a chunk has no length");
            }
            return Long.parseLong(size.group(1), 16);
        }

        private static void write(Sink out, String text) throws IOException {
            var bytes = text.getBytes(StandardCharsets.US_ASCII);
            out.write(bytes, bytes.length);
        }

        private static String line(InputStream in) throws IOException {
            var line = new StringBuilder();
            while (true) {
                int next = in.read();
                if (next < 0) {
                    throw new EOFException("the body of a request broke off");
                }
                if (next == '\r') {
                    if (in.read() != '\n') {
                        throw ProxyRefusal.malformed("a line of a body ends with CR alone");
                    }
                    return line.toString();
                }
                if (next == '\n' || line.length() >= LINE_MAX) {
                    throw ProxyRefusal.malformed("a line of a body does not end with CR LF");
                }
                line.append((char) next);
            }
        }
    }
}
