package dev.caisson.egress;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Optional;

/// First message of a TLS client, which names the host it wants.
///
/// @param bytes as they came, to be passed on
/// @param host that it names, in lower case
@SuppressWarnings("ArrayRecordComponent") // Never compared, never changed.
record ClientHello(byte[] bytes, Optional<String> host) {
    /// How TLS begins.
    static final int HANDSHAKE = 22;

    /// Refuses a client, in its own protocol: access denied.
    static final byte[] ALERT = {21, 3, 3, 0, 2, 2, 49};

    static final int BYTES_MAX = 32 << 10;

    private static final int HEADER = 5;
    private static final int RECORD_MAX = 16 << 10;
    private static final int CLIENT_HELLO = 1;
    private static final int MESSAGE_HEADER = 4;
    private static final int RANDOM = 32;
    private static final int SERVER_NAME = 0;
    private static final int ENCRYPTED_HELLO = 0xfe0d;

    /// @param in at its beginning, which is that of TLS
    /// @throws ProxyRefusal for what is none
    static ClientHello read(InputStream in) throws IOException {
        var raw = new ByteArrayOutputStream();
        var message = new ByteArrayOutputStream();
        while (!isWhole(message)) {
            var header = in.readNBytes(HEADER);
            if (header.length < HEADER) {
                throw new EOFException("the beginning of TLS broke off");
            }
            int length = (header[3] & 0xff) << 8 | (header[4] & 0xff);
            if (header[0] != HANDSHAKE || header[1] != 3 || length == 0 || length > RECORD_MAX) {
                throw ProxyRefusal.malformed("not the beginning of TLS");
            }
            var part = in.readNBytes(length);
            if (part.length < length) {
                throw new EOFException("the beginning of TLS broke off");
            }
            raw.writeBytes(header);
            raw.writeBytes(part);
            message.writeBytes(part);
            if (raw.size() > BYTES_MAX) {
                throw ProxyRefusal.malformed(
                        "the beginning of TLS has more than %d bytes".formatted(BYTES_MAX));
            }
        }
        return new ClientHello(raw.toByteArray(), host(ByteBuffer.wrap(message.toByteArray())));
    }

    private static boolean isWhole(ByteArrayOutputStream message) throws ProxyRefusal {
        if (message.size() < MESSAGE_HEADER) {
            return false;
        }
        var bytes = message.toByteArray();
        if (bytes[0] != CLIENT_HELLO) {
            throw ProxyRefusal.malformed("not the beginning of TLS");
        }
        int length = (bytes[1] & 0xff) << 16 | (bytes[2] & 0xff) << 8 | (bytes[3] & 0xff);
        if (length > BYTES_MAX) {
            throw ProxyRefusal.malformed(
                    "the beginning of TLS has more than %d bytes".formatted(BYTES_MAX));
        }
        return bytes.length >= MESSAGE_HEADER + length;
    }

    private static Optional<String> host(ByteBuffer message) throws ProxyRefusal {
        try {
            int length = message.getInt() & 0xffffff;
            var hello = message.slice(message.position(), length);
            skip(hello, 2 + RANDOM);
            skip(hello, hello.get() & 0xff);
            skip(hello, hello.getShort() & 0xffff);
            skip(hello, hello.get() & 0xff);
            return hello.hasRemaining() ? named(part(hello)) : Optional.empty();
        } catch (BufferUnderflowException
                | IllegalArgumentException
                | IndexOutOfBoundsException no) {
            throw ProxyRefusal.malformed("not the beginning of TLS");
        }
    }

    private static Optional<String> named(ByteBuffer extensions) throws ProxyRefusal {
        var seen = new HashSet<Integer>();
        var host = Optional.<String>empty();
        while (extensions.hasRemaining()) {
            int type = extensions.getShort() & 0xffff;
            var content = part(extensions);
            if (!seen.add(type)) {
                throw ProxyRefusal.malformed("an extension of TLS stands there twice");
            }
            if (type == ENCRYPTED_HELLO) {
                throw new ProxyRefusal(
                        403,
                        NetworkVerdict.MISMATCHED,
                        "TLS with an encrypted client hello hides its host");
            }
            if (type == SERVER_NAME) {
                host = Optional.of(name(part(content)));
            }
        }
        return host;
    }

    private static String name(ByteBuffer names) throws ProxyRefusal {
        if (names.get() != 0) {
            throw ProxyRefusal.malformed("TLS names no host");
        }
        var name = part(names);
        if (names.hasRemaining()) {
            throw ProxyRefusal.malformed("TLS names two hosts");
        }
        var bytes = new byte[name.remaining()];
        name.get(bytes);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static ByteBuffer part(ByteBuffer all) {
        int length = all.getShort() & 0xffff;
        var part = all.slice(all.position(), length);
        skip(all, length);
        return part;
    }

    private static void skip(ByteBuffer all, int bytes) {
        all.position(all.position() + bytes);
    }
}
