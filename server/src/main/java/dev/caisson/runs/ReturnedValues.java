package dev.caisson.runs;

import dev.caisson.call.Remedy;
import dev.caisson.executions.ReturnedValue;
import dev.caisson.json.Json;
import dev.caisson.output.KeptValue;
import dev.caisson.output.LastLine;
import dev.caisson.output.OutputCapture;
import dev.caisson.redact.Redactor;
import dev.caisson.sandbox.HandedOver;
import dev.caisson.sandbox.Sink.Stream;
import dev.caisson.share.CallerWorkers;
import dev.caisson.storage.FilePath;
import dev.caisson.storage.WorkspaceFiles;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.Optional;
import tools.jackson.core.JacksonException;

/// Makes of what a program handed over what is told of it. A value that is too large for the answer
/// is kept beside the output, under the same limits of time and space. Everything in it is
/// redacted, and nothing of it is believed: a file is named only when it is there.
///
/// @param root of the workspace; empty when it was never opened
/// @param shown the directory of the workspace that the program sees as all of it
/// @param inThread whether the workspace outlives the run
record ReturnedValues(
        OutputCapture capture,
        WorkspaceFiles files,
        Optional<Path> root,
        FilePath shown,
        boolean inThread,
        long keptBytesMax,
        Redactor redactor,
        CallerWorkers computing) {
    private static final String SEEN_AT = "/workspace";

    /// Why is not known: whoever reads JSON for us says only that it cannot go on.
    private static final String NOT_JSON =
            " cannot be kept as JSON, so there is no data: it is malformed, nested deeper than "
                    + HandedOver.DEPTH_MAX
                    + " levels, or has half of a surrogate pair.";

    /// @param handed by the program
    /// @param fromStdout whether the last line of stdout stands in for a value
    Optional<ReturnedValue> of(Optional<HandedOver> handed, boolean fromStdout)
            throws InterruptedException {
        if (handed.isPresent() && handed.get() instanceof HandedOver.Displayed(_, var beside)) {
            return of(beside, fromStdout);
        }
        if (handed.isPresent()) {
            return Optional.of(of(handed.get()));
        }
        return fromStdout ? Optional.of(lastLine()) : Optional.empty();
    }

    private ReturnedValue of(HandedOver value) throws InterruptedException {
        return switch (value) {
            case HandedOver.Value given -> ReturnedValue.of(redactor.tree(given.value()));
            case HandedOver.InFile(_, var path) -> inFile(path);
            case HandedOver.Displayed _ ->
                    throw new IllegalStateException("what is displayed is no value");
            case HandedOver.Unfit unfit ->
                    ReturnedValue.without("The value cannot be handed over: " + unfit.why() + ".");
            case HandedOver.Unwritable unwritable ->
                    ReturnedValue.without(
                            "The value cannot be handed over. The program says: "
                                    + Json.text(Json.tree(redactor.text(unwritable.said()))));
        };
    }

    private ReturnedValue inFile(String path) throws InterruptedException {
        var inWorkspace = shown.child(FilePath.parse(path, SEEN_AT));
        var opened = root.flatMap(place -> files.open(place, inWorkspace));
        if (opened.isEmpty()) {
            return ReturnedValue.without(
                    "The value was too large to carry, and its file is not there.");
        }
        try (var file = opened.get()) {
            var kept =
                    file.bytes() > keptBytesMax
                            ? new KeptValue.TooLarge()
                            : capture.keep(file.content(), computing);
            var seen = SEEN_AT + "/" + redactor.text(inWorkspace.text());
            return told(
                    "The value",
                    file.bytes(),
                    kept,
                    inThread ? Optional.of(seen) : Optional.empty());
        }
    }

    private ReturnedValue lastLine() throws InterruptedException {
        return switch (capture.lastLine(Stream.STDOUT)) {
            case LastLine.Missing _ ->
                    ReturnedValue.without("stdout has no line that could be taken as data.");
            case LastLine.TooLong _ ->
                    ReturnedValue.without(
                            "The last line of stdout is too long to be taken as data.");
            case LastLine.Found line -> line(line.bytes());
        };
    }

    private ReturnedValue line(byte[] line) throws InterruptedException {
        if (line.length > HandedOver.VALUE_BYTES_MAX) {
            var kept = capture.keep(new ByteArrayInputStream(line), computing);
            return told("The last line of stdout", line.length, kept, Optional.empty());
        }
        try {
            return of(HandedOver.of(Json.parse(line)));
        } catch (JacksonException malformed) {
            return told(
                    "The last line of stdout",
                    line.length,
                    new KeptValue.NotJson(),
                    Optional.empty());
        }
    }

    /// @param what is told of
    /// @param path of the file it is also in, as a program sees it that sees all of the thread
    private ReturnedValue told(String what, long bytes, KeptValue kept, Optional<String> path) {
        var file = path.map(each -> new ReturnedValue.DataFile(each, bytes));
        var takes = what + " takes " + Quantities.number(bytes) + " bytes";
        return switch (kept) {
            case KeptValue.Stored stored ->
                    ReturnedValue.elsewhere(
                            stored.bytes(),
                            file,
                            takes
                                    + ", too many for the answer. "
                                    + Remedy.READ_OUTPUT.word()
                                    + " with stream data has it."
                                    + path.map(each -> " The file " + each + " has it too.")
                                            .orElse(""));
            case KeptValue.TooLarge _ ->
                    elsewhere(
                            takes + "; at most " + Quantities.number(keptBytesMax) + " are kept.",
                            file);
            case KeptValue.NotStored _ ->
                    elsewhere(takes + ", too many for the answer, and could not be kept.", file);
            case KeptValue.NotJson _ ->
                    ReturnedValue.elsewhere(
                            0,
                            file,
                            what
                                    + NOT_JSON
                                    + path.map(each -> " The file " + each + " has it.")
                                            .orElse(""));
        };
    }

    private static ReturnedValue elsewhere(String why, Optional<ReturnedValue.DataFile> file) {
        var where =
                file.map(each -> " The file " + each.path() + " has it.")
                        .orElse(" It is lost. Hand over less, or write it to a file of a thread.");
        return ReturnedValue.elsewhere(0, file, why + where);
    }
}
