package dev.caisson.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Administration of upstreams for the command line.
public interface UpstreamAdmin extends AutoCloseable {
    /// @param origin file or database
    /// @param kind url or command
    /// @param tools how many there are in each state
    record Upstream(
            String id,
            String title,
            String origin,
            String kind,
            String state,
            Optional<String> lastError,
            Optional<String> remedy,
            Map<String, Integer> tools) {
        int tools(String toolState) {
            return tools.getOrDefault(toolState, 0);
        }

        /// How many wait for a review.
        int waiting() {
            return tools("new") + tools("changed");
        }
    }

    /// @param description cleaned
    /// @param hash of the definition
    /// @param definition raw, as the upstream sent it
    /// @param approved the one that may be called, where it is another
    record Tool(
            String name,
            String state,
            Optional<String> reason,
            String effect,
            String description,
            String hash,
            JsonNode definition,
            Optional<JsonNode> approved) {
        boolean isWaiting() {
            return state.equals("new") || state.equals("changed");
        }
    }

    /// A server of a file of another program.
    ///
    /// @param secrets names under which values go to the vault
    record Found(String name, String id, ObjectNode entry, Map<String, String> secrets) {
        public Found {
            secrets = Map.copyOf(secrets);
        }

        /// Without the values.
        @Override
        public String toString() {
            return "Found[" + id + "]";
        }
    }

    List<Upstream> list();

    /// Stores an entry under an id that must be new, and waits for its tools if a server is there.
    ///
    /// @param approve whether the first list of its tools is taken as it is
    Upstream add(String id, ObjectNode entry, boolean approve);

    /// The entry of an upstream, as people write it.
    record Entry(String id, ObjectNode text) {}

    /// Says what is wrong with an entry of an npm package, and stores nothing.
    ///
    /// @param npm the package and its version
    /// @param there whether an upstream of its id must be there; otherwise none may be
    void check(Entry entry, String npm, boolean there) throws CommandFailed;

    /// Puts the members of an entry in place of those that are there, and waits for the tools if a
    /// server is there.
    Upstream change(Entry entry, boolean approve);

    /// Where packages of upstreams are installed.
    Path packages();

    void remove(String id);

    Upstream refresh(String id);

    Upstream restart(String id);

    /// The page at which a person connects it.
    ///
    /// @throws CommandFailed when nobody has to
    String connectPage(String id) throws CommandFailed;

    /// In the order of their names.
    List<Tool> tools(String id);

    /// Decides on all of them, or on none.
    ///
    /// @param hashes of the definitions that were seen, by the names of the tools
    /// @param effect of their calls, such as read
    void review(String id, boolean approve, Map<String, String> hashes, Optional<String> effect);

    /// Reads the file in which a client of the protocol keeps its servers.
    List<Found> read(Path file) throws CommandFailed;

    /// Puts values into the vault.
    void keep(Map<String, String> secrets);

    /// Where the upstreams are kept.
    DataUse dataUse();

    @Override
    void close();
}
