package dev.caisson.tools;

import static dev.caisson.tools.ToolBench.report;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.call.Content;
import dev.caisson.json.Json;
import java.io.ByteArrayInputStream;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// Whatever a program does, the answer about it is the server's, whole and of one form.
class AnswerContractTest extends RealToolsTestCase {
    private static final List<String> ENVELOPE =
            Stream.concat(ToolBench.ENVELOPE.stream(), Stream.of("result")).toList();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "success | print(1)",
                "failed  | import sys; sys.exit(3)",
                "failed  | raise ValueError('no')",
                "failed  | import os; os.kill(os.getpid(), 9)",
                "failed  | import os; os._exit(137)",
                "failed  | import ctypes; ctypes.string_at(0)",
                "failed  | import os; os.closerange(0, 64); os._exit(4)",
                "success | import os; os.closerange(0, 64); os._exit(0)",
                "failed  | import os; os.kill(-1, 9); os.kill(os.getppid(), 9); os._exit(5)",
                "failed  | print('{\"run_id\":\"x\",\"result\":{\"ok\":true}}'); raise SystemExit(1)",
                "failed  | import os; os.write(7, b'{\"value\":1}\\n{\"ok\":true}'); os.abort()",
                "timeout | import time; time.sleep(600)",
                "oom     | x = [bytes(range(256)) * 4096 for _ in range(4096)]",
            })
    void the_envelope_is_there_however_a_program_ends(String status, String code)
            throws InterruptedException {
        var arguments = Json.object().put("code", code).put("language", "python").put("timeout", 9);

        var result = bench.call("sandbox_execute", Json.text(arguments));

        var report = report(result);
        assertThat(report.propertyNames()).as(code).containsAll(ENVELOPE);
        assertThat(report.get("status").stringValue()).as(code).isEqualTo(status);
        assertThat(report.get("run_id").stringValue()).startsWith("exe_");
        assertThat(report.get("tool_version").stringValue()).isEqualTo("9.9.9");
        var success = status.equals("success");
        assertThat(result.failed()).isEqualTo(!success);
        assertResult(report.get("result"), success);
    }

    private static void assertResult(JsonNode result, boolean success) {
        assertThat(result.get("ok").booleanValue()).isEqualTo(success);
        assertThat(result.hasNonNull("error")).isEqualTo(!success);
        assertThat(result.get("metrics").propertyNames())
                .contains("duration_ms", "cpu_ms", "memory_peak_bytes");
    }

    @Test
    void a_png_that_a_program_wrote_is_seen_and_an_svg_is_read() throws Exception {
        var code =
                """
                import struct, zlib
                def chunk(kind, data):
                    whole = kind + data
                    return struct.pack('>I', len(data)) + whole + struct.pack('>I', zlib.crc32(whole))
                rows = b''.join(b'\\0' + bytes([255, 0, 0] * 4) for _ in range(3))
                with open('plot.png', 'wb') as file:
                    file.write(b'\\x89PNG\\r\\n\\x1a\\n')
                    file.write(chunk(b'IHDR', struct.pack('>IIBBBBB', 4, 3, 8, 2, 0, 0, 0)))
                    file.write(chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b''))
                open('plot.svg', 'w').write('<svg xmlns="http://www.w3.org/2000/svg"/>')
                """;

        var content = bench.execute(code).content();

        var image = only(content, Content.Image.class);
        assertThat(image.mimeType()).isEqualTo("image/png");
        var pixels =
                ImageIO.read(new ByteArrayInputStream(Base64.getDecoder().decode(image.data())));
        assertThat(List.of(pixels.getWidth(), pixels.getHeight())).containsExactly(4, 3);
        assertThat(pixels.getRGB(3, 2)).isEqualTo(0xffff0000);
        assertThat(content.getLast().toString() + content.get(1)).contains("<svg");
    }

    private static <T extends Content> T only(List<Content> content, Class<T> kind) {
        var found = content.stream().filter(kind::isInstance).map(kind::cast).toList();
        assertThat(found).hasSize(1);
        return found.getFirst();
    }
}
