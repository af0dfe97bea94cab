package dev.caisson.runs;

import dev.caisson.call.Remedy;
import dev.caisson.executions.CallOrigin;
import dev.caisson.executions.Completion;
import dev.caisson.executions.ExecutionRecord;
import dev.caisson.executions.LeftFile;
import dev.caisson.executions.Provenance;
import dev.caisson.executions.StreamFigures;
import dev.caisson.output.CapturedOutput;
import dev.caisson.output.CapturedStream;
import dev.caisson.output.OutputCapture;
import dev.caisson.sandbox.Language;
import dev.caisson.sandbox.Runner;
import dev.caisson.sandbox.Sink.Stream;
import dev.caisson.storage.FilePath;
import dev.caisson.storage.Listing;
import dev.caisson.storage.WorkspaceFile;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Finished run as it is read again from its record and its stored output. Images of its workspace
/// and what became of its session are not kept.
record StoredRun(ExecutionRecord record, Completion end, RunOutput output) {
    FinishedRun finished() {
        var request = record.request();
        var files = end.files().stream().map(this::file).toList();
        var changed = end.files().stream().filter(LeftFile::changed).map(this::file).toList();
        return new FinishedRun(
                record.id(),
                runner(),
                request.thread(),
                end.ended(),
                end.used(),
                new CapturedOutput(
                        stream(Stream.STDOUT, end.stdout()),
                        stream(Stream.STDERR, end.stderr()),
                        end.redactions()),
                end.handed(),
                new FinishedRun.WorkspaceAfter(
                        new Listing(files, end.filesTotal() == files.size()), changed, List.of()),
                end.redactions(),
                output.redactor(record.owner()),
                end.said().advice(),
                Optional.empty(),
                Displays.of(end.said()),
                end.said().tools(),
                end.said().attempt(),
                end.said().network());
    }

    Envelope envelope() {
        var request = record.request();
        var origin = request.origin();
        return new Envelope(
                request.traceId(),
                origin.map(CallOrigin::toolName).orElse(""),
                origin.map(CallOrigin::toolVersion).orElse(""),
                origin.map(CallOrigin::inputDigest).orElse(""),
                request.requestDigest(),
                origin.map(CallOrigin::provenance).orElse(Provenance.NONE),
                request.metadata());
    }

    /// It is kept as its name and its version with a space between.
    private Runner runner() {
        var words = record.request().runner();
        var space = words.lastIndexOf(' ');
        return new Runner(
                space < 0 ? words : words.substring(0, space),
                Language.valueOf(record.request().language().toUpperCase(Locale.ROOT)),
                words.substring(space + 1),
                record.request().origin().map(CallOrigin::sandboxImage).orElse(""));
    }

    private WorkspaceFile file(LeftFile file) {
        return new WorkspaceFile(
                new FilePath(file.path()),
                file.size(),
                record.completed().orElse(record.created()),
                "");
    }

    /// Whole, or its beginning and its end.
    private CapturedStream stream(Stream stream, StreamFigures figures) {
        var limit = output.inlineBytes();
        var stored = output.storedBytes(record.owner(), record.id(), stream);
        if (stored <= limit && figures.bytes() <= stored) {
            var whole = output.read(record.owner(), record.id(), stream, 0, limit);
            return new CapturedStream(
                    figures.bytes(),
                    whole.text(),
                    0,
                    figures.storedBytes(),
                    whole.faithful(),
                    new CapturedStream.Excerpt(whole.text(), 0));
        }
        var half = limit / 2;
        var head = output.read(record.owner(), record.id(), stream, 0, half);
        var start = Math.max(head.nextOffset(), stored - half);
        var tail = output.read(record.owner(), record.id(), stream, start, half);
        var omitted = figures.bytes() - head.nextOffset() - (tail.nextOffset() - start);
        var mark =
                "\n[... %d bytes of %s omitted; %s reads what is kept ...]\n"
                        .formatted(omitted, OutputCapture.word(stream), Remedy.READ_OUTPUT.word());
        var shown = head.text() + mark + tail.text();
        return new CapturedStream(
                figures.bytes(),
                shown,
                omitted,
                figures.storedBytes(),
                head.faithful() && tail.faithful(),
                new CapturedStream.Excerpt(shown, omitted));
    }
}
