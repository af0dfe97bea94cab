package dev.caisson.tools;

import dev.caisson.broker.Broker;
import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolSpec;
import dev.caisson.broker.ToolSpec.Hints;
import dev.caisson.broker.TypedTool;
import dev.caisson.broker.TypedTool.Answer;
import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.Toolset;
import dev.caisson.json.DefaultsTo;
import dev.caisson.json.Describe;
import dev.caisson.json.Json;
import dev.caisson.json.Length;
import dev.caisson.json.Range;
import dev.caisson.json.Records;
import dev.caisson.stubs.Identifiers;
import dev.caisson.stubs.Tokens;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Tool that finds tools, our own and those of other servers, by the words of their purpose.
public final class ToolSearch {
    static final String NAME = "tool_search";

    /// An answer has no more, so that a model can search once per step.
    static final int TOKENS_MAX = 1_000;

    /// For what stands around the tools.
    private static final int TOKENS_AROUND = 40;

    static final int QUERY_LENGTH_MAX = 500;
    static final int LIMIT_MAX = 50;
    static final int SERVER_LENGTH_MAX = 42;

    private final Supplier<Broker> broker;
    private volatile Known known = new Known(List.of(), new ToolRanking(List.of()));

    private ToolSearch(Supplier<Broker> broker) {
        this.broker = broker;
    }

    /// The ranking of the tools of the caller who asked last; callers mostly see the same.
    private record Known(List<ToolSpec> tools, ToolRanking ranking) {}

    /// How much is said of a tool.
    enum Detail {
        NAME("name"),
        NAME_AND_DESCRIPTION("name+description"),
        SIGNATURE("signature");

        private final String word;

        Detail(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    record Input(
            @Describe("What the tool shall do, in a few words.")
                    @Length(min = 1, max = QUERY_LENGTH_MAX)
                    String query,
            @Describe("Of which alone tools are wanted.") @Length(min = 1, max = SERVER_LENGTH_MAX)
                    Optional<String> server,
            Optional<Detail> detail,
            @Range(min = 1, max = LIMIT_MAX) @DefaultsTo("8") int limit) {}

    /// @param tools the best first
    /// @param total how many have a word of the query
    /// @param more whether there are some that are not shown
    record Output(List<FoundTool> tools, int total, boolean more) {}

    /// @param broker whose tools are found
    public static Tool tool(Supplier<Broker> broker) {
        return TypedTool.of(
                ToolSpec.named(
                                NAME,
                                "Find tools",
                                "Finds functions of this server and of others by what they do. Search"
                                        + " once per step of a task, in the words of the step.")
                        .hinted(Hints.READS)
                        .in(Toolset.CODE)
                        .namingServers(),
                Input.class,
                Output.class,
                new ToolSearch(broker)::search);
    }

    private Answer<Output> search(Call call, Input input) {
        var ranked =
                ranking(call.caller())
                        .search(input.query(), input.server().map(Identifiers::module));
        var detail = input.detail().orElse(Detail.SIGNATURE);
        var shown = new ArrayList<FoundTool>();
        int tokens = TOKENS_AROUND;
        for (var spec : ranked) {
            if (shown.size() == input.limit()) {
                break;
            }
            var found =
                    FoundTool.of(
                            spec,
                            detail,
                            broker.get().outlook(call.caller(), spec),
                            broker.get().trouble(call.caller(), spec));
            tokens += Tokens.count(Json.text(Records.tree(found))) + 1;
            if (tokens > TOKENS_MAX) {
                break;
            }
            shown.add(found);
        }
        return Answer.of(new Output(shown, ranked.size(), ranked.size() > shown.size()));
    }

    private ToolRanking ranking(Caller caller) {
        var tools = findable(broker.get(), caller);
        var last = known;
        if (!last.tools().equals(tools)) {
            last = new Known(tools, new ToolRanking(tools));
            known = last;
        }
        return last.ranking();
    }

    /// All tools but those that find and call others.
    static List<ToolSpec> findable(Broker broker, Caller caller) {
        return broker.callable(caller).stream()
                .filter(tool -> !tool.toolset().equals(Toolset.CODE.word()))
                .toList();
    }
}
