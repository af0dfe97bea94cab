package dev.caisson.broker;

import dev.caisson.call.CallNotes;
import dev.caisson.call.Caller;
import dev.caisson.call.Door;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Suspended;
import dev.caisson.call.TraceContext;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/// Record of a call that is over, of a tool or of any other action.
///
/// @param tool the own name of the tool or action, or the name the caller gave when there is none;
///   then it is the caller's text, of any length
/// @param arguments as they came
/// @param origin of a tool that was found; absent for any other action
/// @param result unless it ended otherwise
/// @param changing whether something may have changed: a tool was called, and it does not declare
///   that it only reads
/// @param notes what the tool said about it
public record RecordedCall(
        Instant at,
        Duration duration,
        Caller caller,
        Door door,
        TraceContext trace,
        String tool,
        ObjectNode arguments,
        Optional<ToolOrigin> origin,
        Ending ending,
        Optional<ToolResult> result,
        boolean changing,
        CallNotes notes) {
    private static final Pattern STATUS = Pattern.compile("[a-z_]{1,32}");

    /// How it ended, in a word: that of the execution it became, where it became one.
    public String status() {
        return result.flatMap(ToolResult::structured)
                .map(value -> value.path("status").stringValue(""))
                .filter(word -> STATUS.matcher(word).matches())
                .orElseGet(ending::word);
    }

    /// How a call can end.
    public sealed interface Ending {
        /// In a word, or two with a colon between.
        String word();

        /// The ending of a call that threw this.
        static Ending of(Throwable thrown) {
            return switch (thrown) {
                case Refusal refusal -> new Refused(refusal.reason());
                case InterruptedException _, InterruptedIOException _ -> new Cancelled();
                case Suspended _ -> new Asked();
                default -> new Broken();
            };
        }

        /// The tool gave a result.
        record Answered(boolean failed) implements Ending {
            @Override
            public String word() {
                return failed ? "failed" : "success";
            }
        }

        record Refused(Reason reason) implements Ending {
            @Override
            public String word() {
                return "refused:" + reason.name().toLowerCase(Locale.ROOT);
            }
        }

        /// The caller went away or called it off.
        record Cancelled() implements Ending {
            @Override
            public String word() {
                return "cancelled";
            }
        }

        /// The tool asked its client something, and will be called again with the answer.
        record Asked() implements Ending {
            @Override
            public String word() {
                return "input_required";
            }
        }

        /// Our own mistake.
        record Broken() implements Ending {
            @Override
            public String word() {
                return "fault";
            }
        }
    }
}
