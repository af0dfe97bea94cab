package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.identity.NewKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Every command in `docs/rest.md` is pasted into a shell, and prints what the document says.
@Timeout(300)
class RestDocumentTest extends ProductTestCase {
    private static final Pattern FENCED =
            Pattern.compile(
                    "^```bash\\n(?<code>.*?)^```\\n\\n```text\\n(?<said>.*?)^```$",
                    Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern SETUP = Pattern.compile("^api\\(\\) \\{.*}$", Pattern.MULTILINE);
    private static final String ADMIN = "# With the key of an administrator.";

    private final String document = read();

    private static String read() {
        try {
            return Repository.text("docs/rest.md");
        } catch (Exception failure) {
            throw new AssertionError(failure);
        }
    }

    @Test
    void every_section_has_a_command() {
        var sections = document.split("(?m)^## ", -1);
        assertThat(sections).hasSizeGreaterThan(12);
        for (var section : sections) {
            assertThat(section).containsPattern(FENCED);
        }
    }

    @Test
    void every_command_prints_what_the_document_says() throws Exception {
        var setup = SETUP.matcher(document);
        assertThat(setup.find()).isTrue();
        NewKey client = product.server.makeClientKey();
        var differences = new ArrayList<String>();
        var seen = 0;
        var commands = FENCED.matcher(document);
        while (commands.find()) {
            var code = commands.group("code");
            var key = code.startsWith(ADMIN) ? product.key : client.secret();
            var said = pasted(setup.group() + "\n" + code, key);
            if (!said.equals(commands.group("said"))) {
                differences.add(code + "printed:\n" + said);
            }
            seen++;
        }
        assertThat(differences).isEmpty();
        assertThat(seen).isGreaterThan(12);
    }

    private String pasted(String script, String key) throws Exception {
        var builder = new ProcessBuilder(List.of("bash", "-c", script));
        builder.environment()
                .putAll(
                        Map.of(
                                "CAISSON_URL",
                                product.server.address().toString(),
                                "CAISSON_KEY",
                                key,
                                "LC_ALL",
                                "C.UTF-8"));
        var process = builder.redirectErrorStream(true).start();
        process.getOutputStream().close();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(script).isTrue();
        return said;
    }
}
