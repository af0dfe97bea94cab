package dev.caisson.sandbox;

/// Boxes of nests: the same programs find the same walls and end the same way as in those of
/// bubblewrap.
@InNests
class NestContractTest extends RuntimeContractTest {}
