package dev.caisson.storage;

/// How much of a tree the server looks at.
///
/// @param entries of any kind that are looked at
/// @param depth of directories that are entered; 1 is the root alone
public record Bounds(long entries, int depth) {
    /// Around every run.
    public static final Bounds RUN = new Bounds(20_000, 32);

    /// When somebody asks to see, to take or to delete.
    public static final Bounds ASKED = new Bounds(1_000_000, 128);
}
