package dev.caisson.rest.route;

import java.util.Arrays;
import java.util.List;

/// Topic of a route: the tags of the document, in the order in which readers want them. A route has
/// the topic of the first element of its path below `/v1`.
enum Topic {
    RUNS("Runs", "Run programs, now or later, and hear how they end.", "sandbox webhooks"),
    EXECUTIONS(
            "Executions", "What was run, how it ended and what it wrote.", "executions attempts"),
    SESSIONS("Sessions", "Interpreters that live between runs.", "sessions"),
    THREADS("Threads", "Workspaces that are kept from run to run.", "threads"),
    FILES("Files", "The files of threads and volumes.", "files"),
    VOLUMES("Volumes", "Storage that several threads and keys share.", "volumes"),
    ENVIRONMENTS("Environments", "Packages that programs can import.", "environments"),
    UPSTREAMS(
            "Upstreams",
            "Other MCP servers whose tools are called here, and the review of their tools.",
            "upstreams"),
    TOOLS(
            "Tools",
            "Tools of this server and of others: find, describe and call them.",
            "tools calls"),
    POLICY("Policy", "The rules that decide about calls of tools.", "policy"),
    APPROVALS("Approvals", "Calls that wait for a person.", "approvals"),
    KEYS("Keys", "Who may do what.", "keys"),
    PROFILES("Profiles", "What the sandboxes of keys get.", "profiles"),
    SECRETS("Secrets", "Values that the server keeps sealed and uses.", "secrets"),
    LEDGER("Ledger", "The record of every call, and its sums.", "ledger usage"),
    SERVER(
            "Server",
            "What this server is and how it does.",
            "openapi.json whoami runners status doctor");

    private final String word;
    private final String summary;
    private final String places;

    /// @param places the elements of paths it stands for, with spaces between
    Topic(String word, String summary, String places) {
        this.word = word;
        this.summary = summary;
        this.places = places;
    }

    String word() {
        return word;
    }

    String summary() {
        return summary;
    }

    static Topic of(PathTemplate path) {
        var place = path.text().split("/", -1)[2];
        return Arrays.stream(values())
                .filter(topic -> List.of(topic.places.split(" ", -1)).contains(place))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(path.text() + " has no topic"));
    }
}
