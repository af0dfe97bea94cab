package dev.caisson.sandbox.nest;

import dev.caisson.linux.Descriptor;
import dev.caisson.sandbox.bubblewrap.ProcessLimit;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.IntStream;

/// Order to a nest or a zygote, as `guests/nest/hatch.h` lays it out.
///
/// @param firstUser of a shell's first process, as the nest numbers users
/// @param programUser of its program
/// @param restricted whether the program gives up sockets outside of private places
/// @param words a command, or rows of what a shell mounts
/// @param wires which of the descriptors is to be found where
/// @param firstGroup of the descriptors, by which groups are joined
/// @param home which of them is a group to be born in; 0 for none
/// @param network which of them is the network of a shell; 0 for a new one
/// @param descriptors in the order that the kind of order has
record NestOrder(
        Kind kind,
        int firstUser,
        int programUser,
        boolean restricted,
        List<ProcessLimit> limits,
        List<String> words,
        List<String> environment,
        List<Wire> wires,
        int firstGroup,
        int home,
        int network,
        List<Descriptor> descriptors) {
    private static final int LIMITS_MAX = 12;
    private static final int WIRES_MAX = 12;
    private static final int HEAD_BYTES = 40;
    private static final int LIMIT_BYTES = 24;
    private static final int WIRE_BYTES = 8;

    /// What a program is given: where its shell, the job, output, errors and control are among the
    /// descriptors, and groups after them.
    private static final int JOB = 1;

    private static final int OUTPUT = 2;
    private static final int ERRORS = 3;
    private static final int CONTROL = 4;
    private static final int GROUPS = 5;

    private static final List<Wire> OF_FORK =
            List.of(
                    new Wire(JOB, 0),
                    new Wire(OUTPUT, 1),
                    new Wire(ERRORS, 2),
                    new Wire(CONTROL, 7));

    /// A guest that boots finds its output at 5 and 6, and what goes wrong before that is among the
    /// errors.
    private static final List<Wire> OF_EXEC =
            List.of(
                    new Wire(JOB, 0),
                    new Wire(ERRORS, 1),
                    new Wire(ERRORS, 2),
                    new Wire(OUTPUT, 5),
                    new Wire(ERRORS, 6),
                    new Wire(CONTROL, 7));

    /// The socket of a nest or a zygote, as in `hatch.h`. What is below it, programs are given.
    static final int SERVER = 10;

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

    /// One of the descriptors of an order, and the number it is to have.
    record Wire(int descriptor, int place) {}

    NestOrder {
        wires = List.copyOf(wires);
        limits = List.copyOf(limits);
        words = List.copyOf(words);
        environment = List.copyOf(environment);
        descriptors = List.copyOf(descriptors);
        if (wires.size() > WIRES_MAX) {
            throw new IllegalArgumentException("an order has at most " + WIRES_MAX + " wires");
        }
        if (limits.size() > LIMITS_MAX) {
            throw new IllegalArgumentException("an order has at most " + LIMITS_MAX + " limits");
        }
        if (words.contains("")) {
            throw new IllegalArgumentException("an empty word ends the words of an order");
        }
    }

    /// @param network whether the network to be in comes second; else it has a new one
    /// @param born whether the last is the group to be born in
    /// @param descriptors the status pipe, the network, and files to join groups by
    static NestOrder shell(
            int firstUser,
            int programUser,
            boolean network,
            boolean born,
            List<String> mounts,
            List<Descriptor> descriptors) {
        return new NestOrder(
                Kind.SHELL,
                firstUser,
                programUser,
                false,
                List.of(),
                mounts,
                List.of(),
                List.of(),
                born ? descriptors.size() : network ? 2 : 1,
                born ? descriptors.size() - 1 : 0,
                network ? 1 : 0,
                descriptors);
    }

    /// @param input a pipe, as programs have them: an interpreter looks at them when it starts
    static NestOrder zygote(
            List<String> words,
            SortedMap<String, String> environment,
            Descriptor input,
            Descriptor socket) {
        var wires =
                IntStream.rangeClosed(0, SERVER)
                        .filter(place -> place < 1 || place > 2)
                        .mapToObj(place -> new Wire(place == SERVER ? 1 : 0, place))
                        .toList();
        return new NestOrder(
                Kind.ZYGOTE,
                0,
                0,
                false,
                List.of(),
                words,
                lines(environment),
                wires,
                2,
                0,
                0,
                List.of(input, socket));
    }

    /// @param born whether the last is the group to be born in
    /// @param descriptors the shell, the job, output, errors, control, and files to join groups by
    static NestOrder fork(
            boolean restricted,
            boolean born,
            List<ProcessLimit> limits,
            List<Descriptor> descriptors) {
        return new NestOrder(
                Kind.FORK,
                0,
                0,
                restricted,
                limits,
                List.of(),
                List.of(),
                OF_FORK,
                born ? descriptors.size() : GROUPS,
                born ? GROUPS : 0,
                0,
                descriptors);
    }

    static NestOrder exec(
            boolean restricted,
            boolean born,
            List<ProcessLimit> limits,
            List<String> words,
            SortedMap<String, String> environment,
            List<Descriptor> descriptors) {
        return new NestOrder(
                Kind.EXEC,
                0,
                0,
                restricted,
                limits,
                words,
                lines(environment),
                OF_EXEC,
                born ? descriptors.size() : GROUPS,
                born ? GROUPS : 0,
                0,
                descriptors);
    }

    private static List<String> lines(SortedMap<String, String> environment) {
        return environment.entrySet().stream()
                .map(each -> each.getKey() + "=" + each.getValue())
                .toList();
    }

    byte[] bytes() {
        int limitsEnd = HEAD_BYTES + LIMITS_MAX * LIMIT_BYTES;
        var head = ByteBuffer.allocate(limitsEnd + WIRES_MAX * WIRE_BYTES);
        head.order(ByteOrder.nativeOrder());
        head.putInt(kind.letter).putInt(firstUser).putInt(programUser).putInt(restricted ? 1 : 0);
        head.putInt(limits.size()).putInt(wires.size()).putInt(firstGroup);
        head.putInt(home).putInt(network).putInt(0);
        for (var limit : limits) {
            head.putInt(limit.resource()).putInt(0).putLong(limit.soft()).putLong(limit.hard());
        }
        head.position(limitsEnd);
        wires.forEach(wire -> head.putInt(wire.descriptor()).putInt(wire.place()));
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
