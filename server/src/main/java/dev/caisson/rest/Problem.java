package dev.caisson.rest;

/// An error that only HTTP knows: no other door has its reason.
final class Problem extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Response.Whole response;

    Problem(Response.Whole response) {
        super("answered " + response.status(), null, false, false);
        this.response = response;
    }

    static Problem notAllowed(String allowed) {
        return new Problem(
                Response.error(405, "method_not_allowed", "This path takes " + allowed + ".")
                        .with("Allow", allowed));
    }

    static Problem notJson() {
        return new Problem(
                Response.error(
                        415, "unsupported_media_type", "Content-Type must be application/json."));
    }

    static Problem mismatch() {
        return new Problem(
                Response.error(
                        422,
                        "idempotency_mismatch",
                        "This Idempotency-Key was used with another body. Use another key, or the"
                                + " same body."));
    }

    Response.Whole response() {
        return response;
    }
}
