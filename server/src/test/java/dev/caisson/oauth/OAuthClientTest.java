package dev.caisson.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.caisson.call.Caller;
import dev.caisson.egress.OutgoingHttp;
import dev.caisson.egress.RawHttpServer;
import dev.caisson.identity.Vault;
import dev.caisson.identity.VaultKey;
import dev.caisson.json.Json;
import dev.caisson.oauth.Authorizations.Begun;
import dev.caisson.oauth.Authorizations.Returned;
import dev.caisson.oauth.OAuthFailure.Kind;
import dev.caisson.oauth.OAuthTarget.Grant;
import dev.caisson.store.StoreTestCase;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The client side of OAuth against servers that behave, and against those that do not.
@Timeout(120)
final class OAuthClientTest extends StoreTestCase {
    private static final String OWNER = "key:ada";
    private static final URI REDIRECT = URI.create("https://caisson.example.org/oauth/callback");
    private static final String SERVER = "/.well-known/oauth-authorization-server";
    private static final String RESOURCE = "/.well-known/oauth-protected-resource/mcp";

    private final AtomicReference<Instant> now =
            new AtomicReference<>(Instant.parse("2026-03-01T12:00:00Z"));
    private final Clock clock = ((InstantSource) now::get).withZone(ZoneOffset.UTC);
    private FakeAuthorization fake;
    private OutgoingHttp http;
    private OAuthClients clients;

    @BeforeEach
    void open() throws IOException {
        fake = new FakeAuthorization();
        http = new OutgoingHttp(Set.of("127.0.0.1"));
        clients = clients(OAuthHttp.TIME_MAX);
    }

    @AfterEach
    void close() throws IOException {
        http.close();
        fake.close();
    }

    private OAuthClients clients(Duration timeMax) {
        return new OAuthClients(
                store,
                new Vault(store, clock, VaultKey.of(new byte[32])),
                clock,
                new OAuthHttp(http, timeMax),
                new OAuthAddresses(Set.of("127.0.0.1")),
                () -> new Registration(REDIRECT, Optional.empty()),
                upstream -> "https://caisson.example.org/#/tools/connect%3A" + upstream);
    }

    private OAuthTarget target(Optional<OAuthClient> client, Grant grant) {
        return new OAuthTarget(
                "notes", fake.upstream(), grant, Optional.empty(), () -> client, List.of());
    }

    private OAuthTarget target() {
        return target(Optional.empty(), Grant.CODE);
    }

    private Begun begin() throws Exception {
        return clients.begin(target(), OWNER, Caller.LOCAL);
    }

    private static Map<String, String> query(Begun begun) {
        return FakeAuthorization.form(begun.visit().getRawQuery());
    }

    private Returned returned(Begun begun) {
        return new Returned(
                Optional.ofNullable(query(begun).get("state")),
                Optional.of("the-code"),
                Optional.of(fake.issuer()),
                Optional.empty(),
                Optional.of(begun.cookie()));
    }

    private void connect() throws Exception {
        clients.finish(clients.returned(returned(begin())));
    }

    private OAuthSession session() {
        return clients.session(target(), OWNER);
    }

    private void advance(Duration time) {
        now.updateAndGet(before -> before.plus(time));
    }

    private OAuthFailure refused(ThrowingCallable what) {
        var failure = catchThrowableOfType(OAuthFailure.class, what);
        assertThat(failure).isNotNull();
        return failure;
    }

    @Test
    void a_person_connects_an_upstream_and_its_token_is_used() throws Exception {
        var begun = begin();
        var asked = query(begun);
        assertThat(begun.visit().toString()).startsWith(fake.at("/authorize?tenant=a&"));
        assertThat(asked)
                .containsEntry("response_type", "code")
                .containsEntry("client_id", "registered")
                .containsEntry("redirect_uri", REDIRECT.toString())
                .containsEntry("code_challenge_method", "S256")
                .containsEntry("resource", fake.upstream().toString())
                .containsEntry("scope", "notes:read notes:write");
        assertThat(session().isConnected()).isFalse();

        clients.finish(clients.returned(returned(begun)));

        assertThat(session().token()).contains("access-1");
        assertThat(fake.grants.getFirst())
                .containsEntry("grant_type", "authorization_code")
                .containsEntry("code", "the-code")
                .containsEntry("redirect_uri", REDIRECT.toString())
                .containsEntry("client_id", "registered")
                .containsEntry("resource", fake.upstream().toString());
        var verifier = Objects.requireNonNull(fake.grants.getFirst().get("code_verifier"));
        assertThat(verifier).hasSize(43);
        assertThat(
                        Base64.getUrlEncoder()
                                .withoutPadding()
                                .encodeToString(HexFormat.of().parseHex(OAuthStore.hash(verifier))))
                .isEqualTo(asked.get("code_challenge"));
        assertThat(clients.session(target(), "key:eve").token()).isEmpty();
    }

