package dev.caisson.webhooks;

/// Webhook delivery: a result on its way to its receiver.
///
/// @param id unique, the same for every try
/// @param owner the id of the caller whose secret signs it
/// @param attempts so far
record Delivery(String id, String owner, String url, String body, int attempts) {}
