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

    @Test
    void the_nest_has_what_makes_its_mistakes_hard_to_use() throws Exception {
        var nest = ElfFile.read(GUESTS.resolve("nest/nest"));
        assertThat(nest.isStaticAnywhere()).isTrue();
        assertThat(nest.isReadOnlyWhenLinked()).isTrue();
        assertThat(nest.executesNoData()).isTrue();
        assertThat(nest.names("__stack_chk_fail")).isTrue();
        assertThat(nest.names("__snprintf_chk")).isTrue();
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

    @Test
    void its_functions_are_entered_at_their_beginning_alone() throws Exception {
        var nest = ElfFile.read(GUESTS.resolve("nest/nest"));
        assumeThat(nest.isOfX86()).as("other processors mark it in other ways").isTrue();
        assertThat(nest.firstBytes("main")).isEqualTo(LANDING);
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
