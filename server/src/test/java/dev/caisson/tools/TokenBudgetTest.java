package dev.caisson.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/// What a model reads of the tools of other servers stays within its budget, however many there
/// are.
class TokenBudgetTest {
    private static final int LIST_MAX = 1_200;

    @Test
    void list_search_and_description_keep_their_budgets_at_every_size() throws Exception {
        var lists = new ArrayList<Integer>();
        for (int count : TokensBench.COUNTS) {
            var figures = TokensBench.figures(count);
            System.out.println(figures);
            assertThat(figures.tools()).isEqualTo(count);
            assertThat(figures.list()).isBetween(300, LIST_MAX);
            assertThat(figures.searchMax()).isBetween(300, ToolSearch.TOKENS_MAX);
            assertThat(figures.describeMax()).isBetween(100, ToolDescribe.TOKENS_MAX);
            assertThat(figures.describe()).isLessThan(figures.describeMax());
            assertThat(figures.task()).isLessThan(figures.upFront());
            lists.add(figures.list());
        }
        assertThat(lists).as("it names servers and counts no tools").containsOnly(lists.getFirst());
    }
}
