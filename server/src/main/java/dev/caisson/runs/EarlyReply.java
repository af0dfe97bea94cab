package dev.caisson.runs;

import dev.caisson.call.Call;
import dev.caisson.call.EarlyAnswer;
import dev.caisson.call.ReplyMode;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;

/// Early reply to the call of one run: at once where a run in the background was asked for, else
/// before the client's time is over. The program runs on either way, in a place among the
/// background runs of its caller.
final class EarlyReply implements AutoCloseable {
    private final Call call;
    private final RunRequest request;
    private final BackgroundRuns background;
    private final RunOutput output;
    private final Function<RunningReport, EarlyAnswer> form;
    private final BackgroundRuns.Place place;
    private Supplier<List<String>> awaited = List::of;
    private OptionalLong waitsSince = OptionalLong.empty();
    private boolean tried;

    /// @param form of the answer, which is that of the tool
    /// @throws dev.caisson.call.Refusal NO_CAPACITY when a run in the background is asked for and
    ///   the caller has too many
    EarlyReply(
            Call call,
            RunRequest request,
            BackgroundRuns background,
            RunOutput output,
            Function<RunningReport, EarlyAnswer> form) {
        this.call = call;
        this.request = request;
        this.background = background;
        this.output = output;
        this.form = form;
        this.place = background.place(call.caller().id());
        if (request.background() || isLater(call.replyMode())) {
            place.take();
        }
    }

    private static boolean isLater(ReplyMode mode) {
        return switch (mode) {
            case ASYNC, WEBHOOK -> true;
            case INLINE, STREAMING -> false;
        };
    }

    /// Whether somebody hears of the execution before it is over.
    boolean isFollowed() {
        return request.background() || call.isFollowed();
    }

    /// No longer than the client waits for an answer.
    Duration within(Duration patience) {
        var by = call.conversation().answerBy();
        if (by.isEmpty()) {
            return patience;
        }
        var left = Duration.ofNanos(Math.max(0, by.getAsLong() - System.nanoTime()));
        return left.compareTo(patience) < 0 ? left : patience;
    }

    /// @param approvals of people that the program waits for, if it waits for nothing else
    void watch(Supplier<List<String>> approvals) {
        awaited = approvals;
    }

    /// The program is about to run, and its record outlives this process.
    void begun(String id) {
        if (request.background()) {
            tried = true;
            answer(id, Duration.ZERO);
        }
    }

    /// The program runs, and others may be told of it. A caller that has too many background runs
    /// waits for the end of this one.
    void beat(String id, Duration elapsed) {
        long now = System.nanoTime();
        place.waits(isWaiting(now));
        if (tried) {
            return;
        }
        call.conversation().mayOutlive(place::tryTake);
        var by = call.conversation().answerBy();
        boolean due = by.isPresent() && now >= by.getAsLong();
        if (due || hasWaited(now)) {
            tried = true;
            if (place.tryTake()) {
                answer(id, elapsed);
            }
        }
    }

    private boolean isWaiting(long now) {
        if (awaited.get().isEmpty()) {
            waitsSince = OptionalLong.empty();
        } else if (waitsSince.isEmpty()) {
            waitsSince = OptionalLong.of(now);
        }
        return waitsSince.isPresent();
    }

    private boolean hasWaited(long now) {
        return waitsSince.isPresent()
                && now - waitsSince.getAsLong() >= background.clientWait().toNanos();
    }

    private void answer(String id, Duration elapsed) {
        var shown = NewOutput.of(output, call.caller().id(), id, OutputCursor.START);
        var report = RunningReport.of(id, shown, elapsed, awaited.get());
        call.conversation().answerNow(form.apply(report));
    }

    /// Whoever waits for a run in the background gets its result.
    void ended(FinishedRun execution) {
        if (place.isTaken()) {
            var envelope = request.envelope().shownBy(execution.redactor().exactly());
            background.ended().keep(call.caller().id(), execution, envelope);
        }
    }

    @Override
    public void close() {
        place.close();
    }
}
