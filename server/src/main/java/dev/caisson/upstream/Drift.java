package dev.caisson.upstream;

import dev.caisson.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/// Comparison of a list of tools with what was decided on them: a pure function. A definition that
/// is not the approved one, and a name that is new, wait for a person unless the settings say
/// otherwise.
///
/// @param tools all there are now, by name
/// @param changed those whose row is another than before
/// @param gone the names of those of which nothing is kept
public record Drift(Map<String, ReviewedTool> tools, List<ReviewedTool> changed, Set<String> gone) {
    /// How many tools that an upstream does not list any more are remembered.
    static final int REMOVED_MAX = 2000;

    /// How long their definitions may be together.
    static final int REMOVED_CHARACTERS_MAX = 8 << 20;

    /// Who decided, where no person did.
    static final String FIRST_LIST = "the first list";

    static final String AUTOMATIC = "review: auto";

    /// Why a tool is refused that a person refused.
    static final String BY_PERSON = "It was refused in a review.";

    private static final int NAME_SHOWN_MAX = 128;

    /// How definitions are taken.
    public enum Taking {
        /// Everything new waits for a person.
        NOTHING,
        /// This list is taken as it is.
        FIRST,
        /// Every list is.
        ALL
    }

    public Drift {
        tools = Map.copyOf(tools);
        changed = List.copyOf(changed);
        gone = Set.copyOf(gone);
    }

    /// Whether anything is other than before.
    boolean isNews() {
        return !changed.isEmpty() || !gone.isEmpty();
    }

    /// Tools that wait for a person now and did not before.
    List<ReviewedTool> waiting() {
        return changed.stream().filter(tool -> isWaiting(tool.state())).toList();
    }

    static boolean isWaiting(ToolState state) {
        return state == ToolState.NEW || state == ToolState.CHANGED;
    }

    /// @param before all there were, by name
    /// @param listed the definitions as they were received, of tools that the filter takes
    static Drift of(
            Map<String, ReviewedTool> before, List<ObjectNode> listed, Taking taking, Instant now) {
        var after = new LinkedHashMap<String, ReviewedTool>();
        var twice = namedTwice(listed);
        for (var received : listed) {
            var name = name(received);
            if (!after.containsKey(name)) {
                var known = Optional.ofNullable(before.get(name));
                after.put(name, judged(name, known, received, twice, taking, now));
            }
        }
        var gone = removed(before, after);
        var changed =
                after.values().stream()
                        .filter(tool -> !tool.equals(before.get(tool.name())))
                        .toList();
        return new Drift(after, changed, gone);
    }

    /// Keeps what was approved once, in case it comes back as it was, and names that were given: no
    /// other tool gets them.
    private static Set<String> removed(
            Map<String, ReviewedTool> before, Map<String, ReviewedTool> after) {
        var gone = new HashSet<String>();
        var kept = new ArrayList<ReviewedTool>();
        for (var tool : before.values()) {
            if (after.containsKey(tool.name())) {
                continue;
            }
            if (tool.approval().isEmpty() && tool.pythonName().isEmpty()) {
                gone.add(tool.name());
            } else {
                kept.add(
                        tool.state() == ToolState.REMOVED
                                ? tool
                                : tool.in(ToolState.REMOVED, Optional.empty()));
            }
        }
        kept.sort((one, other) -> other.seen().compareTo(one.seen()));
        long characters = 0;
        int count = 0;
        for (var tool : kept) {
            characters += tool.characters();
            var small = characters <= REMOVED_CHARACTERS_MAX;
            if (++count <= REMOVED_MAX && (small || tool.pythonName().isPresent())) {
                after.put(tool.name(), small ? tool : tool.named());
            } else {
                gone.add(tool.name());
            }
        }
        return gone;
    }

    private static ReviewedTool judged(
            String name,
            Optional<ReviewedTool> known,
            ObjectNode received,
            Set<String> twice,
            Taking taking,
            Instant now) {
        var hash = DefinitionHash.of(received);
        if (known.isPresent()
                && known.get().hash().equals(hash)
                && !twice.contains(name)
                && isSettled(known.get(), taking)) {
            return known.get();
        }
        var refusal =
                twice.contains(name)
                        ? Optional.of("Its name stands in the list twice.")
                        : DefinitionScreen.refusal(received);
        var text =
                refusal.isPresent() && isLarge(received)
                        ? ReviewedTool.NOT_KEPT
                        : Json.text(received);
        var tool =
                known.map(one -> one.listed(hash, text, now))
                        .orElseGet(() -> unknown(name, hash, text, now));
        if (refusal.isPresent()) {
            return tool.in(ToolState.REFUSED, refusal);
        }
        if (tool.approval().map(one -> one.hash().equals(hash)).orElse(false)) {
            return tool.in(ToolState.APPROVED, Optional.empty());
        }
        return switch (taking) {
            case FIRST ->
                    tool.approved(Optional.empty(), new ReviewedTool.Decision(now, FIRST_LIST));
            case ALL -> tool.approved(Optional.empty(), new ReviewedTool.Decision(now, AUTOMATIC));
            case NOTHING ->
                    tool.in(
                            tool.approval().isPresent() ? ToolState.CHANGED : ToolState.NEW,
                            Optional.empty());
        };
    }

    /// Whether the same definition as before changes nothing.
    private static boolean isSettled(ReviewedTool known, Taking taking) {
        return switch (known.state()) {
            case APPROVED -> true;
            case REFUSED -> known.reason().equals(Optional.of(BY_PERSON));
            case NEW, CHANGED -> taking == Taking.NOTHING;
            case REMOVED -> false;
        };
    }

    private static ReviewedTool unknown(String name, String hash, String text, Instant now) {
        return new ReviewedTool(
                name,
                ToolState.NEW,
                Optional.empty(),
                hash,
                text,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                now,
                Optional.empty());
    }

    private static boolean isLarge(ObjectNode received) {
        return Json.bytes(received).length > DefinitionScreen.DEFINITION_BYTES_MAX;
    }

    /// What a tool is known by here: its name, or what of it can be shown.
    static String name(ObjectNode received) {
        var given = received.path("name").asString("");
        if (ToolNames.isName(given)) {
            return given;
        }
        var shown = CleanText.sentence(given.replace('\n', ' '), NAME_SHOWN_MAX);
        return "(" + (shown.isEmpty() ? "no name" : shown) + ")";
    }

    private static Set<String> namedTwice(List<ObjectNode> listed) {
        var counts = new HashMap<String, Integer>();
        listed.forEach(received -> counts.merge(name(received), 1, Integer::sum));
        return counts.entrySet().stream()
                .filter(count -> count.getValue() > 1)
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }
}
