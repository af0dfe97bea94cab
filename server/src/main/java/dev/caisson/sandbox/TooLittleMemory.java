package dev.caisson.sandbox;

/// Failure to make a sandbox because its memory limit did not even let the interpreter start.
public final class TooLittleMemory extends Exception {
    private static final long serialVersionUID = 1L;
}
