package dev.caisson.config;

/// Settings records with the defaults of all keys.
public final class Defaults {
    private Defaults() {}

    /// @param type a record whose components have a [Key] or a [Fixed] value, or are such records
    public static <R extends Record> R of(Class<R> type) {
        return new Binder(Values.initial(Declarations.of(type))).bind(type).orElseThrow();
    }
}
