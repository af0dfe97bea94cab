package dev.caisson.policy;

/// Replaced rules: those that others stand in the place of, in a trial. The defaults always stay.
public enum Replaced {
    /// Those of the file.
    FILE,
    /// Those of the database.
    DATABASE,
    /// Both.
    ALL
}
