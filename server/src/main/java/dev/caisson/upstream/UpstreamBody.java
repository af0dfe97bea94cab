package dev.caisson.upstream;

import dev.caisson.broker.ToolEffect;
import dev.caisson.json.Describe;
import dev.caisson.json.Length;
import dev.caisson.json.MaxBytes;
import dev.caisson.json.OrWhole;
import dev.caisson.json.Range;
import dev.caisson.json.Sparse;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Entry of an upstream as people write it, in `upstreams.yaml` and over REST.
@Sparse
public record UpstreamBody(
        @Describe("For people; the id if absent.") @Length(min = 1, max = 100)
                Optional<String> title,
        @Describe("The address of its MCP endpoint; or command.") @Length(min = 1, max = 2048)
                Optional<String> url,
        @Describe("The program that speaks MCP on standard input and output, and its arguments.")
                @Length(min = 1, max = 64)
                @MaxBytes(UpstreamReader.ENTRY_BYTES_MAX)
                Optional<List<String>> command,
        @Describe("auto, http or sse with url; stdio with command. The usual one if absent.")
                Optional<Spoken> transport,
        @Describe("Whether what it says of the effects of its tools is believed.")
                Optional<UpstreamSettings.Trust> trust,
        @Describe("Who decides on definitions of its tools.")
                Optional<UpstreamSettings.Review> review,
        @Describe("What this server presents to it.") Optional<CredentialsBody> credentials,
        @Describe("shared, or caller: each caller has a connection of its own.")
                Optional<UpstreamSettings.Sharing> per,
        @Describe("Which of its tools are used.") Optional<FilterBody> tools,
        @Describe("Limits on it.") Optional<LimitsBody> limits,
        @Describe("What is said of single tools, by their names there.")
                @Length(max = 2000)
                @MaxBytes(UpstreamReader.ENTRY_BYTES_MAX)
                Optional<Map<String, CallBody>> calls,
        @Describe("Whether types of results are learned from calls, of tools that declare none.")
                Optional<Boolean> learn,
        @Describe(
                        "Whether forms it asks for go to the client that called; only with trust: trusted.")
                Optional<Boolean> elicit,
        @Describe("Variables of the command's environment.")
                @Length(max = 100)
                @MaxBytes(UpstreamReader.ENTRY_BYTES_MAX)
                Optional<Map<String, String>> env,
        @Describe("Directories of this machine that the command may read.")
                @Length(max = 16)
                @MaxBytes(UpstreamReader.ENTRY_BYTES_MAX)
                Optional<List<String>> show,
        @Describe("What the command may reach; nothing if absent.") Optional<NetworkBody> network,
        @Describe("Memory of the command, such as 512MiB, or in bytes.")
                @Length(max = 20)
                @Range(min = 0, max = 1L << 53)
                @OrWhole
                Optional<String> memoryBytes) {
    /// How the protocol is spoken.
    public enum Spoken {
        AUTO,
        HTTP,
        SSE,
        STDIO
    }

    /// Kinds of credentials.
    public enum Kind {
        NONE,
        HEADER,
        ENV,
        OAUTH,
        CLIENT_CREDENTIALS
    }

    @Sparse
    public record CredentialsBody(
            Kind kind,
            @Describe("Headers of every request; a value may hold ${secret:name}.")
                    @Length(max = 20)
                    @MaxBytes(UpstreamReader.ENTRY_BYTES_MAX)
                    Optional<Map<String, String>> headers,
            @Describe("Variables of the command's environment, with ${secret:name}.")
                    @Length(max = 100)
                    @MaxBytes(UpstreamReader.ENTRY_BYTES_MAX)
                    Optional<Map<String, String>> env,
            @Describe("The authorization server; the one that the upstream names if absent.")
                    @Length(min = 1, max = 2048)
                    Optional<String> issuer,
            @Describe("Of a client that was registered by hand at that issuer.")
                    @Length(min = 1, max = 2048)
                    Optional<String> clientId,
            @Describe("Of that client: ${secret:name}.") @Length(min = 1, max = 200)
                    Optional<String> clientSecret,
            @Describe("In place of a secret: ${secret:name} with a key in PEM (PKCS #8).")
                    @Length(min = 1, max = 200)
                    Optional<String> privateKey,
            @Describe("Scopes to ask for, in place of what the upstream says.")
                    @Length(max = 100)
                    @MaxBytes(UpstreamReader.ENTRY_BYTES_MAX)
                    Optional<List<String>> scopes) {}

    @Sparse
    public record FilterBody(
            @Describe("Patterns of names, such as get_*; all if absent.")
                    @Length(max = ToolFilter.PATTERNS_MAX)
                    @MaxBytes(UpstreamReader.ENTRY_BYTES_MAX)
                    Optional<List<String>> include,
            @Describe("Patterns of names that are left out.")
                    @Length(max = ToolFilter.PATTERNS_MAX)
                    @MaxBytes(UpstreamReader.ENTRY_BYTES_MAX)
                    Optional<List<String>> exclude) {}

    @Sparse
    public record LimitsBody(
            @Describe("Calls under way at once.") @Range(min = 1, max = 256)
                    Optional<Integer> concurrency,
            @Describe("How long a connection to its address may take to be made, such as 10s.")
                    @Length(max = 20)
                    Optional<String> connect,
            @Describe("Such as 20s.") @Length(max = 20) Optional<String> start,
            @Describe("Such as 60s.") @Length(max = 20) Optional<String> call,
            @Describe("Such as 30s.") @Length(max = 20) Optional<String> list,
            @Describe("How long a connection without a call is kept, such as 10m.")
                    @Length(max = 20)
                    Optional<String> idle,
            @Describe("How large an answer may be, such as 16MiB, or in bytes.")
                    @Length(max = 20)
                    @Range(min = 0, max = 1L << 53)
                    @OrWhole
                    Optional<String> resultBytes) {}

    @Sparse
    public record CallBody(
            Optional<ToolEffect> effect,
            @Describe("Such as 120s.") @Length(max = 20) Optional<String> timeout,
            @Describe("The argument by which the upstream knows a call that it had already.")
                    @Length(min = 1, max = 128)
                    Optional<String> idempotencyArgument,
            @Describe("Whether a second call with the same key changes no more.")
                    Optional<Boolean> idempotent,
            @Describe(
                            "What is done when a call was sent and not answered: a person says whether"
                                    + " it happened, or it is sent again with the same key.")
                    Optional<Reconcile> reconcile) {}

    /// What is done when nobody knows whether a call happened.
    public enum Reconcile {
        /// A person says.
        ASK,
        /// It is sent again with the same key.
        RETRY
    }

    @Sparse
    public record NetworkBody(@Length(max = 64) List<HostBody> allow) {}

    @Sparse
    public record HostBody(
            @Describe("A name, such as api.example.org, or *.example.org for all names below it.")
                    @Length(min = 1, max = 253)
                    String host,
            @Describe("443 if absent.") @Length(max = 16) Optional<List<Integer>> ports) {}
}
