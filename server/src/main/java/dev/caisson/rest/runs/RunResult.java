package dev.caisson.rest.runs;

import dev.caisson.json.Records;
import dev.caisson.runs.ExecutionReport;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// Result of a run over REST: its JSON as it is sent, and what the event stream tells before it.
///
/// @param outputKept whether what the run wrote can still be read
/// @param changed the files it made or touched
record RunResult(JsonNode json, boolean outputKept, List<ChangedFile> changed) {
    /// File that the run made or touched.
    record ChangedFile(String path, long size, String mediaType) {}

    RunResult {
        changed = List.copyOf(changed);
    }

    /// @param json of the report
    static RunResult of(ExecutionReport report, JsonNode json) {
        return new RunResult(
                json,
                true,
                report.files().files().stream()
                        .filter(ExecutionReport.FileEntry::changed)
                        .map(file -> new ChangedFile(file.path(), file.size(), file.mediaType()))
                        .toList());
    }

    static RunResult of(ExecutionDetail detail) {
        return new RunResult(
                Records.tree(detail),
                detail.outputKept(),
                detail.files().stream()
                        .filter(ExecutionDetail.ListedFile::changed)
                        .map(file -> new ChangedFile(file.path(), file.size(), file.mediaType()))
                        .toList());
    }

    /// An answer that was kept, perhaps by a former version of the server, which called the media
    /// type otherwise.
    static RunResult kept(JsonNode json) {
        var changed = new ArrayList<ChangedFile>();
        for (var file : json.path("files")) {
            if (file.path("changed").asBoolean(false)) {
                var mediaType = file.path(file.has("media_type") ? "media_type" : "mime_type");
                changed.add(
                        new ChangedFile(
                                file.path("path").stringValue(),
                                file.path("size").longValue(),
                                mediaType.asString("")));
            }
        }
        return new RunResult(json, json.path("output_kept").asBoolean(true), changed);
    }
}
