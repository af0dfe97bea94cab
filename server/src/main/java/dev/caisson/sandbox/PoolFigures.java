package dev.caisson.sandbox;

/// How the pool of one runner stands.
///
/// @param ready sandboxes that wait
/// @param target how many should
/// @param hits runs that found one
/// @param misses runs that did not
public record PoolFigures(String runner, int ready, int target, long hits, long misses) {
    PoolFigures and(PoolFigures other) {
        return new PoolFigures(
                runner,
                ready + other.ready,
                target + other.target,
                hits + other.hits,
                misses + other.misses);
    }
}
