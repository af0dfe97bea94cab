package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.sandbox.runners.Interpreter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What a program can ask about its process is what a plain interpreter on this host answers,
/// member by member. What differs stands in `docs/guests.md`, and everything that stands there
/// differs.
@Tag("root")
@ExtendWith(Rig.Shared.class)
abstract class PlainInterpreterTest {
    private static final int MEMBERS_MIN = 40;

    private final Rig rig;

    PlainInterpreterTest(Rig rig) {
        this.rig = rig;
    }

    @ParameterizedTest
    @EnumSource(PlainProgram.class)
    void the_differences_to_a_plain_interpreter_are_those_of_the_document(
            PlainProgram program, @TempDir Path directory) throws Exception {
        var result = rig.run(program.language(), program.code());
        assertThat(result.code()).as(result.stderr()).isZero();
        var inside = program.members(result.stdout());
        var plain = program.members(program.runPlainly(interpreter(program.language()), directory));
        assertThat(inside).hasSizeGreaterThan(MEMBERS_MIN);
        var differences = differences(plain, inside);
        assertThat(differences.keySet())
                .as(
                        "%s differs in what docs/guests.md does not say, or no longer in what it says:%n%s",
                        program.title(),
                        described(differences, GuestDifferences.documented(program.title())))
                .isEqualTo(GuestDifferences.documented(program.title()));
    }

    private String interpreter(Language language) {
        var runners = rig.sandboxes().runners();
        var command = runners.boot(runners.of(language).orElseThrow()).orElseThrow().command();
        var paths = Interpreter.of(language).paths();
        return command.stream().filter(paths::contains).findFirst().orElseThrow();
    }

    private static Map<String, String> differences(
            Map<String, String> plain, Map<String, String> inside) {
        var differences = new TreeMap<String, String>();
        Stream.concat(plain.keySet().stream(), inside.keySet().stream())
                .filter(name ->
                        !plain.getOrDefault(name, "absent")
                                .equals(inside.getOrDefault(name, "absent")))
                .forEach(name ->
                        differences.put(
                                name,
                                "%n  plain:  %s%n  inside: %s"
                                        .formatted(plain.get(name), inside.get(name))));
        return differences;
    }

    private static String described(Map<String, String> differences, Set<String> documented) {
        return differences.entrySet().stream()
                .filter(each -> !documented.contains(each.getKey()))
                .map(each -> each.getKey() + ":" + each.getValue())
                .collect(Collectors.joining("\n"));
    }
}
