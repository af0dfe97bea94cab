package dev.caisson.linux.seccomp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Assembler of a BPF filter program for the kernel. It writes from its end to its beginning,
/// because every jump leads forward: what is jumped to is there already. A place in the program is
/// named by how many instructions there are from it to the end.
///
/// An instruction is 8 bytes: code (16 bits), jump if true, jump if false (8 bits each), operand
/// (32). A jump on a condition reaches 255 instructions far; one without reaches everywhere.
final class BpfAssembler {
    private static final int LOAD = 0x20;
    private static final int AND = 0x54;
    private static final int JUMP = 0x05;
    private static final int JUMP_IF_EQUAL = 0x15;
    private static final int JUMP_IF_AT_LEAST = 0x35;
    private static final int RETURN = 0x06;

    private static final int INSTRUCTION_BYTES = 8;

    /// Less than the longest jump by what bringing the other branch nearer may add.
    private static final int REACH = 250;

    private record Instruction(int code, int ifTrue, int ifFalse, int operand) {}

    private final List<Instruction> reversed = new ArrayList<>();
    private final Map<Integer, Integer> returns = new HashMap<>();

    /// Where the program answers with an action; one that is near is used again.
    int answer(int action) {
        var known = returns.get(action);
        if (known != null && reversed.size() - known < REACH) {
            return known;
        }
        int place = add(new Instruction(RETURN, 0, 0, action));
        returns.put(action, place);
        return place;
    }

    int ifEqual(int value, int then, int otherwise) {
        return branch(JUMP_IF_EQUAL, value, then, otherwise);
    }

    /// Compared without a sign.
    int ifAtLeast(int value, int then, int otherwise) {
        return branch(JUMP_IF_AT_LEAST, value, then, otherwise);
    }

    private int branch(int code, int value, int then, int otherwise) {
        int thenNear = near(then);
        int otherwiseNear = near(otherwise);
        return add(
                new Instruction(
                        code, reversed.size() - thenNear, reversed.size() - otherwiseNear, value));
    }

    /// The place itself, or a jump to it that is nearer.
    private int near(int place) {
        int distance = reversed.size() - place;
        return distance < REACH ? place : add(new Instruction(JUMP, 0, 0, distance));
    }

    /// Takes the bits of a mask of what is looked at, before the place that was written last.
    int and(int mask) {
        return add(new Instruction(AND, 0, 0, mask));
    }

    /// Looks at 32 bits of what the kernel says about a call, before the place that was written
    /// last.
    int load(int offset) {
        return add(new Instruction(LOAD, 0, 0, offset));
    }

    private int add(Instruction instruction) {
        reversed.add(instruction);
        return reversed.size();
    }

    byte[] program() {
        var bytes = ByteBuffer.allocate(reversed.size() * INSTRUCTION_BYTES);
        bytes.order(ByteOrder.nativeOrder());
        for (var one : reversed.reversed()) {
            bytes.putShort((short) one.code())
                    .put((byte) one.ifTrue())
                    .put((byte) one.ifFalse())
                    .putInt(one.operand());
        }
        return bytes.array();
    }
}
