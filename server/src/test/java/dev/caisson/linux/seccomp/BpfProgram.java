package dev.caisson.linux.seccomp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Evaluates a filter program as the kernel would, without loading it.
///
/// An instruction is 8 bytes: code (16 bits), jump if true, jump if false (8 bits each), k (32).
/// The data it looks at: number (4 bytes), architecture (4), instruction pointer (8), six arguments
/// (8 each).
public final class BpfProgram {
    private static final int INSTRUCTION_BYTES = 8;
    private static final int DATA_BYTES = 64;

    private final ByteBuffer code;

    public BpfProgram(byte[] program) {
        code = ByteBuffer.wrap(program).order(ByteOrder.LITTLE_ENDIAN);
    }

    public int length() {
        return code.capacity() / INSTRUCTION_BYTES;
    }

    /// What the kernel would do with a call, as it numbers actions.
    public int action(int architecture, int number, long... arguments) {
        var data = ByteBuffer.allocate(DATA_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        data.putInt(0, number).putInt(4, architecture);
        for (int at = 0; at < arguments.length; at++) {
            data.putLong(16 + 8 * at, arguments[at]);
        }
        return run(data);
    }

    private int run(ByteBuffer data) {
        int accumulator = 0;
        for (int at = 0; at < length(); at++) {
            int base = at * INSTRUCTION_BYTES;
            int operation = Short.toUnsignedInt(code.getShort(base));
            int k = code.getInt(base + 4);
            switch (operation) {
                case 0x20 -> accumulator = data.getInt(k);
                case 0x54 -> accumulator &= k;
                case 0x05 -> at += k;
                case 0x15 -> at += jump(base, accumulator == k);
                case 0x25 -> at += jump(base, Integer.compareUnsigned(accumulator, k) > 0);
                case 0x35 -> at += jump(base, Integer.compareUnsigned(accumulator, k) >= 0);
                case 0x06 -> {
                    return k;
                }
                default ->
                        throw new IllegalStateException(
                                "instruction %x is not known here".formatted(operation));
            }
        }
        throw new IllegalStateException("the program does not end");
    }

    private int jump(int base, boolean holds) {
        return Byte.toUnsignedInt(code.get(base + (holds ? 2 : 3)));
    }
}
