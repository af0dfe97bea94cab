package dev.caisson.rest;

import static dev.caisson.call.Scope.ADMIN;

import dev.caisson.actions.SecretActions;
import dev.caisson.identity.Vault;
import dev.caisson.identity.VaultEntry;
import dev.caisson.json.Describe;
import dev.caisson.json.Length;
import dev.caisson.json.Records;
import dev.caisson.rest.route.Reply;
import dev.caisson.rest.route.Response;
import dev.caisson.rest.route.Route;
import dev.caisson.rest.route.RouteRequest;
import dev.caisson.rest.runs.RestConversation;
import java.util.List;

/// Routes of the vault: list, set, remove. Values go in and never come out.
record SecretRoutes(SecretActions actions) {
    record SecretBody(
            @Describe("The secret itself, up to 64 KiB of UTF-8. It is never shown again.")
                    @Length(min = 1, max = Vault.VALUE_BYTES_MAX)
                    String value) {
        /// Without the value.
        @Override
        public String toString() {
            return "SecretBody[]";
        }
    }

    record StoredSecret(
            String name,
            @Describe("When its value was set last.") String updatedAt,
            @Describe(
                            "Whether the key of this server opens it; if not, set the value again or"
                                    + " give the server its former vault.key.")
                    boolean usable) {
        static StoredSecret of(VaultEntry entry) {
            return new StoredSecret(entry.name(), entry.updated().toString(), entry.usable());
        }
    }

    record SecretList(List<StoredSecret> secrets) {}

    List<Route> routes() {
        return List.of(
                Route.get("/v1/secrets")
                        .named("listSecrets", "The names of all secrets, without their values")
                        .needing(ADMIN)
                        .giving(SecretList.class)
                        .by(this::list),
                Route.put("/v1/secrets/{name}")
                        .named("setSecret", "Seal a secret, in place of the one of that name")
                        .needing(ADMIN)
                        .taking(SecretBody.class)
                        .giving(StoredSecret.class)
                        .refusing(409)
                        .by(this::put),
                Route.delete("/v1/secrets/{name}")
                        .named("removeSecret", "Remove a secret")
                        .needing(ADMIN)
                        .giving(Reply.empty(204))
                        .by(this::remove));
    }

    private Response list(RouteRequest ask) throws InterruptedException {
        var all = actions.list(RestConversation.inline(ask));
        return Response.ok(
                Records.tree(new SecretList(all.stream().map(StoredSecret::of).toList())));
    }

    private Response put(RouteRequest ask) throws InterruptedException {
        var stored =
                actions.put(
                        RestConversation.inline(ask),
                        ask.place("name"),
                        () -> ask.body(SecretBody.class).value());
        return Response.ok(Records.tree(StoredSecret.of(stored)));
    }

    private Response remove(RouteRequest ask) throws InterruptedException {
        actions.remove(RestConversation.inline(ask), ask.place("name"));
        return Response.empty(204);
    }
}
