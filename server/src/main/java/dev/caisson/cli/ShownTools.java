package dev.caisson.cli;

import java.util.LinkedHashMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/// Tools of an upstream that has just been added: printed, and approved as they were printed.
///
/// @param yes approves without asking
/// @param json asks nothing
record ShownTools(@Nullable CommandSpec spec, boolean yes, boolean json) {
    /// Stores an entry, and has its tools approved where a server lists them.
    UpstreamAdmin.Upstream add(UpstreamAdmin desk, UpstreamAdmin.Entry entry) {
        var served = desk.dataUse().served();
        var added = desk.add(entry.id(), entry.text(), yes && !served);
        return served ? approved(desk, added) : added;
    }

    /// The same for one that is there. Another program is another server: its tools are all new.
    UpstreamAdmin.Upstream change(UpstreamAdmin desk, UpstreamAdmin.Entry entry) {
        var served = desk.dataUse().served();
        var changed = desk.change(entry, yes && !served);
        return served ? approved(desk, changed) : changed;
    }

    /// What was printed is what is approved: another definition is not.
    private UpstreamAdmin.Upstream approved(UpstreamAdmin desk, UpstreamAdmin.Upstream added) {
        var waiting =
                desk.tools(added.id()).stream().filter(UpstreamAdmin.Tool::isWaiting).toList();
        if (waiting.isEmpty()) {
            return added;
        }
        if (!json) {
            CommandOutput.of(spec).println(UpstreamText.tools(waiting));
        }
        var question = "May these %d tools be called, as they are now?".formatted(waiting.size());
        if (!yes && (json || !Confirmation.ask(spec, question))) {
            return added;
        }
        var hashes = new LinkedHashMap<String, String>();
        waiting.forEach(tool -> hashes.put(tool.name(), tool.hash()));
        desk.review(added.id(), true, hashes, Optional.empty());
        return desk.list().stream()
                .filter(one -> one.id().equals(added.id()))
                .findFirst()
                .orElse(added);
    }
}
