package dev.caisson.sandbox.nest;

import dev.caisson.linux.Descriptor;
import dev.caisson.sandbox.bubblewrap.ProcessLimit;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SortedMap;

/// Order to a nest or a zygote, as `guests/nest/hatch.h` lays it out.
///
/// @param firstUser of a shell's first process, as the nest numbers users
/// @param programUser of its program
/// @param restricted whether the program gives up sockets outside of private places
/// @param words a command, or rows of what a shell mounts
/// @param descriptors in the order that the kind of order has
record NestOrder(
        Kind kind,
        int firstUser,
        int programUser,
        boolean restricted,
        List<ProcessLimit> limits,
        List<String> words,
        List<String> environment,
        List<Descriptor> descriptors) {
    private static final int LIMITS_MAX = 12;
    private static final int HEAD_BYTES = 24;
    private static final int LIMIT_BYTES = 24;

    /// As in `hatch.h`.
    static final int BYTES_MAX = 32_768;

    enum Kind {
        SHELL('S'),
        EXEC('X'),
        FORK('F'),
        ZYGOTE('Z');

        private final int letter;

        Kind(int letter) {
            this.letter = letter;
        }
    }

    NestOrder {
        limits = List.copyOf(limits);
        words = List.copyOf(words);
        environment = List.copyOf(environment);
        descriptors = List.copyOf(descriptors);
        if (limits.size() > LIMITS_MAX) {
            throw new IllegalArgumentException("an order has at most " + LIMITS_MAX + " limits");
        }
        if (words.contains("")) {
            throw new IllegalArgumentException("an empty word ends the words of an order");
        }
    }

    static NestOrder shell(
            int firstUser, int programUser, List<String> mounts, List<Descriptor> descriptors) {
        return new NestOrder(
                Kind.SHELL,
                firstUser,
                programUser,
                false,
                List.of(),
                mounts,
                List.of(),
                descriptors);
    }

    static NestOrder zygote(
            List<String> words, SortedMap<String, String> environment, Descriptor socket) {
        return new NestOrder(
                Kind.ZYGOTE, 0, 0, false, List.of(), words, lines(environment), List.of(socket));
    }

    /// @param descriptors the shell, the job, output, errors, control, and files to join groups by
    static NestOrder fork(
            boolean restricted, List<ProcessLimit> limits, List<Descriptor> descriptors) {
        return new NestOrder(
                Kind.FORK, 0, 0, restricted, limits, List.of(), List.of(), descriptors);
    }

    static NestOrder exec(
            boolean restricted,
            List<ProcessLimit> limits,
            List<String> words,
            SortedMap<String, String> environment,
            List<Descriptor> descriptors) {
        return new NestOrder(
                Kind.EXEC, 0, 0, restricted, limits, words, lines(environment), descriptors);
    }

    private static List<String> lines(SortedMap<String, String> environment) {
        return environment.entrySet().stream()
                .map(each -> each.getKey() + "=" + each.getValue())
                .toList();
    }

    byte[] bytes() {
        var head = ByteBuffer.allocate(HEAD_BYTES + LIMITS_MAX * LIMIT_BYTES);
        head.order(ByteOrder.nativeOrder());
        head.putInt(kind.letter).putInt(firstUser).putInt(programUser).putInt(restricted ? 1 : 0);
        head.putInt(limits.size()).putInt(0);
        for (var limit : limits) {
            head.putInt(limit.resource()).putInt(0).putLong(limit.soft()).putLong(limit.hard());
        }
        var all = new ByteArrayOutputStream();
        all.writeBytes(head.array());
        for (var strings : List.of(words, environment)) {
            for (var string : strings) {
                all.writeBytes(string.getBytes(StandardCharsets.UTF_8));
                all.write(0);
            }
            all.write(0);
        }
        if (all.size() > BYTES_MAX) {
            throw new IllegalArgumentException("an order has at most " + BYTES_MAX + " bytes");
        }
        return all.toByteArray();
    }
}
