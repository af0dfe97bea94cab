package dev.caisson.environments;

/// A bake that came to nothing, with one sentence that says why.
public final class BakeFailed extends Exception {
    private static final long serialVersionUID = 1L;

    BakeFailed(String sentence) {
        super(sentence);
    }
}
