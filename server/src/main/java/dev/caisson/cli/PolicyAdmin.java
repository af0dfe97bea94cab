package dev.caisson.cli;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Administration of the policy for the command line. Answers are those of REST.
public interface PolicyAdmin extends AutoCloseable {
    /// The rules in force: `version`, `rules`, `problems`.
    JsonNode list();

    /// What becomes of a call.
    ///
    /// @param key by its name or its id; absent for the person at this machine
    JsonNode explain(
            Optional<String> key,
            String call,
            Optional<ObjectNode> arguments,
            Optional<String> door);

    /// What the rules of a file would change.
    ///
    /// @param replaced file, database or all: which rules they stand in the place of
    JsonNode test(Path file, String replaced, int days) throws CommandFailed;

    /// The smallest list of rules that allows what was used.
    ///
    /// @param refused whether calls count that were refused
    JsonNode suggest(int days, boolean refused);

    /// Stores a rule, in place of the one of that name.
    ///
    /// @param rule without its name
    JsonNode set(String name, ObjectNode rule, OptionalInt position);

    void remove(String name);

    /// Where the rules are kept.
    DataUse dataUse();

    @Override
    void close();
}