    @Test
    void nothing_of_it_stands_open_in_the_database() throws Exception {
        var begun = begin();
        clients.finish(clients.returned(returned(begun)));
        begin();
        for (var table : List.of("oauth_client", "oauth_token", "oauth_state")) {
            var rows =
                    store.read(handle ->
                            handle.query("SELECT value FROM " + table).mapTo(String.class).list());
            assertThat(rows).as(table).isNotEmpty();
            assertThat(rows)
                    .allSatisfy(row -> {
                        var bytes =
                                new String(
                                        Base64.getDecoder().decode(row),
                                        StandardCharsets.ISO_8859_1);
                        assertThat(bytes)
                                .doesNotContain("access-", "refresh-", "registered", "verifier");
                    });
        }
    }

    @Test
    void a_token_that_was_moved_to_another_owner_is_none() throws Exception {
        connect();
        store.write(handle -> handle.update("UPDATE oauth_token SET owner = 'key:eve'").execute());
        assertThat(clients.session(target(), "key:eve").token()).isEmpty();
    }

    @Test
    void a_token_goes_to_no_other_address() throws Exception {
        connect();
        var elsewhere =
                new OAuthTarget(
                        "notes",
                        URI.create("https://other.example.org/mcp"),
                        Grant.CODE,
                        Optional.empty(),
                        Optional::empty,
                        List.of());
        assertThat(clients.session(elsewhere, OWNER).token()).isEmpty();
    }

