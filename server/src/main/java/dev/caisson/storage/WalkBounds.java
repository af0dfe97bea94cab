package dev.caisson.storage;

/// Bounds of a walk: how much of a tree the server looks at.
///
/// @param entries of any kind that are looked at
/// @param depth of directories that are entered; 1 is the root alone
public record WalkBounds(long entries, int depth) {
    /// Around every run.
    public static final WalkBounds RUN = new WalkBounds(20_000, 32);

    /// When somebody asks to see, to take or to delete.
    public static final WalkBounds ASKED = new WalkBounds(1_000_000, 128);
}
