package dev.caisson.sandbox;

/// Figures of the pool for one runner.
///
/// @param ready sandboxes that wait
/// @param target how many should
/// @param hits runs that found one
/// @param misses runs that did not
public record PoolFigures(String runner, int ready, int target, long hits, long misses) {
    public PoolFigures and(PoolFigures other) {
        return new PoolFigures(
                runner,
                ready + other.ready,
                target + other.target,
                hits + other.hits,
                misses + other.misses);
    }
}