    @Test
    void a_token_is_refreshed_a_minute_early_and_once_for_all_who_wait() throws Exception {
        connect();
        advance(Duration.ofSeconds(3539));
        assertThat(session().token()).contains("access-1");
        assertThat(fake.grants).hasSize(1);
        advance(Duration.ofSeconds(1));
        fake.delayMillis = 100;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var all =
                    IntStream.range(0, 8)
                            .mapToObj(_ -> threads.submit(() -> session().token()))
                            .toList();
            for (var one : all) {
                assertThat(one.get()).contains("access-2");
            }
        }
        assertThat(fake.grants).hasSize(2);
        assertThat(fake.grants.get(1))
                .containsEntry("grant_type", "refresh_token")
                .containsEntry("refresh_token", "refresh-1")
                .containsEntry("resource", fake.upstream().toString());
    }

    @Test
    void a_refused_refresh_sends_a_person() throws Exception {
        connect();
        advance(Duration.ofSeconds(3590));
        fake.tokenError = Optional.of("invalid_grant");
        var failure = refused(() -> session().token());
        assertThat(failure.kind()).isEqualTo(Kind.VISIT);
        assertThat(failure.sentence())
                .contains("https://caisson.example.org/#/tools/connect%3Anotes")
                .doesNotContain("refresh-1");
        assertThat(session().isConnected()).isFalse();
    }

    @Test
    void a_server_that_is_away_costs_no_token_that_still_works() throws Exception {
        connect();
        advance(Duration.ofSeconds(3590));
        fake.tokenError = Optional.of("server_error");
        assertThat(session().token()).contains("access-1");
        advance(Duration.ofSeconds(10));
        assertThat(refused(() -> session().token()).sentence()).contains("server_error");
        assertThat(session().isConnected()).isTrue();
        fake.tokenError = Optional.empty();
        assertThat(session().token()).contains("access-2");
    }

    @Test
    void a_state_is_used_once_and_within_ten_minutes() throws Exception {
        var begun = begin();
        clients.finish(clients.returned(returned(begun)));
        assertThat(refused(() -> clients.returned(returned(begun))).sentence())
                .contains("Begin again");
        var slow = begin();
        advance(OAuthStore.STATE_LIFE.plusMillis(1));
        assertThat(refused(() -> clients.returned(returned(slow))).sentence())
                .contains("10 minutes");
        var intime = begin();
        advance(OAuthStore.STATE_LIFE);
        assertThat(clients.returned(returned(intime)).upstream()).isEqualTo("notes");
    }

    @Test
    void another_browser_ends_the_way_and_no_code_is_sent() throws Exception {
        for (var cookie : List.of(Optional.<String>empty(), Optional.of("x".repeat(43)))) {
            var begun = begin();
            var back = returned(begun);
            var other =
                    new Returned(back.state(), back.code(), back.issuer(), back.error(), cookie);
            assertThat(refused(() -> clients.returned(other)).sentence())
                    .contains("another browser");
            assertThat(refused(() -> clients.returned(back)).sentence()).contains("Begin again");
        }
        assertThat(fake.grants).isEmpty();
    }

    @Test
    void who_sends_a_person_back_is_compared_before_the_code_is_sent() throws Exception {
        for (var issuer :
                List.of(
                        Optional.<String>empty(),
                        Optional.of("https://evil.example.org"),
                        Optional.of(fake.issuer() + "/"))) {
            var back = returned(begin());
            var mixed =
                    new Returned(back.state(), back.code(), issuer, back.error(), back.cookie());
            assertThat(refused(() -> clients.returned(mixed)).sentence())
                    .contains("does not come from the authorization server that was asked");
        }
        assertThat(fake.grants).isEmpty();
        fake.document(SERVER).remove("authorization_response_iss_parameter_supported");
        clients = clients(OAuthHttp.TIME_MAX);
        var back = returned(begin());
        var silent =
                new Returned(
                        back.state(), back.code(), Optional.empty(), back.error(), back.cookie());
        assertThat(clients.returned(silent).upstream()).isEqualTo("notes");
    }

    @Test
    void an_error_of_the_server_is_said_by_its_word_alone() throws Exception {
        var back = returned(begin());
        var denied =
                new Returned(
                        back.state(),
                        Optional.empty(),
                        back.issuer(),
                        Optional.of("access_denied"),
                        back.cookie());
        assertThat(refused(() -> clients.returned(denied)).sentence()).contains("access_denied");
        var second = returned(begin());
        var hostile =
                new Returned(
                        second.state(),
                        Optional.empty(),
                        second.issuer(),
                        Optional.of("<script>alert(1)</script>"),
                        second.cookie());
        assertThat(refused(() -> clients.returned(hostile)).sentence())
                .contains("an error")
                .doesNotContain("script");
    }

    @Test
    void twenty_ways_are_under_way_for_one_owner_at_most() throws Exception {
        for (int i = 0; i < OAuthStore.STATES_MAX; i++) {
            begin();
        }
        assertThat(refused(this::begin).sentence()).contains("Finish one, or wait");
        assertThat(clients.begin(target(), "key:eve", Caller.LOCAL).cookie()).hasSize(43);
        advance(OAuthStore.STATE_LIFE.plusMillis(1));
        begin();
    }

    @Test
    void without_pkce_nobody_is_sent_anywhere() throws Exception {
        fake.document(SERVER).putArray("code_challenge_methods_supported").add("plain");
        assertThat(refused(this::begin).sentence()).contains("PKCE with S256");
        fake.document(SERVER).remove("code_challenge_methods_supported");
        assertThat(refused(this::begin).sentence()).contains("PKCE with S256");
        assertThat(fake.asked("/register")).isZero();
    }

    @Test
    void metadata_of_another_issuer_is_refused_and_no_further_is_looked() {
        for (var other : List.of("https://evil.example.org", fake.issuer() + "/")) {
            fake.document(SERVER).put("issuer", other);
            assertThat(refused(this::begin).sentence()).contains("another issuer");
        }
        assertThat(fake.asked("/.well-known/openid-configuration")).isZero();
        assertThat(fake.asked("/register")).isZero();
    }

    @Test
    void metadata_is_looked_for_in_the_specified_order() throws Exception {
        var issuer = fake.issuer() + "/realms/a";
        fake.documents.put(RESOURCE, FakeAuthorization.resource(fake.at("/mcp"), issuer));
        fake.documents.put("/realms/a/.well-known/openid-configuration", fake.metadata(issuer));
        begin();
        assertThat(
                        fake.server.requests().stream()
                                .map(RawHttpServer.Request::path)
                                .filter(path -> path.contains(".well-known")))
                .containsExactly(
                        RESOURCE,
                        SERVER + "/realms/a",
                        "/.well-known/openid-configuration/realms/a",
                        "/realms/a/.well-known/openid-configuration");
    }

    @Test
    void metadata_of_another_resource_is_refused() {
        for (var other :
                List.of(
                        "https://evil.example.org/mcp",
                        fake.at("/mcp/deeper"),
                        fake.at("/mc"),
                        "",
                        "file:///etc/passwd")) {
            fake.document(RESOURCE).put("resource", other);
            assertThat(refused(this::begin).sentence()).contains("another resource");
        }
        assertThat(fake.asked(SERVER)).isZero();
    }

    @Test
    void addresses_inside_or_of_other_schemes_are_not_asked() throws Exception {
        for (var bad :
                List.of(
                        "http://169.254.169.254/latest",
                        "http://10.0.0.1/as",
                        "http://other.example.org",
                        "file:///etc/passwd",
                        "javascript:alert(1)",
                        "https://user:pass@example.org",
                        "https://example.org/#x",
                        "not an address")) {
            fake.documents.put(RESOURCE, FakeAuthorization.resource(fake.at("/mcp"), bad));
            assertThat(refused(this::begin).sentence()).doesNotContain("pass@");
        }
        assertThat(fake.asked(SERVER)).isZero();
        fake.documents.put(
                RESOURCE, FakeAuthorization.resource(fake.at("/mcp"), "https://169.254.169.254"));
        assertThat(refused(this::begin).sentence()).contains("no address that may be reached");
        fake.documents.put(RESOURCE, FakeAuthorization.resource(fake.at("/mcp"), fake.issuer()));
        for (var member :
                List.of("authorization_endpoint", "token_endpoint", "registration_endpoint")) {
            var good = fake.document(SERVER).path(member).stringValue();
            fake.document(SERVER).put(member, "http://10.0.0.1/x");
            assertThat(refused(this::begin).sentence()).contains(member);
            fake.document(SERVER).put(member, "javascript:alert(1)");
            assertThat(refused(this::begin).sentence()).contains(member);
            fake.document(SERVER).put(member, good);
        }
        assertThat(fake.asked("/register")).isZero();
    }

    @Test
    void no_redirect_is_followed() {
        var redirect =
                RawHttpServer.answer(302, "text/plain", "", "Location: " + fake.at("/elsewhere"));
        fake.answers.put(RESOURCE, redirect);
        assertThat(refused(this::begin).sentence()).contains("neither where it says");
        fake.answers.remove(RESOURCE);
        fake.answers.put("/register", redirect);
        assertThat(refused(this::begin).sentence()).contains("status 302");
        assertThat(fake.asked("/elsewhere")).isZero();
    }

    @Test
    void a_giant_answer_is_cut_off_and_a_slow_one_not_waited_for() throws Exception {
        fake.answers.put(
                RESOURCE,
                RawHttpServer.answer(200, "application/json", new byte[OAuthHttp.BYTES_MAX + 1]));
        assertThat(refused(this::begin).sentence())
                .contains("longer than " + OAuthHttp.BYTES_MAX + " bytes");
        fake.answers.remove(RESOURCE);
        var begun = begin();
        fake.delayMillis = 60_000;
        var hasty = clients(Duration.ofMillis(300));
        var agreed = hasty.returned(returned(begun));
        assertThat(refused(() -> hasty.finish(agreed)).sentence())
                .contains("no whole answer came in time");
    }

    @Test
    void an_answer_that_is_no_token_is_none() throws Exception {
        for (var body :
                List.of(
                        "[]",
                        "{}",
                        "{\"access_token\":\"a\",\"token_type\":\"mac\"}",
                        "{\"access_token\":\"a\\nb\",\"token_type\":\"bearer\"}",
                        "{\"access_token\":\"a\",\"access_token\":\"b\",\"token_type\":\"bearer\"}")) {
            fake.answers.put("/token", RawHttpServer.answer(200, "application/json", body));
            var agreed = clients.returned(returned(begin()));
            refused(() -> clients.finish(agreed));
        }
        assertThat(session().isConnected()).isFalse();
    }

    @Test
    void a_challenge_is_taken_up_and_scopes_are_united() throws Exception {
        connect();
        var before = session().token();
        var failure =
                refused(() ->
                        session()
                                .refused(
                                        403,
                                        Optional.of(
                                                "Bearer error=\"insufficient_scope\","
                                                        + " scope=\"notes:admin\""),
                                        before));
        assertThat(failure.kind()).isEqualTo(Kind.VISIT);
        assertThat(failure.sentence()).contains("needs more rights (notes:admin)");
        assertThat(query(begin())).containsEntry("scope", "notes:read notes:write notes:admin");
        assertThat(session().refused(403, Optional.of("Bearer"), before)).isFalse();
    }

    @Test
    void three_times_an_hour_an_upstream_may_ask_for_more() throws Exception {
        connect();
        for (int i = 0; i < OAuthSession.STEP_UPS_MAX; i++) {
            var scope = "more:" + i;
            assertThat(refused(() -> stepUp(scope)).kind()).isEqualTo(Kind.VISIT);
        }
        assertThat(refused(() -> stepUp("more:9")).kind()).isEqualTo(Kind.SERVER);
        advance(OAuthSession.STEP_UPS_WITHIN);
        assertThat(refused(() -> stepUp("more:9")).kind()).isEqualTo(Kind.VISIT);
        assertThat(refused(() -> stepUp("notes:read")).sentence()).contains("that its token has");
    }

    private void stepUp(String scope) throws Exception {
        session()
                .refused(
                        403,
                        Optional.of("Bearer error=insufficient_scope, scope=\"" + scope + "\""),
                        Optional.of("access-1"));
    }

    @Test
    void a_token_that_is_not_taken_is_got_again_or_a_person_is_sent() throws Exception {
        connect();
        assertThat(session().refused(401, Optional.of("Bearer"), Optional.of("access-1"))).isTrue();
        assertThat(session().token()).contains("access-2");
        assertThat(session().refused(401, Optional.of("Bearer"), Optional.of("access-1")))
                .as("another request renewed it already")
                .isTrue();
        assertThat(fake.grants).hasSize(2);
        fake.tokenError = Optional.of("invalid_grant");
        assertThat(
                        refused(() ->
                                        session()
                                                .refused(
                                                        401,
                                                        Optional.of("Bearer"),
                                                        Optional.of("access-2")))
                                .kind())
                .isEqualTo(Kind.VISIT);
    }

    @Test
    void an_upstream_that_moves_to_another_server_gets_no_token_of_the_old_one() throws Exception {
        connect();
        try (var second = new FakeAuthorization()) {
            fake.documents.put(
                    RESOURCE, FakeAuthorization.resource(fake.at("/mcp"), second.issuer()));
            var failure =
                    refused(() ->
                            session().refused(401, Optional.of("Bearer"), Optional.of("access-1")));
            assertThat(failure.kind()).isEqualTo(Kind.VISIT);
            assertThat(begin().visit().toString()).startsWith(second.at("/authorize"));
            assertThat(second.asked("/register")).isEqualTo(1);
            assertThat(second.grants).isEmpty();
        }
    }

    @Test
    void a_token_of_another_issuer_than_the_one_named_is_none() throws Exception {
        connect();
        assertThat(session().token()).contains("access-1");
        var pinned =
                new OAuthTarget(
                        "notes",
                        fake.upstream(),
                        Grant.CODE,
                        Optional.of("https://honest.example.org"),
                        Optional::empty,
                        List.of());
        advance(Duration.ofDays(1));
        assertThat(clients.session(pinned, OWNER).token()).isEmpty();
        assertThat(fake.grants).as("nothing was refreshed there").hasSize(1);
    }

    @Test
    void a_page_of_another_server_needs_a_server_that_says_who_it_is() throws Exception {
        var document = fake.document(SERVER);
        document.put("authorization_endpoint", "http://127.0.0.1:9/authorize");
        assertThat(begin().visit().toString()).startsWith("http://127.0.0.1:9/authorize?");
        document.remove("authorization_response_iss_parameter_supported");
        clients = clients(OAuthHttp.TIME_MAX);
        assertThat(refused(this::begin).sentence()).contains("names it as issuer in the entry");
        var trusted =
                new OAuthTarget(
                        "notes",
                        fake.upstream(),
                        Grant.CODE,
                        Optional.of(fake.issuer()),
                        Optional::empty,
                        List.of());
        assertThat(clients.begin(trusted, OWNER, Caller.LOCAL).visit().toString())
                .startsWith("http://127.0.0.1:9/authorize?");
    }

    /// Where no person is asked, the entry is the limit.
    @Test
    void an_upstream_gets_no_scopes_from_a_client_that_its_entry_does_not_name() throws Exception {
        var secret = new OAuthClient("robot", new OAuthClient.Proof.Secret("s", Optional.empty()));
        var named =
                new OAuthTarget(
                        "notes",
                        fake.upstream(),
                        Grant.CLIENT_CREDENTIALS,
                        Optional.empty(),
                        () -> Optional.of(secret),
                        List.of("notes:read", "notes:write", "notes:share"));
        var session = clients.session(named, "");
        assertThat(session.refused(401, Optional.of("Bearer"), Optional.empty())).isTrue();
        assertThat(
                        refused(() ->
                                        session.refused(
                                                403,
                                                Optional.of(
                                                        "Bearer error=insufficient_scope, scope=\"admin:all\""),
                                                Optional.of("access-1")))
                                .sentence())
                .contains("admin:all");
        assertThat(fake.grants).hasSize(1);
    }

    @Test
    void a_client_is_its_own_authority_by_secret_or_signature() throws Exception {
        var secret =
                new OAuthClient("robot", new OAuthClient.Proof.Secret("s p", Optional.empty()));
        var session = clients.session(target(Optional.of(secret), Grant.CLIENT_CREDENTIALS), "");
        assertThat(session.token()).isEmpty();
        assertThat(session.refused(401, Optional.of("Bearer"), Optional.empty())).isTrue();
        assertThat(session.token()).contains("access-1");
        var sent = fake.server.requests().getLast();
        assertThat(sent.header("authorization"))
                .isEqualTo(
                        "Basic "
                                + Base64.getEncoder()
                                        .encodeToString(
                                                "robot:s+p"
                                                        .getBytes(
                                                                java.nio.charset.StandardCharsets
                                                                        .US_ASCII)));
        assertThat(fake.grants.getFirst())
                .containsEntry("grant_type", "client_credentials")
                .containsEntry("scope", "notes:read notes:write");

        var generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        var pair = generator.generateKeyPair();
        var pem =
                "-----BEGIN PRIVATE KEY-----\n"
                        + Base64.getMimeEncoder().encodeToString(pair.getPrivate().getEncoded())
                        + "\n-----END PRIVATE KEY-----\n";
        var signer = new OAuthClient("robot", new OAuthClient.Proof.PrivateKey(pem));
        var other = clients.session(target(Optional.of(signer), Grant.CLIENT_CREDENTIALS), "key:b");
        assertThat(other.refused(401, Optional.of("Bearer"), Optional.empty())).isTrue();
        var form = fake.grants.getLast();
        assertThat(form).containsEntry("client_assertion_type", ClientAssertion.TYPE);
        var parts = Objects.requireNonNull(form.get("client_assertion")).split("\\.", -1);
        var claims = Json.parse(Base64.getUrlDecoder().decode(parts[1]));
        assertThat(claims.path("aud").stringValue()).isEqualTo(fake.issuer());
        var check = Signature.getInstance("SHA256withECDSAinP1363Format");
        check.initVerify(pair.getPublic());
        check.update((parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII));
        assertThat(check.verify(Base64.getUrlDecoder().decode(parts[2]))).isTrue();
    }

    @Test
    void a_challenge_is_read_whatever_its_form() {
        assertThat(challenge("Bearer")).isEqualTo(BearerChallenge.NONE);
        assertThat(challenge("Basic realm=\"x\"")).isEqualTo(BearerChallenge.NONE);
        assertThat(challenge("Basic realm=\"a, b\", Bearer scope=\"a b\", error=invalid_token"))
                .isEqualTo(
                        new BearerChallenge(
                                Optional.empty(), List.of("a", "b"), Optional.of("invalid_token")));
        assertThat(challenge("bearer resource_metadata=\"https://a/\\\"b\", scope=\"\u0007 ok\""))
                .isEqualTo(
                        new BearerChallenge(
                                Optional.of("https://a/\"b"), List.of("ok"), Optional.empty()));
        assertThat(challenge("Bearer scope=\"" + "a".repeat(4096) + "\""))
                .isEqualTo(BearerChallenge.NONE);
    }

    private static BearerChallenge challenge(String header) {
        return BearerChallenge.of(Optional.of(header));
    }

    /// Also one that would connect the upstream for everybody.
    @Test
    void a_way_that_a_revoked_key_began_leads_nowhere() throws Exception {
        for (var owner : List.of(OWNER, OAuthClients.SHARED)) {
            var begun =
                    clients.begin(target(), owner, new Caller(OWNER, "ann", Set.of(), Set.of()));
            clients.revoked(OWNER);
            assertThat(refused(() -> clients.returned(returned(begun))).sentence())
                    .contains("Begin again");
        }
        assertThat(fake.grants).isEmpty();
    }

    @Test
    void tokens_go_with_their_upstream_and_their_key() throws Exception {
        connect();
        clients.onlyKnown(Set.of("notes", "other"));
        assertThat(session().isConnected()).isTrue();
        clients.revoked(OWNER);
        assertThat(session().isConnected()).isFalse();
        connect();
        clients.onlyKnown(Set.of("other"));
        assertThat(session().isConnected()).isFalse();
    }
}
