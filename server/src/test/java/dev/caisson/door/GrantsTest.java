package dev.caisson.door;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GrantsTest {
    @ParameterizedTest
    @CsvSource({
        "*, github.create_issue, true",
        "github.*, github.create_issue, true",
        "github.*, github.x, true",
        "github.*, git.create, false",
        "github.create_issue, github.create_issue, true",
        "github.create_issue, github.create_issues, false",
        "github.*_issue, github.create_issue, true",
        "github.*_issue, github._issue, true",
        "github.*_issue, github.issue, false",
        "g*.c*e*, github.create, true",
        "g*.c*x*, github.create, false",
        "*.list_*, sheets.list_rows, true",
        "a.aba*aba, a.ababa, false",
        "a.aba*aba, a.abaaba, true",
    })
    void patterns_stand_for_names(String pattern, String name, boolean included) {
        assertThat(Grants.of(List.of(pattern)).include(name)).isEqualTo(included);
    }
}
