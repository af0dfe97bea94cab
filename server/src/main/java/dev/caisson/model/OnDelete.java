package dev.caisson.model;

/// Rule of a reference for the case that its target is deleted.
public enum OnDelete {
    /// The target cannot be deleted.
    REFUSE,
    /// The reference is removed.
    UNLINK,
    /// The entity that refers is deleted too: the target owns it.
    CASCADE
}
