package dev.caisson.sandbox.nest;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Program or library in the format ELF, of 64 bits in the byte order of this machine: its
/// segments, what its dynamic section says, and the names in it.
final class ElfFile {
    private static final int HEADER_BYTES = 64;
    private static final int DYNAMIC = 2;
    private static final int INTERPRETER = 3;
    private static final int STACK = 0x6474e551;
    private static final int READ_ONLY_AFTER_LINKING = 0x6474e552;
    private static final int SHARED_OBJECT = 3;
    private static final int EXECUTABLE = 1;
    private static final int WRITABLE = 2;
    private static final long NEEDED = 1;
    private static final long FLAGS = 30;
    private static final long BIND_NOW = 8;
    private static final long FLAGS_1 = 0x6ffffffbL;
    private static final long NOW = 1;
    private static final long PIE = 0x08000000L;
    private static final int SYMBOLS = 2;
    private static final int DYNAMIC_SYMBOLS = 11;

    private final ByteBuffer bytes;
    private final List<Segment> segments = new ArrayList<>();
    private final Map<Long, Long> dynamic = new HashMap<>();
    private final Map<String, Long> symbols = new HashMap<>();

    private record Segment(int type, int flags, long offset, long address, long size) {
        boolean allows(int what) {
            return (flags & what) != 0;
        }
    }

    private ElfFile(ByteBuffer bytes) {
        this.bytes = bytes.order(ByteOrder.nativeOrder());
        readSegments();
        segments.stream().filter(each -> each.type == DYNAMIC).forEach(this::readDynamic);
        readSymbols();
    }

    static ElfFile read(Path file) throws IOException {
        var bytes = ByteBuffer.wrap(Files.readAllBytes(file));
        if (bytes.limit() < HEADER_BYTES || bytes.getInt(0) != 0x7f454c46 || bytes.get(4) != 2) {
            throw new IOException(file + " is no ELF file of 64 bits");
        }
        return new ElfFile(bytes);
    }

    private void readSegments() {
        int each = bytes.getShort(54);
        for (int place = 0; place < bytes.getShort(56); place++) {
            int at = (int) bytes.getLong(32) + place * each;
            segments.add(
                    new Segment(
                            bytes.getInt(at),
                            bytes.getInt(at + 4),
                            bytes.getLong(at + 8),
                            bytes.getLong(at + 16),
                            bytes.getLong(at + 32)));
        }
    }

    private void readDynamic(Segment segment) {
        for (int at = (int) segment.offset; at < segment.offset + segment.size; at += 16) {
            dynamic.put(bytes.getLong(at), bytes.getLong(at + 8));
        }
    }

    /// Section headers say where the tables of symbols are, and where their names.
    private void readSymbols() {
        for (int place = 0; place < bytes.getShort(60); place++) {
            int type = bytes.getInt(section(place) + 4);
            if (type == SYMBOLS || type == DYNAMIC_SYMBOLS) {
                int from = (int) bytes.getLong(section(place) + 24);
                int names = (int) bytes.getLong(section(bytes.getInt(section(place) + 40)) + 24);
                for (int at = 0; at < bytes.getLong(section(place) + 32); at += 24) {
                    symbols.put(
                            name(names + bytes.getInt(from + at)), bytes.getLong(from + at + 8));
                }
            }
        }
    }

    private int section(int place) {
        return (int) bytes.getLong(40) + place * bytes.getShort(58);
    }

    private String name(int from) {
        int end = from;
        while (bytes.get(end) != 0) {
            end++;
        }
        return StandardCharsets.UTF_8.decode(bytes.slice(from, end - from)).toString();
    }

    private Optional<Segment> segment(int type) {
        return segments.stream().filter(each -> each.type == type).findFirst();
    }

    private boolean says(long entry, long flag) {
        return (dynamic.getOrDefault(entry, 0L) & flag) != 0;
    }

    /// Nobody else loads it, and it is loaded anywhere.
    boolean isStaticAnywhere() {
        return bytes.getShort(16) == SHARED_OBJECT
                && says(FLAGS_1, PIE)
                && segment(INTERPRETER).isEmpty()
                && !dynamic.containsKey(NEEDED);
    }

    /// What is linked is linked before anything runs, and is read-only from then on.
    boolean isReadOnlyWhenLinked() {
        return segment(READ_ONLY_AFTER_LINKING).isPresent()
                && (says(FLAGS, BIND_NOW) || says(FLAGS_1, NOW));
    }

    /// Nothing that can be written can be executed, the stack included.
    boolean executesNoData() {
        return segment(STACK).filter(stack -> !stack.allows(EXECUTABLE)).isPresent()
                && segments.stream()
                        .noneMatch(each -> each.allows(WRITABLE) && each.allows(EXECUTABLE));
    }

    boolean names(String symbol) {
        return symbols.containsKey(symbol);
    }

    boolean isOfX86() {
        return bytes.getShort(18) == 62;
    }

    /// The first bytes of a function.
    int firstBytes(String function) {
        long address = Optional.ofNullable(symbols.get(function)).orElseThrow();
        var inside =
                segments.stream()
                        .filter(each -> each.allows(EXECUTABLE))
                        .filter(each ->
                                address >= each.address && address < each.address + each.size)
                        .findFirst()
                        .orElseThrow();
        return bytes.getInt((int) (address - inside.address + inside.offset));
    }
}
