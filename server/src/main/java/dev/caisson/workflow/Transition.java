package dev.caisson.workflow;

import tools.jackson.databind.JsonNode;

/// Transition of a process: the state it moves to, its data, and why.
public record Transition(String state, JsonNode data, String actor, String reason) {}
