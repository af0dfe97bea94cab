package dev.caisson.sandbox.pool;

import dev.caisson.sandbox.Boot;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.Runner;
import java.util.Optional;

/// Shape of a booted sandbox: what is decided when it boots and cannot be changed any more, which
/// is what runs in it, and the limits that are set per process or that the interpreter reads when
/// it starts. A waiting sandbox serves only a run of its own shape.
///
/// @param owner the caller it is kept for; empty when it is for anybody
/// @param heapBytes which Node is told at its start; nobody else looks
record BootShape(
        Optional<String> owner,
        Boot boot,
        long heapBytes,
        int openFiles,
        long fileBytes,
        long tmpBytes) {
    static BootShape of(Optional<String> owner, Runner runner, Boot boot, Limits limits) {
        long heap =
                switch (runner.language()) {
                    case NODE, TYPESCRIPT -> limits.memoryBytes();
                    case PYTHON, BASH -> 0;
                };
        return new BootShape(
                owner, boot, heap, limits.openFiles(), limits.fileBytes(), limits.tmpBytes());
    }
}
