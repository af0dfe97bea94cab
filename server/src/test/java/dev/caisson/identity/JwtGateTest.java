package dev.caisson.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.caisson.call.Caller;
import dev.caisson.call.Door;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.json.Json;
import dev.caisson.store.StoreTestCase;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Timeout(60)
final class JwtGateTest extends StoreTestCase {
    private static final String ISSUER = "https://login.example.org/";
    private static final String AUDIENCE = "https://caisson.example.org/mcp";

    private final TestClock clock = new TestClock();
    private final AtomicInteger fetches = new AtomicInteger();
    private final AtomicInteger addresses = new AtomicInteger();
    private TokenIssuer rsa;
    private Optional<ObjectNode> set = Optional.empty();
    private Keys keys;
    private JwtGate gate;

    @BeforeEach
    void open() throws GeneralSecurityException {
        rsa = TokenIssuer.rs256("one");
        set = Optional.of(TokenIssuer.set(rsa));
        keys = new Keys(store, clock);
        gate =
                new JwtGate(
                        new KeyGate(keys, Optional.of("the-token"), clock, clock::nanoTime),
                        ISSUER,
                        AUDIENCE,
                        this::fetch,
                        clock,
                        clock::nanoTime);
    }

    private JsonNode fetch() {
        fetches.incrementAndGet();
        return set.orElseThrow(() -> new Refusal(Reason.UNAVAILABLE, "It does not answer."));
    }

    private ObjectNode claims() {
        return Json.object()
                .put("iss", ISSUER)
                .put("sub", "ada")
                .put("aud", AUDIENCE)
                .put("scope", "openid caisson:run caisson:files_read caisson:unheard_of")
                .put("exp", now() + 300);
    }

    private long now() {
        return clock.instant().getEpochSecond();
    }

    private ObjectNode claims(Consumer<ObjectNode> change) {
        var claims = claims();
        change.accept(claims);
        return claims;
    }

    /// From an address of its own, so that no attempt counts for another.
    private Caller admit(String bearer) {
        var address = "192.0.2." + addresses.incrementAndGet();
        return gate.admit(Door.MCP, address, Optional.of("Bearer " + bearer));
    }

    private Refusal refused(String bearer) {
        return catchThrowableOfType(Refusal.class, () -> admit(bearer));
    }

    private void assertRefused(String bearer, String why) {
        var refusal = refused(bearer);
        assertThat(refusal).as(why).isNotNull();
        assertThat(refusal.reason()).isEqualTo(Reason.UNAUTHORIZED);
        assertThat(refusal.sentence()).contains(why);
        assertThat(refusal.details()).containsEntry(Refusal.CHALLENGE_ERROR, "invalid_token");
    }

    @Test
    void a_token_of_each_algorithm_is_admitted_with_its_scopes() throws Exception {
        var issuers = List.of(rsa, TokenIssuer.es256("two"), TokenIssuer.eddsa("three"));
        set = Optional.of(TokenIssuer.set(issuers.toArray(TokenIssuer[]::new)));
        for (var issuer : issuers) {
            var caller = admit(issuer.token(claims()));
            assertThat(caller.scopes()).isEqualTo(Set.of(Scope.RUN, Scope.FILES_READ));
            assertThat(caller.name()).isEqualTo("ada");
            assertThat(TokenCaller.is(caller)).isTrue();
        }
        assertThat(fetches).hasValue(1);
    }

    @Test
    void scopes_are_read_from_lists_and_texts_and_none_is_none() throws Exception {
        var listed = claims(claims -> claims.remove("scope"));
        listed.putArray("scp").add("caisson:tools").add("caisson:admin").add("admin").add(7);
        assertThat(admit(rsa.token(listed)).scopes()).isEqualTo(Set.of(Scope.TOOLS, Scope.ADMIN));
        var none = claims(claims -> claims.put("scope", "run admin caisson caisson:"));
        assertThat(admit(rsa.token(none)).scopes()).isEmpty();
    }

