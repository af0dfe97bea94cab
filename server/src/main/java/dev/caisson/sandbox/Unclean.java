package dev.caisson.sandbox;

/// Something of a run could not be removed: where it ran must not be used again.
final class Unclean extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    Unclean(String what) {
        super(what);
    }
}
