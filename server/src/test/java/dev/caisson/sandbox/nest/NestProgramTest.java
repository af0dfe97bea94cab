package dev.caisson.sandbox.nest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The nest as a program: small enough to be read, and compiled with what makes its mistakes hard
/// to use. The binary itself is looked at, whatever the build says.
class NestProgramTest {
    private static final Path GUESTS = Path.of("target/guests");

    /// Without blank lines and comments.
    private static final int LINES_MAX = 499;

    /// `endbr64`, at which indirect calls may arrive.
    private static final int LANDING = 0xfa1e0ff3;

    @Test
    void its_source_is_small() throws Exception {
        var counted = new ArrayList<String>();
        int lines = 0;
        try (var files = Files.newDirectoryStream(Path.of("../guests/nest"), "*.{c,h}")) {
            for (var file : files) {
                counted.add(file.getFileName().toString());
                lines += code(Files.readString(file));
            }
        }
        assertThat(counted).contains("nest.c", "hatch.h", "zygote.c");
        assertThat(lines).isBetween(300, LINES_MAX);
    }

    /// No string of the nest looks like a comment.
    private static int code(String source) {
        return (int)
                source.replaceAll("(?s)/\\*.*?\\*/", "")
                        .lines()
                        .filter(line -> !line.isBlank())
                        .count();
    }

    @Test
    void what_is_counted_is_code() {
        assertThat(code("int a; /* b */\n\n/*\n * c\n */\n  d();\n")).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nest/nest", "gate/gate"})
    void programs_have_what_makes_their_mistakes_hard_to_use(String name) throws Exception {
        var program = ElfFile.read(GUESTS.resolve(name));
        assertThat(program.isStaticAnywhere()).isTrue();
        assertThat(program.isReadOnlyWhenLinked()).isTrue();
        assertThat(program.executesNoData()).isTrue();
        assertThat(program.names("__stack_chk_fail")).isTrue();
    }

    @Test
    void the_nest_checks_the_sizes_of_what_it_writes_to() throws Exception {
        assertThat(ElfFile.read(GUESTS.resolve("nest/nest")).names("__snprintf_chk")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hatch.so", "ending.so"})
    void so_have_the_libraries_that_interpreters_load(String name) throws Exception {
        var library = ElfFile.read(GUESTS.resolve("nest").resolve(name));
        assertThat(library.isReadOnlyWhenLinked()).isTrue();
        assertThat(library.executesNoData()).isTrue();
        assertThat(library.names("__snprintf_chk")).isFalse();
    }

    @Test
    void the_librarys_stack_is_guarded_too() throws Exception {
        var library = ElfFile.read(GUESTS.resolve("nest/hatch.so"));
        assertThat(library.names("__stack_chk_fail")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nest/nest", "gate/gate"})
    void functions_are_entered_at_their_beginning_alone(String name) throws Exception {
        var program = ElfFile.read(GUESTS.resolve(name));
        assumeThat(program.isOfX86()).as("other processors mark it in other ways").isTrue();
        assertThat(program.firstBytes("main")).isEqualTo(LANDING);
    }

    /// With everything the build needs on the path but a compiler, and with one that fails.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void what_cannot_be_compiled_is_said_and_nothing_half_done_is_left(
            boolean fails, @TempDir Path directory) throws Exception {
        var path = Files.createDirectory(directory.resolve("bin"));
        for (var tool :
                List.of("sh", "mkdir", "cp", "rm", "ln", "chmod", "find", "cmp", "dirname")) {
            Files.createSymbolicLink(path.resolve(tool), Path.of("/usr/bin", tool));
        }
        if (fails) {
            Files.createSymbolicLink(path.resolve("gcc"), Path.of("/usr/bin/false"));
        }
        var out = directory.resolve("guests");
        var builder = new ProcessBuilder("sh", "../guests/build.sh", out.toString());
        builder.environment().put("PATH", path.toString());
        var building = builder.redirectErrorStream(true).start();
        var said = new String(building.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(building.waitFor()).as(said).isZero();
        assertThat(said.lines())
                .contains(
                        "no C compiler could build the gate: programs will have no UNIX sockets but"
                                + " pairs.",
                        "no C compiler could build the nest: bubblewrap will make all sandboxes.");
        assertThat(out.resolve("gate")).isEmptyDirectory();
        assertThat(out.resolve("nest")).isEmptyDirectory();
        assertThat(out.resolve("python/sitecustomize.py")).exists();
    }

    /// The checks above can fail.
    @Test
    void a_program_that_was_compiled_without_care_is_found_out(@TempDir Path directory)
            throws Exception {
        var source = directory.resolve("careless.c");
        Files.writeString(source, "int main(void) { return 0; }\n");
        var program = directory.resolve("careless");
        var command =
                List.of(
                        "cc",
                        "-no-pie",
                        "-fno-stack-protector",
                        "-fcf-protection=none",
                        "-Wl,-z,norelro,-z,lazy,-z,execstack",
                        "-o",
                        program.toString(),
                        source.toString());
        var compiling = new ProcessBuilder(command).redirectErrorStream(true).start();
        var said = new String(compiling.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(compiling.waitFor()).as(said).isZero();
        var careless = ElfFile.read(program);
        assertThat(careless.isStaticAnywhere()).isFalse();
        assertThat(careless.isReadOnlyWhenLinked()).isFalse();
        assertThat(careless.executesNoData()).isFalse();
        assertThat(careless.names("__stack_chk_fail")).isFalse();
        assertThat(careless.firstBytes("main")).isNotEqualTo(LANDING);
    }
}
