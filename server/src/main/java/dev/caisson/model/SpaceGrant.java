package dev.caisson.model;

/// Grant of a space to a caller who does not own it.
///
/// @param caller its id
public record SpaceGrant(String caller, SpaceAccess access) {}
