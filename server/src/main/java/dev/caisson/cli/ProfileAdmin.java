package dev.caisson.cli;

import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Administration of profiles for the command line: list, show, set, remove. Profiles are JSON as
/// REST has it.
public interface ProfileAdmin extends AutoCloseable {
    List<ObjectNode> list();

    Optional<ObjectNode> show(String name);

    /// @return the profile as it is shown
    ObjectNode set(String name, ObjectNode body);

    void remove(String name);

    @Override
    void close();
}
