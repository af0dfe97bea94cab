package dev.caisson.sandbox;

import java.util.Optional;

/// Order to a guest: what it does beside running a program.
///
/// @param input what the program reads from its standard input, which is empty otherwise
/// @param display whether the value of its last expression is wanted
public record GuestOrder(Optional<String> input, boolean display) {
    public static final GuestOrder NONE = new GuestOrder(Optional.empty(), false);
}
