package dev.caisson.telemetry;

import dev.caisson.json.Json;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tools.jackson.core.JacksonException;

/// OTLP client: hands spans to a collector over HTTP. It ends in time, whatever the other side
/// does, follows no redirect, and reads no more of an answer than it needs.
final class Collector implements AutoCloseable {
    /// A longer answer is none.
    static final int ANSWER_BYTES_MAX = 64 * 1024;

    /// The longest pause a collector can ask for.
    static final Duration PAUSE_MAX = Duration.ofSeconds(30);

    private static final Duration CONNECT_MAX = Duration.ofSeconds(5);

    /// What OTLP calls worth another try.
    private static final Set<Integer> LATER = Set.of(429, 502, 503, 504);

    private final OtlpSettings settings;
    private final Duration atMost;
    private final HttpClient http =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .connectTimeout(CONNECT_MAX)
                    .executor(task -> Thread.ofVirtual().start(task))
                    .build();

    /// What became of spans that were sent.
    sealed interface Reply {
        /// @param rejected how many of them it did not want
        record Taken(long rejected) implements Reply {}

        /// Sending them again is of no use.
        record Refused(String why) implements Reply {}

        /// @param pause what the collector asks for, or nothing
        record Later(String why, Duration pause) implements Reply {}
    }

    /// @param atMost how long one attempt may take
    Collector(OtlpSettings settings, Duration atMost) {
        this.settings = settings;
        this.atMost = atMost;
    }

    Reply send(List<Span> spans) throws InterruptedException {
        var answer =
                http.sendAsync(
                        request(OtlpJson.bytes(settings, spans)),
                        BodyHandlers.limiting(BodyHandlers.ofByteArray(), ANSWER_BYTES_MAX));
        try {
            return reply(answer.get(atMost.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException _) {
            return later("no answer in time");
        } catch (ExecutionException failed) {
            return later(String.valueOf(failed.getCause()));
        } finally {
            answer.cancel(true);
        }
    }

    private HttpRequest request(byte[] body) {
        var request = HttpRequest.newBuilder(settings.traces());
        settings.headers().forEach(request::setHeader);
        return request.setHeader("Content-Type", "application/json")
                .setHeader("User-Agent", "Caisson/" + settings.version())
                .POST(BodyPublishers.ofByteArray(body))
                .build();
    }

    private static Reply later(String why) {
        return new Reply.Later(why, Duration.ZERO);
    }

    private static Reply reply(HttpResponse<byte[]> answer) {
        int status = answer.statusCode();
        if (status / 100 == 2) {
            return new Reply.Taken(rejected(answer.body()));
        }
        return LATER.contains(status)
                ? new Reply.Later("status " + status, pause(answer))
                : new Reply.Refused("status " + status);
    }

    /// What is said beside the status is of interest only when it can be read.
    private static long rejected(byte[] body) {
        try {
            var rejected = Json.parse(body).path("partialSuccess").path("rejectedSpans");
            return Math.max(0, rejected.asLong(0));
        } catch (JacksonException _) {
            return 0;
        }
    }

    private static Duration pause(HttpResponse<?> answer) {
        return answer.headers()
                .firstValue("Retry-After")
                .filter(text -> text.matches("\\d{1,9}"))
                .map(text -> Duration.ofSeconds(Long.parseLong(text)))
                .map(asked -> asked.compareTo(PAUSE_MAX) < 0 ? asked : PAUSE_MAX)
                .orElse(Duration.ZERO);
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
