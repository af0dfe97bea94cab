package dev.caisson.sandbox;

/// Bubblewrap as a runtime, with every box made for its run.
@InBubblewrap
class BubblewrapContractTest extends RuntimeContractTest {}
