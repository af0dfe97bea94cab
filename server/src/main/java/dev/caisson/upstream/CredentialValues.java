package dev.caisson.upstream;

import dev.caisson.oauth.OAuthClient;
import dev.caisson.redact.Redactor;
import dev.caisson.upstream.connection.UpstreamFailure;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ObjectNode;

/// Values of the credentials of one upstream. They come from the vault when a connection is made,
/// and are remembered for one purpose: to strike them from whatever the upstream says.
public final class CredentialValues {
    /// How many are remembered; the ones used last are.
    static final int REMEMBERED_MAX = 256;

    /// A secret that is one of these would else make every definition unusable.
    private static final Set<String> DEFINITION_WORDS =
            Set.of(
                    "name",
                    "description",
                    "inputSchema",
                    "outputSchema",
                    "annotations",
                    "readOnlyHint",
                    "destructiveHint",
                    "type",
                    "properties",
                    "required",
                    "items",
                    "object",
                    "array",
                    "string",
                    "number",
                    "integer",
                    "boolean",
                    "null");

    /// Of a sentence in which the upstream speaks.
    static final int SENTENCE_LENGTH_MAX = 4_096;

    private final UpstreamSettings settings;
    private final UnaryOperator<String> vault;
    private final Set<String> used = new LinkedHashSet<>();

    /// @param vault gives the value of a secret by its name, or refuses
    public CredentialValues(UpstreamSettings settings, UnaryOperator<String> vault) {
        this.settings = settings;
        this.vault = vault;
    }

    /// Headers of every request.
    ///
    /// @throws dev.caisson.call.Refusal when a secret is not there or cannot be opened
    public Map<String, String> headers() {
        return headers(SecretOwner.SERVER);
    }

    /// The same with the values of one caller.
    Map<String, String> headers(SecretOwner owner) {
        return switch (settings.credentials()) {
            case Credentials.Headers given -> filled(given.headers(), true, owner);
            case Credentials.None _, Credentials.Variables _, Credentials.OAuth _ -> Map.of();
        };
    }

    /// Variables of the environment of a command.
    ///
    /// @throws dev.caisson.call.Refusal when a secret is not there or cannot be opened
    public Map<String, String> env() {
        return env(SecretOwner.SERVER);
    }

    /// The same with the values of one caller.
    Map<String, String> env(SecretOwner owner) {
        var env = new HashMap<String, String>();
        if (settings.peer() instanceof Peer.Command command) {
            env.putAll(filled(command.env(), false, owner));
        }
        if (settings.credentials() instanceof Credentials.Variables given) {
            env.putAll(filled(given.env(), true, owner));
        }
        return Collections.unmodifiableMap(env);
    }

    private Map<String, String> filled(
            Map<String, SecretText> texts, boolean secret, SecretOwner owner) {
        var values = new HashMap<String, String>();
        texts.forEach((name, text) -> {
            var value = text.filled(this::secret, owner);
            if (secret) {
                remember(value);
            }
            values.put(name, value);
        });
        return Collections.unmodifiableMap(values);
    }

    private String secret(String name) {
        var value = vault.apply(name);
        remember(value);
        return value;
    }

    /// A token that is sent, beside what the vault holds.
    void uses(String token) {
        remember(token);
    }

    /// The client that an operator registered by hand, where there is one.
    Optional<OAuthClient> client() {
        if (!(settings.credentials() instanceof Credentials.OAuth given)) {
            return Optional.empty();
        }
        return given.clientId().map(id -> new OAuthClient(id, proof(given)));
    }

    private OAuthClient.Proof proof(Credentials.OAuth given) {
        if (given.privateKey().isPresent()) {
            return new OAuthClient.Proof.PrivateKey(given.privateKey().get().filled(this::secret));
        }
        return given.clientSecret()
                .<OAuthClient.Proof>map(text ->
                        new OAuthClient.Proof.Secret(text.filled(this::secret), Optional.empty()))
                .orElse(new OAuthClient.Proof.None());
    }

    private synchronized void remember(String value) {
        used.remove(value);
        used.add(value);
        while (used.size() > REMEMBERED_MAX) {
            used.remove(used.iterator().next());
        }
    }

    /// What strikes them, in all their spellings.
    synchronized Redactor striking() {
        return new Redactor(Set.copyOf(used), false);
    }

    /// A sentence in which the upstream may speak, for whoever reads it: of characters that can be
    /// seen, not long, and without the values, also where hidden characters stood in them.
    String sentence(String said) {
        var striking = striking();
        return striking.text(CleanText.sentence(striking.text(said), SENTENCE_LENGTH_MAX));
    }

    /// Definitions without the values. What the protocol and JSON Schema call their members and
    /// types stays as it is.
    List<ObjectNode> stricken(List<ObjectNode> definitions) {
        var striking = striking();
        return definitions.stream()
                .map(each -> (ObjectNode) striking.tree(each, DEFINITION_WORDS))
                .toList();
    }

    /// A failure whose sentence is such a one.
    UpstreamFailure failure(UpstreamFailure failure) {
        return failure.saying(sentence(failure.sentence()));
    }

    /// Without the values.
    @Override
    public String toString() {
        return "CredentialValues[" + settings.id() + "]";
    }
}
