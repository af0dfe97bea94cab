package dev.caisson.upstream;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// Upstreams as operators administer them, in a server that serves or in a command beside one.
public interface UpstreamDirectory {
    /// How long whoever asks for a list waits for it.
    Duration LIST_WAIT_MAX = Duration.ofSeconds(60);

    /// In the order of their ids.
    List<UpstreamView> list();

    /// @throws dev.caisson.call.Refusal NOT_FOUND when there is none
    UpstreamView find(String id);

    /// Stores an entry in place of the one of that id, and has its tools listed.
    ///
    /// @param approve whether its first list is taken as it is
    /// @throws dev.caisson.call.Refusal see [UpstreamStore#put]
    UpstreamView put(UpstreamSettings settings, ObjectNode given, boolean approve)
            throws InterruptedException;

    /// The same of an id that must be new.
    ///
    /// @throws dev.caisson.call.Refusal CONFLICT when it is not; see [UpstreamStore#put]
    UpstreamView add(UpstreamSettings settings, ObjectNode given, boolean approve)
            throws InterruptedException;

    /// Has the tools of an upstream listed now. A list that takes long goes on after this returns.
    ///
    /// @throws dev.caisson.call.Refusal NOT_FOUND when there is none
    UpstreamView listed(String id) throws InterruptedException;

    /// Ends its connection, and has a new one made.
    ///
    /// @throws dev.caisson.call.Refusal NOT_FOUND when there is none
    UpstreamView restart(String id);

    /// @throws dev.caisson.call.Refusal NOT_FOUND when there is none; FORBIDDEN for one of the file
    void remove(String id);

    /// The tools of an upstream with what was decided on them, in the order of their names.
    ///
    /// @throws dev.caisson.call.Refusal NOT_FOUND when there is no such upstream
    List<ReviewedTool> toolsOf(String id);

    /// Decides on some tools, on all of them or on none.
    ///
    /// @param verdicts by the names of the tools
    /// @param by the name of whoever decides
    /// @throws dev.caisson.call.Refusal see [UpstreamStore#review]
    List<ReviewedTool> review(String id, Map<String, Verdict> verdicts, String by);
}
