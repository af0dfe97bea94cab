package dev.caisson.oauth;

import dev.caisson.egress.OutgoingRequest;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// Token endpoint of one authorization server, as one client asks it.
///
/// @param clientMethods how a client may authenticate there; empty when it does not say
record TokenEndpoint(
        OAuthHttp http,
        Clock clock,
        URI address,
        String issuer,
        Optional<Set<String>> clientMethods,
        OAuthClient client) {
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final Pattern ERROR = Pattern.compile("[a-z_]{1,64}");

    /// Refusal of a grant: what was shown to the server does not count any more.
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        Refused(String error) {
            super(error, null, false, false);
        }
    }

    /// @param asked what is asked for, as far as the answer does not say
    TokenSet ask(TokenSet asked, Map<String, String> grant)
            throws OAuthFailure, InterruptedException, Refused {
        var form = new LinkedHashMap<>(grant);
        form.put("resource", asked.resource());
        var headers = new HashMap<String, String>();
        prove(form, headers);
        var answer =
                http.post(
                        "The token endpoint of the authorization server",
                        address,
                        headers,
                        new OutgoingRequest.Body(FORM, text(form)));
        if (answer.status() == 200 && answer.body().isPresent()) {
            return TokenSet.read(asked, answer.body().get(), clock.instant());
        }
        var error = answer.body().map(TokenEndpoint::error).orElse("");
        if (error.equals("invalid_grant")) {
            throw new Refused(error);
        }
        throw new OAuthFailure(
                "The authorization server gives no token: "
                        + (error.isEmpty() ? "status " + answer.status() : error)
                        + ".");
    }

    private void prove(Map<String, String> form, Map<String, String> headers) throws OAuthFailure {
        switch (client.proof()) {
            case OAuthClient.Proof.None _ -> form.put("client_id", client.id());
            case OAuthClient.Proof.Secret(var secret, var agreed) -> {
                if (OAuthClient.method(agreed, clientMethods).equals(OAuthClient.POST)) {
                    form.put("client_id", client.id());
                    form.put("client_secret", secret);
                } else {
                    var pair = encoded(client.id()) + ":" + encoded(secret);
                    headers.put(
                            "Authorization",
                            "Basic "
                                    + Base64.getEncoder()
                                            .encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
                }
            }
            case OAuthClient.Proof.PrivateKey(var pem) -> {
                form.put("client_id", client.id());
                form.put("client_assertion_type", ClientAssertion.TYPE);
                form.put(
                        "client_assertion",
                        ClientAssertion.of(client.id(), pem, issuer, clock.instant()));
            }
        }
    }

    private static byte[] text(Map<String, String> form) {
        return form.entrySet().stream()
                .map(each -> encoded(each.getKey()) + "=" + encoded(each.getValue()))
                .collect(Collectors.joining("&"))
                .getBytes(StandardCharsets.US_ASCII);
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String error(JsonNode body) {
        var word = body.path("error").stringValue("");
        return ERROR.matcher(word).matches() ? word : "";
    }
}
