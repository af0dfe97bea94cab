package dev.caisson.rpc;

/// Members of `_meta` that the protocol itself names.
public final class MetaMember {
    private static final String PREFIX = "io.modelcontextprotocol/";
    public static final String VERSION = PREFIX + "protocolVersion";
    public static final String CAPABILITIES = PREFIX + "clientCapabilities";
    public static final String CLIENT_INFO = PREFIX + "clientInfo";
    public static final String LOG_LEVEL = PREFIX + "logLevel";
    public static final String SERVER_INFO = PREFIX + "serverInfo";
    public static final String SUBSCRIPTION = PREFIX + "subscriptionId";
    public static final String PROGRESS = "progressToken";
    public static final String TRACE = "traceparent";

    private MetaMember() {}
}
