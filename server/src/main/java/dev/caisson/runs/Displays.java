package dev.caisson.runs;

import dev.caisson.executions.EndNotes;
import dev.caisson.redact.Redactor;
import dev.caisson.sandbox.DisplayForm;
import dev.caisson.sandbox.HandedOver;
import java.util.List;
import java.util.Optional;

/// Forms of the last expression of a run, redacted.
final class Displays {
    static final String PLAIN = "text/plain";

    private Displays() {}

    static List<DisplayForm> of(Optional<HandedOver> handed, Redactor redactor) {
        return handed.isPresent() && handed.get() instanceof HandedOver.Displayed(var forms, _)
                ? forms.stream()
                        .map(form -> new DisplayForm(form.mediaType(), redactor.text(form.text())))
                        .toList()
                : List.of();
    }

    /// What is kept of it, with the advice about the end.
    static EndNotes notes(FinishedRun run) {
        return new EndNotes(
                run.display().stream()
                        .map(form -> new EndNotes.Form(form.mediaType(), form.text()))
                        .toList(),
                run.advice(),
                run.tools(),
                run.attempt(),
                run.network());
    }

    static List<DisplayForm> of(EndNotes notes) {
        return notes.display().stream()
                .map(form -> new DisplayForm(form.mediaType(), form.text()))
                .toList();
    }

    /// The form for readers of texts.
    static String plain(List<DisplayForm> forms) {
        return forms.stream()
                .filter(form -> form.mediaType().equals(PLAIN))
                .map(DisplayForm::text)
                .findFirst()
                .orElse("");
    }
}
