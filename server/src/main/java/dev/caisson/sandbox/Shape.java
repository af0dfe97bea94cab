package dev.caisson.sandbox;

/// What is decided when a sandbox boots and cannot be changed any more: what runs in it, and the
/// limits that are set per process or that the interpreter reads when it starts. A waiting sandbox
/// serves only a run of its own shape.
///
/// @param heapBytes which Node is told at its start; nobody else looks
record Shape(Boot boot, long heapBytes, int openFiles, long fileBytes, long tmpBytes) {
    static Shape of(Runner runner, Boot boot, Limits limits) {
        long heap =
                switch (runner.language()) {
                    case NODE, TYPESCRIPT -> limits.memoryBytes();
                    case PYTHON, BASH -> 0;
                };
        return new Shape(boot, heap, limits.openFiles(), limits.fileBytes(), limits.tmpBytes());
    }
}
