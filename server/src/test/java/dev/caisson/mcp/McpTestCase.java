package dev.caisson.mcp;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// Base of tests with a protocol server of their own, and two callers.
public abstract class McpTestCase {
    protected TestServer server;
    protected TestClient alice;
    protected TestClient bob;

    @BeforeEach
    protected final void openServer() throws Exception {
        server = new TestServer();
        alice = new TestClient(server, "alice");
        bob = new TestClient(server, "bob");
    }

    @AfterEach
    protected final void closeServer() {
        server.close();
        alice.close();
        bob.close();
    }
}