    @Test
    void the_id_of_a_caller_is_that_of_issuer_and_subject_alone() throws Exception {
        var one = admit(rsa.token(claims())).id();
        assertThat(admit(rsa.token(claims(other -> other.put("jti", "x")))).id()).isEqualTo(one);
        assertThat(admit(rsa.token(claims(other -> other.put("sub", "Ada")))).id())
                .isNotEqualTo(one);
        assertThat(one).matches("oauth:[0-9a-f]{32}").doesNotContain("ada");
    }

    @Test
    void the_name_of_a_caller_hides_nothing() throws Exception {
        var subject = "ada\u202e\n" + "x".repeat(200);
        var caller = admit(rsa.token(claims(claims -> claims.put("sub", subject))));
        assertThat(caller.name()).startsWith("ada��x").hasSize(100);
    }

    @Test
    void keys_and_the_token_of_the_operator_work_as_ever() {
        var key = keys.create("laptop", Set.of(Scope.RUN), Set.of(), Optional.empty());
        assertThat(admit(key.secret())).isEqualTo(key.info().caller());
        assertThat(admit("the-token")).isEqualTo(KeyGate.TOKEN_HOLDER);
        assertThat(refused("ck_0123456789abcdef_" + "0".repeat(64)).sentence())
                .isEqualTo("Invalid or revoked API key.");
        assertThat(fetches).hasValue(0);
        var missing =
                catchThrowableOfType(
                        Refusal.class, () -> gate.admit(Door.MCP, "192.0.2.99", Optional.empty()));
        assertThat(missing.details()).doesNotContainKey(Refusal.CHALLENGE_ERROR);
    }

    @Test
    void issuer_and_audience_are_compared_exactly() throws Exception {
        for (var issuer : List.of("https://login.example.org", "HTTPS://login.example.org/", "")) {
            assertRefused(
                    rsa.token(claims(claims -> claims.put("iss", issuer))), "of another issuer");
        }
        assertRefused(rsa.token(claims(claims -> claims.remove("iss"))), "of another issuer");
        for (var audience : List.of(AUDIENCE + "/", "https://caisson.example.org", "caisson")) {
            assertRefused(
                    rsa.token(claims(claims -> claims.put("aud", audience))), "another server");
        }
        assertRefused(rsa.token(claims(claims -> claims.remove("aud"))), "another server");
        var several = claims(claims -> claims.putArray("aud").add("other").add(AUDIENCE));
        assertThat(admit(rsa.token(several)).name()).isEqualTo("ada");
        assertRefused(
                rsa.token(claims(claims -> claims.putArray("aud").add("other"))), "another server");
    }

    @Test
    void times_count_with_a_minute_of_difference() throws Exception {
        assertThat(admit(rsa.token(claims(c -> c.put("exp", now() - 59)))).name()).isEqualTo("ada");
        assertRefused(rsa.token(claims(c -> c.put("exp", now() - 60))), "expired");
        assertRefused(rsa.token(claims(c -> c.remove("exp"))), "when it expires");
        assertRefused(rsa.token(claims(c -> c.put("exp", "soon"))), "when it expires");
        assertThat(admit(rsa.token(claims(c -> c.put("nbf", now() + 60)))).name()).isEqualTo("ada");
        assertRefused(rsa.token(claims(c -> c.put("nbf", now() + 61))), "not valid yet");
        assertRefused(rsa.token(claims(c -> c.put("nbf", "now"))), "not valid yet");
    }

    @Test
    void a_subject_is_needed_and_bounded() throws Exception {
        assertRefused(rsa.token(claims(c -> c.remove("sub"))), "no subject");
        assertRefused(rsa.token(claims(c -> c.put("sub", ""))), "no subject");
        assertRefused(rsa.token(claims(c -> c.put("sub", "a".repeat(256)))), "no subject");
        assertThat(admit(rsa.token(claims(c -> c.put("sub", "a".repeat(255))))).id())
                .startsWith("oauth:");
    }

