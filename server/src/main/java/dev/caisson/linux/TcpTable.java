package dev.caisson.linux;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Table of the TCP connections of this host at one moment, as the kernel lists them.
///
/// @param open those both of whose ends are open. One whose other end has closed is not among them,
///   though this end may not have read that yet
/// @param listening the ports on which somebody here accepts connections
public record TcpTable(Set<Connection> open, Set<Integer> listening) {
    private static final List<Path> FILES =
            List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));

    private static final String ESTABLISHED = "01";
    private static final String LISTEN = "0A";

    public record Connection(InetSocketAddress local, InetSocketAddress remote) {}

    public TcpTable {
        open = Set.copyOf(open);
        listening = Set.copyOf(listening);
    }

    /// Empty where the kernel does not say. It lists one connection after another, so that one may
    /// be missed while others come and go.
    public static TcpTable read() {
        var lines = new ArrayList<String>();
        for (var file : FILES) {
            try {
                lines.addAll(Files.readAllLines(file));
            } catch (NoSuchFileException _) {
                // A host without one of the two families lacks its file.
            } catch (IOException unknown) {
                return new TcpTable(Set.of(), Set.of());
            }
        }
        return of(lines.stream());
    }

    /// @param lines such as `0: 0100007F:1F90 0100007F:C350 01 …`; others, such as titles, say
    ///   nothing
    static TcpTable of(Stream<String> lines) {
        var open = new HashSet<Connection>();
        var listening = new HashSet<Integer>();
        lines.map(line -> line.strip().split("\\s+", 5))
                .filter(words -> words.length > 3)
                .forEach(words -> {
                    switch (words[3]) {
                        case ESTABLISHED ->
                                open.add(new Connection(address(words[1]), address(words[2])));
                        case LISTEN -> listening.add(address(words[1]).getPort());
                        default -> {}
                    }
                });
        return new TcpTable(open, listening);
    }

    /// An address is one number or four of 32 bits, each in the machine's order of bytes.
    private static InetSocketAddress address(String text) {
        var colon = text.indexOf(':');
        var words = ByteBuffer.wrap(HexFormat.of().parseHex(text, 0, colon));
        var address = ByteBuffer.allocate(words.capacity()).order(ByteOrder.nativeOrder());
        while (words.hasRemaining()) {
            address.putInt(words.getInt());
        }
        try {
            return new InetSocketAddress(
                    InetAddress.getByAddress(address.array()),
                    HexFormat.fromHexDigits(text, colon + 1, text.length()));
        } catch (UnknownHostException impossible) {
            throw new IllegalArgumentException(text, impossible);
        }
    }
}
