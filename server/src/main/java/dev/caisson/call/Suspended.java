package dev.caisson.call;

/// Ends a call that will be made again from its start, with more than it has now. Not an error: a
/// [Call] throws it, and it passes through the tool.
public abstract class Suspended extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Suspended(String message) {
        super(message, null, false, false);
    }
}
