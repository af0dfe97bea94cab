package dev.caisson.call;

/// Judgement of the policy on a call: by which rules, and which of them decided.
///
/// @param policy the version of the rules, see `GET /v1/policy`
/// @param rule the name of the rule
public record Judgement(String policy, String rule) {}
