package dev.caisson.sandbox;

/// Failure to remove something of a run: where it ran must not be used again.
public final class Unclean extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    public Unclean(String what) {
        super(what);
    }
}
