package dev.caisson.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.RecordCopy;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TlsTest {
    private static final char[] PASSWORD = "changeit".toCharArray();

    /// A key takes a program of its own to make, so each is made once, all at the same time.
    private static final Map<String, HttpTls> KEYS = new ConcurrentHashMap<>();

    @TempDir private static Path directory;

    @BeforeAll
    static void makeKeys() throws Exception {
        try (var makers = Executors.newVirtualThreadPerTaskExecutor()) {
            var made =
                    makers.invokeAll(
                            List.of(
                                    () -> KEYS.put("RSA", generate("RSA", "-keysize", "2048")),
                                    () -> KEYS.put("EC", generate("EC")),
                                    () -> KEYS.put("Ed25519", generate("Ed25519"))));
            for (var one : made) {
                one.get();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC", "Ed25519"})
    void a_client_that_trusts_the_certificate_is_served(String kind) throws Exception {
        var tls = keys(kind);
        try (var site = new Site(RecordCopy.with(HttpSettings.loopback(0), "tls", tls));
                var client = HttpClient.newBuilder().sslContext(trusting(tls)).build()) {
            assertThat(site.listener.address().getScheme()).isEqualTo("https");
            var request =
                    HttpRequest.newBuilder(site.listener.address().resolve("/echo"))
                            .POST(HttpRequest.BodyPublishers.ofString("secret"))
                            .build();
            assertThat(client.send(request, BodyHandlers.ofString()).body()).isEqualTo("secret");
        }
    }

    @Test
    void files_that_are_not_what_they_should_be_are_named() throws Exception {
        var tls = keys("EC");
        var swapped =
                RecordCopy.with(
                        HttpSettings.loopback(0),
                        "tls",
                        new HttpTls(tls.certificates(), tls.certificates()));
        assertThatThrownBy(() -> new Site(swapped).close())
                .hasMessageContaining(tls.certificates().orElseThrow().toString());
        var missing = directory.resolve("missing.pem");
        var absent =
                RecordCopy.with(
                        HttpSettings.loopback(0),
                        "tls",
                        new HttpTls(Optional.of(missing), tls.privateKey()));
        assertThatThrownBy(() -> new Site(absent).close()).hasMessageContaining("missing.pem");
    }

    private static HttpTls keys(String kind) {
        return Objects.requireNonNull(KEYS.get(kind));
    }

    private static HttpTls generate(String kind, String... options) throws Exception {
        var store = directory.resolve(kind + ".p12");
        var keytool =
                new ProcessBuilder(keytool(kind, store, options)).redirectErrorStream(true).start();
        var said = new String(keytool.getInputStream().readAllBytes(), UTF_8);
        assertThat(keytool.waitFor()).as(said).isZero();
        var keys = KeyStore.getInstance(store.toFile(), PASSWORD);
        return new HttpTls(
                pem(kind + ".cert", "CERTIFICATE", keys.getCertificate("server").getEncoded()),
                pem(kind + ".key", "PRIVATE KEY", keys.getKey("server", PASSWORD).getEncoded()));
    }

    private static List<String> keytool(String kind, Path store, String... options) {
        var command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin/keytool").toString(),
                                "-J-XX:TieredStopAtLevel=1",
                                "-J-XX:+UseSerialGC",
                                "-genkeypair",
                                "-keystore",
                                store.toString(),
                                "-storepass",
                                new String(PASSWORD),
                                "-alias",
                                "server",
                                "-keyalg",
                                kind,
                                "-dname",
                                "CN=localhost",
                                "-ext",
                                "san=dns:localhost,ip:127.0.0.1"));
        command.addAll(List.of(options));
        return command;
    }

    private static Path pem(String file, String what, byte[] bytes) throws Exception {
        var text =
                "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                        .formatted(what, Base64.getMimeEncoder().encodeToString(bytes), what);
        return Files.writeString(directory.resolve(file), text);
    }

    private static SSLContext trusting(HttpTls tls) throws Exception {
        var trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        try (var in = Files.newInputStream(tls.certificates().orElseThrow())) {
            trusted.setCertificateEntry(
                    "server", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        var context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