    @Test
    void no_algorithm_but_three_is_taken() throws Exception {
        for (var algorithm : List.of("none", "None", "HS256", "RS1", "RS512", "ES384", "")) {
            var header = rsa.header().put("alg", algorithm);
            assertRefused(rsa.token(header, claims()), "must be signed with RS256");
            assertRefused(
                    TokenIssuer.unsigned(header, claims()) + ".", "must be signed with RS256");
        }
    }

    @Test
    void a_public_key_is_no_secret_to_sign_with() throws Exception {
        for (var algorithm : List.of("HS256", "RS256")) {
            var signed = TokenIssuer.unsigned(rsa.header().put("alg", algorithm), claims());
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Json.bytes(rsa.jwk()), "HmacSHA256"));
            var forged =
                    signed
                            + "."
                            + TokenIssuer.text(
                                    mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII)));
            assertThat(refused(forged).reason()).isEqualTo(Reason.UNAUTHORIZED);
        }
    }

    @Test
    void a_token_is_signed_by_a_key_of_its_issuer_and_whole() throws Exception {
        var stranger = TokenIssuer.rs256("one");
        assertRefused(stranger.token(claims()), "not signed by a key");
        var own = rsa.token(claims());
        var other = rsa.token(claims(c -> c.put("sub", "eve")));
        var parts = own.split("\\.", -1);
        assertRefused(
                parts[0] + "." + other.split("\\.", -1)[1] + "." + parts[2], "not signed by a key");
        assertRefused(parts[0] + "." + parts[1] + ".", "not signed by a key");
        assertRefused(own.substring(0, own.length() - 8), "not signed by a key");
        assertThat(admit(own).name()).isEqualTo("ada");
    }

    @Test
    void a_key_is_used_with_its_own_algorithm_alone() throws Exception {
        var ec = TokenIssuer.es256("one");
        set = Optional.of(TokenIssuer.set(rsa));
        assertRefused(ec.token(claims()), "not signed by a key");
        var encrypting = rsa.jwk().put("use", "enc");
        set = Optional.of(Json.object().set("keys", Json.tree(List.of())));
        set.orElseThrow().putArray("keys").add(encrypting);
        clock.advance(IssuerKeys.AGE_MAX);
        assertRefused(rsa.token(claims()), "not signed by a key");
    }

    @Test
    void a_small_key_is_none() throws Exception {
        var small = TokenIssuer.rsa("small", 1024);
        set = Optional.of(TokenIssuer.set(small));
        assertRefused(small.token(claims()), "not signed by a key");
    }

    @Test
    void a_token_without_the_name_of_a_key_is_tried_with_all() throws Exception {
        var other = TokenIssuer.rs256("other");
        set = Optional.of(TokenIssuer.set(other, rsa));
        var header = rsa.header();
        header.remove("kid");
        assertThat(admit(rsa.token(header, claims())).name()).isEqualTo("ada");
    }

    @Test
    void what_is_not_understood_is_refused() throws Exception {
        var critical = rsa.header();
        critical.putArray("crit").add("b64");
        assertRefused(rsa.token(critical, claims()), "not understood");
        assertRefused("eyJhbGciOiJSUzI1NiJ9.bm90IGpzb24.AAAA", "cannot be read");
        assertRefused("eyJ4.eyJ4.AAAA", "cannot be read");
    }

    @Test
    void a_token_has_8192_characters_at_most() throws Exception {
        var longest = padded(SignedToken.LENGTH_MAX);
        assertThat(longest).hasSize(SignedToken.LENGTH_MAX);
        assertThat(admit(longest).name()).isEqualTo("ada");
        assertThat(refused(longest + "A").reason()).isEqualTo(Reason.UNAUTHORIZED);
    }

    /// One of exactly this length: white space in the header counts, and three bytes are four
    /// characters.
    private String padded(int length) throws GeneralSecurityException {
        for (int pad = 0; ; pad++) {
            for (var extra : List.of("", "a", "ab")) {
                var header = rsa.header().put("x", extra);
                var bulk = length - rsa.token(header, claims(c -> c.put("y", ""))).length();
                var body = claims(c -> c.put("y", "z".repeat(Math.max(0, bulk * 3 / 4))));
                var token = rsa.token(header, body.put("w", "w".repeat(pad)));
                for (var y = body.path("y").stringValue(); token.length() > length; ) {
                    y = y.substring(1);
                    token = rsa.token(header, body.put("y", y));
                }
                if (token.length() == length) {
                    return token;
                }
            }
        }
    }

    @Test
    void keys_are_fetched_again_after_ten_minutes() throws Exception {
        admit(rsa.token(claims()));
        clock.advance(IssuerKeys.AGE_MAX.minusSeconds(1));
        admit(rsa.token(claims()));
        assertThat(fetches).hasValue(1);
        set = Optional.of(TokenIssuer.set(TokenIssuer.rs256("two")));
        clock.advance(Duration.ofSeconds(1));
        assertRefused(rsa.token(claims()), "not signed by a key");
        assertThat(fetches).hasValue(2);
    }

    @Test
    void an_unknown_key_is_looked_for_once_a_minute() throws Exception {
        admit(rsa.token(claims()));
        var next = TokenIssuer.es256("next");
        set = Optional.of(TokenIssuer.set(rsa, next));
        assertRefused(next.token(claims()), "not signed by a key");
        assertThat(fetches).hasValue(1);
        clock.advance(IssuerKeys.PAUSE);
        assertThat(admit(next.token(claims())).name()).isEqualTo("ada");
        assertThat(fetches).hasValue(2);
        for (int i = 0; i < 50; i++) {
            refused(TokenIssuer.es256("made-up-" + i).token(claims()));
        }
        assertThat(fetches).hasValue(2);
        assertThat(admit(rsa.token(claims())).name()).isEqualTo("ada");
    }

    @Test
    void keys_count_for_an_hour_while_the_issuer_is_away() throws Exception {
        admit(rsa.token(claims()));
        var there = set;
        set = Optional.empty();
        clock.advance(IssuerKeys.UNREACHABLE_MAX.minusSeconds(1));
        assertThat(admit(rsa.token(claims())).name()).isEqualTo("ada");
        clock.advance(Duration.ofSeconds(1));
        assertThat(refused(rsa.token(claims())).reason()).isEqualTo(Reason.UNAVAILABLE);
        assertThat(fetches).hasValue(2);
        set = there;
        clock.advance(IssuerKeys.PAUSE);
        assertThat(admit(rsa.token(claims())).name()).isEqualTo("ada");
    }

    @Test
    void tokens_that_are_not_for_this_server_cost_the_issuer_nothing() throws Exception {
        refused(rsa.token(claims(c -> c.put("aud", "other"))));
        refused(rsa.token(claims(c -> c.put("exp", 1))));
        assertThat(fetches).hasValue(0);
    }

    @Test
    void failures_of_tokens_count_with_those_of_keys() throws Exception {
        var seen = new ArrayList<Reason>();
        for (var bearer :
                List.of("wrong", rsa.token(claims(c -> c.put("exp", 1))), "eyJ4.eyJ4.A", "no")) {
            seen.add(
                    catchThrowableOfType(
                                    Refusal.class,
                                    () ->
                                            gate.admit(
                                                    Door.MCP,
                                                    "198.51.100.1",
                                                    Optional.of("Bearer " + bearer)))
                            .reason());
        }
        assertThat(seen)
                .containsExactly(
                        Reason.UNAUTHORIZED,
                        Reason.UNAUTHORIZED,
                        Reason.UNAUTHORIZED,
                        Reason.TOO_MANY_ATTEMPTS);
        var good = Optional.of("Bearer " + rsa.token(claims()));
        assertThat(gate.admit(Door.MCP, "198.51.100.1", good).name()).isEqualTo("ada");
    }
}
