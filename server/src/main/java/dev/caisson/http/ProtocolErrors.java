package dev.caisson.http;

import dev.caisson.call.TraceId;
import dev.caisson.json.Json;
import dev.caisson.telemetry.Faults;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/// Error handler of the HTTP library: answers what the HTTP library itself turns down, in our own
/// shape and words: bytes that are not HTTP, heads that are too large, addresses that cannot be
/// read in one way only.
final class ProtocolErrors implements Request.Handler {
    private static final String UNREADABLE = "(unreadable)";

    private final OpenExchanges traffic;
    private final Faults faults;

    ProtocolErrors(OpenExchanges traffic, Faults faults) {
        this.traffic = traffic;
        this.faults = faults;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        var cause = request.getAttribute(ErrorHandler.ERROR_EXCEPTION);
        int status = cause instanceof HttpException http ? http.getCode() : response.getStatus();
        var record =
                new CallRecord(
                        UNREADABLE,
                        UNREADABLE,
                        TraceId.fresh(),
                        JettyExchange.clientAddress(traffic, request),
                        request.getBeginNanoTime());
        var answer = answer(status, cause, record);
        record.status(answer.status());
        response.setStatus(answer.status());
        answer.headers().forEach(response.getHeaders()::put);
        response.getHeaders().put(HttpFields.CONNECTION_CLOSE);
        var body = Json.bytes(answer.body());
        response.write(true, ByteBuffer.wrap(body), callback);
        traffic.ended(record, body.length);
        return true;
    }

    private ErrorAnswer answer(int status, Object cause, CallRecord record) {
        if (status >= 500 && status != 505 && cause instanceof Throwable fault) {
            var number = faults.report(fault);
            record.note("fault", number);
            return ErrorAnswer.fault(Faults.sentence(number));
        }
        return switch (status) {
            case 408 -> ErrorAnswer.of(status, "timeout", "The request came too slowly.");
            case 431 ->
                    ErrorAnswer.of(
                            status,
                            "header_too_large",
                            "The request's head is larger than "
                                    + traffic.limits().requests().headerBytesMax()
                                    + " bytes.");
            case 414 ->
                    ErrorAnswer.of(
                            status, "validation_error", "The request's address is too long.");
            default ->
                    ErrorAnswer.of(
                            status < 400 ? 400 : status,
                            "validation_error",
                            "The request is not well-formed HTTP/1.1.");
        };
    }
}
