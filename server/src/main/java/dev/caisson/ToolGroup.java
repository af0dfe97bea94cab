package dev.caisson;

import dev.caisson.broker.ToolVariants;
import dev.caisson.call.Caller;
import dev.caisson.profiles.Profiles;
import java.util.List;
import java.util.Optional;

/// Group of callers to whom tools say the same of themselves.
///
/// @param profile the name of their profile
/// @param environments those of their keys; empty means those of the profile
record ToolGroup(String profile, List<String> environments) {
    ToolGroup {
        environments = List.copyOf(environments);
    }

    static ToolGroup of(Caller caller) {
        return new ToolGroup(caller.profile(), caller.environments());
    }

    /// Makes the tools of a changed profile again, and tells the callers that see the change.
    static Profiles.Listener renewing(ToolVariants<ToolGroup> tools) {
        return (changed, seen) ->
                tools.renew(
                        group -> changed.contains(group.profile()),
                        seen.isEmpty()
                                ? Optional.empty()
                                : Optional.of(group -> seen.contains(group.profile())));
    }
}
