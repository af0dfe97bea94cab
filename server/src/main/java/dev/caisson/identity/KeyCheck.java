package dev.caisson.identity;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Variables;
import dev.caisson.store.Transaction;
import java.util.Map;

/// Check of the parts of a new key that belong to other rooms: its profile, its environments, and
/// the environment variables of its programs.
@FunctionalInterface
public interface KeyCheck {
    /// Where there are no profiles.
    KeyCheck DEFAULT_PROFILE_ONLY =
            (_, wanted) -> {
                if (!wanted.profile().equals(Caller.DEFAULT_PROFILE)
                        || !wanted.environments().isEmpty()
                        || !wanted.variables().equals(Variables.NONE)) {
                    throw new Refusal(
                            Reason.INVALID_ARGUMENT,
                            "There is no other profile than default here, and no environments or variables of keys.",
                            Map.of("parameter", "profile"));
                }
            };

    /// @param transaction in which the key is made
    /// @throws Refusal INVALID_ARGUMENT that names the member
    void require(Transaction transaction, KeyRequest wanted);
}
