package dev.caisson.webhooks;

/// A result on its way.
///
/// @param id unique, the same for every try
/// @param owner the id of the caller whose secret signs it
/// @param attempts so far
record Letter(String id, String owner, String url, String body, int attempts) {}
