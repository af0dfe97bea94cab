package dev.caisson.broker;

import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import java.util.Locale;
import java.util.Optional;

/// Policy on calls: decides whether a caller may do this, with these arguments. Asked of every
/// action, after its arguments were found valid and before anything is done.
@FunctionalInterface
public interface CallPolicy {
    CallPolicy ALLOW_ALL = (_, _) -> Optional.empty();

    /// What the policy says of a tool before its arguments are known.
    enum Verdict {
        ALLOW,
        /// It depends on the arguments, or on the door.
        DEPENDS,
        /// A person is asked.
        ASK,
        DENY;

        /// As models read it.
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// What the policy says, and why.
    ///
    /// @param rule that decides, or those that may
    /// @param dependsOn what must be known of a call, in words, where it depends
    record Outlook(Verdict verdict, Optional<String> rule, Optional<String> dependsOn) {}

    /// Whether this caller may call a tool at all; a call may be denied nevertheless.
    default Outlook outlook(Caller caller, ToolOrigin tool) {
        return new Outlook(Verdict.ALLOW, Optional.empty(), Optional.empty());
    }

    /// @return what must be approved before the call is made; empty when it may be made
    /// @throws dev.caisson.call.Refusal DENIED when the call is denied
    Optional<ApprovalNeed> check(Call call, ActionRequest action);

    /// What had to be approved was approved; the call is made now.
    ///
    /// @throws dev.caisson.call.Refusal when it goes beyond a limit
    default void approved(Call call, ApprovalNeed need) {}
}
