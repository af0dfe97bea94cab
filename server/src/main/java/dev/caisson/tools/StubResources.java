package dev.caisson.tools;

import dev.caisson.broker.Broker;
import dev.caisson.broker.ResourceSource;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.ResourceContents;
import dev.caisson.stubs.Learned;
import dev.caisson.stubs.ToolSignature;
import dev.caisson.stubs.ToolStub;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Resource source of the tools that programs call: each module is one whose content is the stubs
/// of its functions, and each function is one by a template. Their names are
/// `caisson://tools/<module>` and `caisson://tools/<module>/<function>`, with `?format=` for
/// another language.
public final class StubResources implements ResourceSource {
    private static final String PREFIX = "caisson://tools/";
    private static final String FORMAT = "format";

    static final String MODULE = PREFIX + "{module}{?format}";
    static final String FUNCTION = PREFIX + "{module}/{function}{?format}";

    /// Of the stubs of a module, in characters; of a larger one there are the signatures.
    static final int LENGTH_MAX = 256 << 10;

    private static final Pattern URI =
            Pattern.compile(
                    Pattern.quote(PREFIX)
                            + "([A-Za-z0-9_]{1,64})(?:/([A-Za-z0-9_]{1,310}))?(?:\\?format=([a-z]{1,16}))?");

    private final Supplier<Broker> broker;
    private final Learned learned;

    /// @param broker whose tools are described
    /// @param learned of their results
    public StubResources(Supplier<Broker> broker, Learned learned) {
        this.broker = broker;
        this.learned = learned;
    }

    /// Those that its tool describes too; of none without that tool.
    private Map<String, List<ToolSpec>> modules(Caller caller) {
        var described =
                broker.get().callable(caller).stream()
                        .anyMatch(tool -> tool.name().equals(ToolDescribe.NAME));
        if (!described) {
            return Map.of();
        }
        return ToolSearch.findable(broker.get(), caller).stream()
                .collect(
                        Collectors.groupingBy(ToolSpec::server, TreeMap::new, Collectors.toList()));
    }

    @Override
    public Page list(Caller caller, Optional<String> after, int limit) {
        return Page.of(
                List.copyOf(modules(caller).keySet()), after, limit, StubResources::resource);
    }

    private static Resource resource(String module) {
        return new Resource(
                PREFIX + module,
                module,
                "Functions of " + module,
                Optional.of("Stubs of the functions that programs call as " + module + "."),
                mediaType(ToolStub.PYTHON),
                Optional.empty());
    }

    @Override
    public List<Template> templates(Caller caller) {
        return modules(caller).isEmpty()
                ? List.of()
                : List.of(
                        template(MODULE, "tool_module", "The functions of a module"),
                        template(FUNCTION, "tool_function", "A function that programs call"));
    }

    private static Template template(String uri, String name, String title) {
        return new Template(
                uri,
                name,
                title,
                Optional.of("Types and descriptions; format is python, typescript or schema."),
                mediaType(ToolStub.PYTHON));
    }

    @Override
    public Optional<List<ResourceContents>> read(Call call, String uri) {
        var named = URI.matcher(uri);
        if (!named.matches()) {
            return Optional.empty();
        }
        var format = Optional.ofNullable(named.group(3)).map(StubResources::format);
        var function = Optional.ofNullable(named.group(2));
        var tools =
                modules(call.caller()).getOrDefault(named.group(1), List.of()).stream()
                        .filter(tool -> function.map(isNameOf(tool)::test).orElse(true))
                        .toList();
        return tools.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        List.of(
                                content(
                                        uri,
                                        tools,
                                        format.orElse(ToolStub.PYTHON),
                                        function.isPresent())));
    }

    private static Predicate<String> isNameOf(ToolSpec tool) {
        return tool.effectiveOrigin().function()::equals;
    }

    private ResourceContents content(
            String uri, List<ToolSpec> tools, ToolStub format, boolean one) {
        var text =
                one
                        ? format.of(
                                tools.getFirst(), learned.of(tools.getFirst().effectiveOrigin()))
                        : format.ofModule(tools, learned);
        return text.length() <= LENGTH_MAX
                ? new ResourceContents.Text(uri, mediaType(format), text)
                : new ResourceContents.Text(uri, "text/plain", signatures(tools));
    }

    private static String signatures(List<ToolSpec> tools) {
        return tools.stream().map(ToolSignature::of).collect(Collectors.joining("\n", "", "\n"));
    }

    private static ToolStub format(String word) {
        return Arrays.stream(ToolStub.values())
                .filter(each -> word(each).equals(word))
                .findFirst()
                .orElseThrow(() ->
                        new Refusal(
                                Reason.MALFORMED,
                                "format may be python, typescript or schema.",
                                Map.of("parameter", FORMAT)));
    }

    private static String word(ToolStub format) {
        return format.name().toLowerCase(Locale.ROOT);
    }

    private static String mediaType(ToolStub format) {
        return switch (format) {
            case PYTHON -> "text/x-python";
            case TYPESCRIPT -> "text/typescript";
            case SCHEMA -> "application/json";
        };
    }

    /// Functions are those of any module, because a template says nothing of the other argument.
    @Override
    public List<String> complete(
            Caller caller, String uriTemplate, String argument, String prefix) {
        if (!uriTemplate.equals(MODULE) && !uriTemplate.equals(FUNCTION)) {
            return List.of();
        }
        var modules = modules(caller);
        var words =
                switch (argument) {
                    case "module" -> modules.keySet().stream();
                    case "function" ->
                            modules.values().stream()
                                    .flatMap(List::stream)
                                    .map(tool -> tool.effectiveOrigin().function())
                                    .distinct()
                                    .sorted();
                    case FORMAT -> Arrays.stream(ToolStub.values()).map(StubResources::word);
                    default -> Stream.<String>empty();
                };
        return words.filter(word -> word.startsWith(prefix)).toList();
    }
}
