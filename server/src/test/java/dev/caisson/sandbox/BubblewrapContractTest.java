package dev.caisson.sandbox;

/// Bubblewrap as a runtime, with every box made for its run.
class BubblewrapContractTest extends RuntimeContractTest {}
