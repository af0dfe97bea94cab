package dev.caisson.rest.runs;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.executions.Completion;
import dev.caisson.executions.ExecutionRecord;
import dev.caisson.executions.ReturnedValue;
import dev.caisson.json.Describe;
import dev.caisson.json.Json;
import dev.caisson.json.Records;
import dev.caisson.output.SpooledOutput;
import dev.caisson.rest.route.PacedOutput;
import dev.caisson.rest.route.Reply;
import dev.caisson.rest.route.Response;
import dev.caisson.rest.route.RouteRequest;
import dev.caisson.runs.RunOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;

/// The value an execution handed over, also one that was too large for its answer, which is read
/// from where the output is kept, piece by piece.
public record ResultValue(ExecutionRoutes executions, RunOutput output) {
    private static final int PIECE_BYTES = 64 << 10;

    public record HandedValue(
            String executionId,
            @Describe("Alias of execution_id.") String runId,
            String status,
            @Describe(
                            "Null when nothing was handed over, while it runs, and when data_note says why.")
                    JsonNode data,
            @Describe("Why data is not what the program handed over.") Optional<String> dataNote) {}

    public Response answer(RouteRequest ask) throws IOException, InterruptedException {
        var record = executions.require(ask);
        var handed = record.completion().flatMap(Completion::handed);
        var stored = handed.map(ReturnedValue::keptBytes).orElse(0L);
        if (stored == 0) {
            return whole(
                    record,
                    handed.flatMap(ReturnedValue::data),
                    handed.flatMap(ReturnedValue::note));
        }
        var first = piece(record, 0);
        return first.storedBytes() == 0
                ? whole(record, Optional.empty(), Optional.of("The value is not kept any more."))
                : streamed(ask, record, first);
    }

    private static Response whole(
            ExecutionRecord record, Optional<JsonNode> data, Optional<String> note) {
        return Response.ok(
                Records.tree(
                        new HandedValue(
                                record.id(),
                                record.id(),
                                record.status().word(),
                                data.orElseGet(NullNode::getInstance),
                                note)));
    }

    private SpooledOutput.Piece piece(ExecutionRecord record, long offset) {
        return output.readValue(record.owner(), record.id(), offset, PIECE_BYTES);
    }

    private Response streamed(RouteRequest ask, ExecutionRecord record, SpooledOutput.Piece first)
            throws IOException, InterruptedException {
        var headers = Map.of("Content-Type", Reply.JSON, "Cache-Control", "no-store");
        try {
            DisconnectWatch.<Boolean, IOException>whileHere(
                    ask.exchange(),
                    () -> {
                        var answer = new PacedOutput(ask.stream(200, headers));
                        write(answer, record, first);
                        answer.close();
                        return true;
                    });
        } catch (PacedOutput.ReaderGone gone) {
            ask.exchange().note("ended", "the reader left");
        }
        return new Response.Begun();
    }

    /// The members in the order of [HandedValue].
    private void write(OutputStream answer, ExecutionRecord record, SpooledOutput.Piece first)
            throws IOException {
        var beginning =
                Json.text(
                        Json.object()
                                .put("execution_id", record.id())
                                .put("run_id", record.id())
                                .put("status", record.status().word()));
        text(answer, beginning.substring(0, beginning.length() - 1) + ",\"data\":");
        text(answer, first.text());
        for (var piece = first; !piece.last(); ) {
            piece = piece(record, piece.nextOffset());
            if (piece.text().isEmpty()) {
                throw new Refusal(Reason.CONFLICT, "The value was removed while it was read.");
            }
            text(answer, piece.text());
        }
        text(answer, ",\"data_note\":null}");
    }

    private static void text(OutputStream answer, String text) throws IOException {
        answer.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
