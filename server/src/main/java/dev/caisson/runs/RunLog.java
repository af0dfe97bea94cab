package dev.caisson.runs;

import dev.caisson.executions.Completion;
import dev.caisson.sandbox.Run;
import dev.caisson.telemetry.LogFields;
import dev.caisson.telemetry.LogLine;
import dev.caisson.telemetry.TextLine;
import dev.caisson.telemetry.TextLine.Tone;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Log line of a run that is over: which, in what language, how it ended and after how long. It has
/// no place for anything a program said.
record RunLog(String id, String language, String caller, Completion end) implements LogFields {
    private static final Logger RUNS = LoggerFactory.getLogger("dev.caisson.run");

    /// @param caller the name of the key
    static void write(Run run, String caller, Completion end) {
        RUNS.info("run", new RunLog(run.id(), run.runner().language().word(), caller, end));
    }

    @Override
    public void writeTo(LogLine line) {
        var ended = end.ended();
        line.add("execution_id", id)
                .add("language", language)
                .add("outcome", ended.status().word());
        ended.exitCode().ifPresent(code -> line.add("exit_code", code));
        ended.signal().ifPresent(signal -> line.add("signal", signal));
        line.add("ms", end.used().wallMillis())
                .add("queued_ms", end.used().queueMillis())
                .add("caller", caller);
    }

    /// Such as `run exe_7f python failed exit=1 7ms laptop`.
    @Override
    public void describe(TextLine line) {
        var ended = end.ended();
        line.word("run").word(id).word(language);
        line.word(ended.status().word(), ended.succeeded() ? Tone.GOOD : Tone.NOTABLE);
        ended.exitCode().filter(code -> code != 0).ifPresent(code -> line.word("exit=" + code));
        ended.signal().ifPresent(line::word);
        line.word(end.used().wallMillis() + "ms", Tone.FAINT).word(caller);
    }
}
