package dev.caisson.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Caller;
import dev.caisson.call.ClientFeature;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.mcp.server.ClientCapabilities;
import dev.caisson.mcp.server.LegacyCodec;
import dev.caisson.mcp.server.Method;
import dev.caisson.mcp.server.ModernCodec;
import dev.caisson.mcp.server.ProgressLimiter;
import dev.caisson.mcp.server.ToolsetFilter;
import dev.caisson.rpc.LineReader;
import dev.caisson.rpc.Params;
import dev.caisson.rpc.ProtocolError;
import dev.caisson.rpc.Revision;
import dev.caisson.rpc.RpcError;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class SmallPartsTest {
    private static final ModernCodec MODERN =
            new ModernCodec(new ServerInfo("s", "S", "1", "Use it."));

    @Test
    void every_reason_has_a_code_in_both_eras() {
        var legacy = new LegacyCodec(Revision.R2025_11_25);
        int seen = 0;
        for (var reason : Reason.values()) {
            var refusal = new Refusal(reason, "no", Map.of("feature", "SAMPLING"));
            for (var code :
                    new int[] {MODERN.error(refusal).code(), legacy.error(refusal).code()}) {
                assertThat(reserved(code)).isFalse();
            }
            seen++;
        }
        assertThat(seen).isEqualTo(23);
    }

    /// The range of the specification, without the codes it has given a meaning.
    private static boolean reserved(int code) {
        return code >= -32099
                && code <= -32000
                && code != RpcError.MISSING_CAPABILITY
                && code != RpcError.RESOURCE_NOT_FOUND;
    }

    @Test
    void a_missing_resource_differs_by_era() {
        var refusal = new Refusal(Reason.UNKNOWN_RESOURCE, "no", Map.of("uri", "x:y"));
        assertThat(MODERN.error(refusal).code()).isEqualTo(RpcError.INVALID_PARAMS);
        assertThat(new LegacyCodec(Revision.R2025_06_18).error(refusal).code())
                .isEqualTo(RpcError.RESOURCE_NOT_FOUND);
        assertThat(MODERN.error(refusal).data().orElseThrow().path("uri").stringValue())
                .isEqualTo("x:y");
    }

    @Test
    void progress_goes_up_and_is_not_a_flood() {
        var meter = new ProgressLimiter();
        assertThat(meter.admits(1)).isTrue();
        assertThat(meter.admits(1)).isFalse();
        assertThat(meter.admits(0.5)).isFalse();
        assertThat(meter.admits(Double.NaN)).isFalse();
        int admitted = 0;
        for (int n = 2; n < 1000; n++) {
            admitted += meter.admits(n) ? 1 : 0;
        }
        assertThat(admitted).isBetween(ProgressLimiter.BURST - 1, 500);
    }

    @Test
    void a_line_too_long_is_refused_and_the_next_is_read() throws Exception {
        var input = "12345\n123456\n\n  \n1234\nlast";
        var lines = new LineReader(new ByteArrayInputStream(input.getBytes(UTF_8)), 5);
        assertThat(text(lines)).isEqualTo("12345");
        assertThat(lines.next()).contains(new LineReader.TooLong(5));
        assertThat(text(lines)).isEqualTo("1234");
        assertThat(text(lines)).isEqualTo("last");
        assertThat(lines.next()).isEmpty();
    }

    @Test
    void a_line_without_an_end_is_cut_off() throws Exception {
        var endless =
                new InputStream() {
                    long given;

                    @Override
                    public int read() {
                        given++;
                        return 'x';
                    }

                    @Override
                    public int read(byte[] into, int offset, int length) {
                        given += length;
                        Arrays.fill(into, offset, offset + length, (byte) 'x');
                        return length;
                    }
                };
        var lines = LineReader.cutting(endless, 5);
        assertThat(lines.next()).contains(new LineReader.TooLong(5));
        assertThat(endless.given).isLessThan(1 << 20);
    }

    private static String text(LineReader lines) throws Exception {
        return lines.next()
                .map(line -> new String(((LineReader.Whole) line).bytes(), UTF_8))
                .orElse("");
    }

    @Test
    void a_url_narrows_toolsets_and_never_widens_them() {
        var all = new Caller("a", "a", Set.of(), Set.of());
        var core = new Caller("a", "a", Set.of(), Set.of("core"));
        assertThat(ToolsetFilter.narrowed(all, "core, files").toolsets())
                .containsExactlyInAnyOrder("core", "files");
        assertThat(ToolsetFilter.narrowed(core, "core,files").toolsets()).containsExactly("core");
        var nothing = ToolsetFilter.narrowed(core, "files");
        assertThat(nothing.sees("core")).isFalse();
        assertThat(nothing.sees("files")).isFalse();
    }

    @Test
    void an_empty_elicitation_means_forms() {
        assertThat(features("{\"elicitation\":{}}")).containsExactly(ClientFeature.ELICITATION);
        assertThat(features("{\"elicitation\":{\"url\":{}}}"))
                .containsExactly(ClientFeature.ELICITATION_URL);
        assertThat(
                        features(
                                "{\"elicitation\":{\"form\":{},\"url\":{}},\"roots\":{},\"sampling\":{}}"))
                .hasSize(4);
        assertThatThrownBy(() -> features("{\"sampling\":true}"))
                .hasMessageContaining("params.sampling must be an object");
    }

    private static Set<ClientFeature> features(String json) {
        return ClientCapabilities.read(Params.of((ObjectNode) Json.parse(json)));
    }

    @Test
    void every_method_belongs_to_an_era() {
        int both = 0;
        int seen = 0;
        for (var method : Method.values()) {
            var modern = known(method, Revision.R2026_07_28);
            var legacy = known(method, Revision.R2025_11_25);
            assertThat(modern || legacy).isTrue();
            both += modern && legacy ? 1 : 0;
            seen++;
        }
        assertThat(seen).isEqualTo(18);
        assertThat(both).isEqualTo(8);
    }

    private static boolean known(Method method, Revision revision) {
        try {
            return Method.of(method.word(), revision) == method;
        } catch (ProtocolError e) {
            return false;
        }
    }

    @Test
    void an_unknown_version_is_answered_with_our_newest_legacy_one() {
        assertThat(Revision.negotiated("2025-03-26")).isEqualTo(Revision.R2025_03_26);
        assertThat(Revision.negotiated("1999-01-01")).isEqualTo(Revision.R2025_11_25);
        assertThat(Revision.negotiated("2026-07-28")).isEqualTo(Revision.R2025_11_25);
    }
}
