package dev.caisson.workflow;

import tools.jackson.databind.JsonNode;

/// Where a process is to move, and why.
public record Step(String state, JsonNode data, String actor, String reason) {}
