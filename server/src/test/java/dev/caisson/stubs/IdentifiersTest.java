package dev.caisson.stubs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class IdentifiersTest {
    private static Identifiers alone(String tool) {
        return of(Identifiers.assign(List.of(tool), Map.of()), tool);
    }

    private static Identifiers of(Map<String, Identifiers> all, String tool) {
        return Objects.requireNonNull(all.get(tool));
    }

    private static void named(String tool, String python, String javaScript) {
        assertThat(alone(tool)).as(tool).isEqualTo(new Identifiers(python, javaScript));
    }

    @Test
    void names_are_split_at_signs_and_between_lower_and_upper_letters() {
        named("create_issue", "create_issue", "createIssue");
        named("get-document", "get_document", "getDocument");
        named("getDocument", "get_document", "getDocument");
        named("drive.files.list", "drive_files_list", "driveFilesList");
        named("HTTPGet2Now", "httpget2now", "httpget2now");
        named("GET", "get", "get");
        named("__init__", "init", "init");
    }

    @Test
    void names_that_no_language_takes_are_changed() {
        named("", "tool", "tool");
        named("..--", "tool", "tool");
        named("\u00e9\u4e2d", "tool", "tool");
        named("2fa", "t_2fa", "t2fa");
        named("from", "from_", "from");
        named("function", "function", "function_");
        named("delete", "delete", "delete_");
        named("None", "none", "none");
        named("wrapper", "wrapper", "wrapper_");
        for (var word : List.of("arguments", "eval", "await", "default", "import", "class")) {
            named(word, word + "_", word + "_");
        }
    }

    @Test
    void tools_whose_names_meet_coexist() {
        var all = Identifiers.assign(List.of("get_doc", "get-doc", "get.doc", "getDoc"), Map.of());
        assertThat(all.get("get-doc")).isEqualTo(new Identifiers("get_doc", "getDoc"));
        var python = new HashSet<String>();
        var javaScript = new HashSet<String>();
        all.values()
                .forEach(names -> {
                    assertThat(python.add(names.python())).isTrue();
                    assertThat(javaScript.add(names.javaScript())).isTrue();
                });
        assertThat(of(all, "get_doc").python()).matches("get_doc_[0-9a-f]{4}");
        assertThat(of(all, "get_doc").javaScript()).matches("getDoc_[0-9a-f]{4}");
    }

    @Test
    void a_name_that_was_given_stays_whatever_comes_and_goes() {
        var first = Identifiers.assign(List.of("get_doc"), Map.of());
        var second = Identifiers.assign(List.of("get-doc", "get_doc"), first);
        assertThat(second.get("get_doc")).isEqualTo(first.get("get_doc"));
        assertThat(of(second, "get-doc").python()).startsWith("get_doc_");
        var third = Identifiers.assign(List.of("get-doc"), second);
        assertThat(third).isEqualTo(second);
        assertThat(of(Identifiers.assign(List.of("get.doc"), third), "get.doc").python())
                .isNotEqualTo("get_doc");
    }

    @Test
    void the_order_of_the_tools_makes_no_difference() {
        var one = Identifiers.assign(List.of("a-b", "a.b", "a_b", "aB"), Map.of());
        var other = Identifiers.assign(List.of("aB", "a_b", "a.b", "a-b"), Map.of());
        assertThat(one).isEqualTo(other);
    }

    @Test
    void the_longest_name_of_a_tool_has_its_identifiers() {
        var longest = "aB".repeat(64);
        var names = alone(longest);
        assertThat(names.python()).matches("[a-z_]{100,250}");
        assertThat(names.javaScript()).matches("[A-Za-z]{128}");
    }

    @Test
    void a_server_is_a_module() {
        assertThat(Identifiers.module("google-drive")).isEqualTo("google_drive");
        assertThat(Identifiers.module("1password")).isEqualTo("t_1password");
    }
}
