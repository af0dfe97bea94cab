package dev.caisson.rest.route;

/// An error that only HTTP knows: no other door has its reason.
public final class HttpProblem extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Response.Whole response;

    public HttpProblem(Response.Whole response) {
        super("answered " + response.status(), null, false, false);
        this.response = response;
    }

    public static HttpProblem notAllowed(String allowed) {
        return new HttpProblem(
                Response.error(405, "method_not_allowed", "This path takes " + allowed + ".")
                        .with("Allow", allowed));
    }

    static HttpProblem notJson() {
        return new HttpProblem(
                Response.error(
                        415, "unsupported_media_type", "Content-Type must be application/json."));
    }

    public static HttpProblem mismatch() {
        return new HttpProblem(
                Response.error(
                        422,
                        "idempotency_mismatch",
                        "This Idempotency-Key was used with another body. Use another key, or the"
                                + " same body."));
    }

    public Response.Whole response() {
        return response;
    }
}
