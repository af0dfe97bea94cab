package dev.caisson.cli;

import tools.jackson.databind.JsonNode;

/// Administration of calls of which nobody knows what they did, for the command line. Answers are
/// those of REST.
public interface CallAdmin extends AutoCloseable {
    /// The newest first, up to 200.
    JsonNode list();

    /// @param happened what a person found there
    JsonNode reconcile(String id, boolean happened) throws Exception;

    /// Where they are kept.
    DataUse dataUse();

    @Override
    void close();
}
