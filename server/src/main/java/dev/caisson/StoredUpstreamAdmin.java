package dev.caisson;

import dev.caisson.actions.SecretActions;
import dev.caisson.actions.UpstreamActions;
import dev.caisson.broker.ToolEffect;
import dev.caisson.call.KeyedDigest;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.cli.CommandFailed;
import dev.caisson.cli.DataUse;
import dev.caisson.cli.UpstreamAdmin;
import dev.caisson.environments.NpmPackage;
import dev.caisson.identity.SecretFile;
import dev.caisson.identity.Vault;
import dev.caisson.json.Json;
import dev.caisson.oauth.OAuthTarget;
import dev.caisson.store.Store;
import dev.caisson.upstream.Credentials;
import dev.caisson.upstream.EnteredEntry;
import dev.caisson.upstream.McpServersFile;
import dev.caisson.upstream.Peer;
import dev.caisson.upstream.ReviewedTool;
import dev.caisson.upstream.StoredUpstreams;
import dev.caisson.upstream.UpstreamMistakes;
import dev.caisson.upstream.UpstreamView;
import dev.caisson.upstream.Verdict;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.node.ObjectNode;

/// Administration of upstreams in the database for the command line. A server beside it connects to
/// them, lists their tools and sees every change.
final class StoredUpstreamAdmin implements UpstreamAdmin {
    private static final int FILE_BYTES_MAX = 1 << 20;

    private final Store store;
    private final UpstreamActions actions;
    private final SecretActions secrets;
    private final String base;
    private final Path directory;
    private final Path packages;

    StoredUpstreamAdmin(Config config, Clock clock) {
        StoredKeyAdmin.createDirectory(config.data());
        base =
                StartBanner.base(
                        config.http(),
                        URI.create(
                                "http://%s:%d"
                                        .formatted(config.http().host(), config.http().port())));
        directory = config.data().directory();
        packages = StoredPackageInstaller.directory(config);
        var secret = SecretFile.read(Core.secret(config.data()));
        store = Database.open(config.data());
        var broker = StoredKeyAdmin.broker(config, store, new KeyedDigest(secret), clock);
        actions =
                new UpstreamActions(
                        broker,
                        new StoredUpstreams(
                                store,
                                clock,
                                UpstreamServices::names,
                                () -> store.isServed(directory)),
                        true);
        secrets =
                new SecretActions(broker, new Vault(store, clock, config.vault().sealing(secret)));
    }

    @Override
    public List<Upstream> list() {
        return actions.upstreams().list().stream().map(StoredUpstreamAdmin::shown).toList();
    }

    @Override
    public Upstream add(String id, ObjectNode entry, boolean approve) {
        return shown(
                StoredKeyAdmin.uninterrupted(
                        () -> actions.add(StoredKeyAdmin.call(), id, entry, approve)));
    }

    @Override
    public void check(Entry entry, String npm, boolean there) throws CommandFailed {
        NpmPackage.of(npm);
        EnteredEntry.read(entry.id(), entry.text(), true);
        var found =
                actions.upstreams().list().stream()
                        .filter(one -> one.settings().id().equals(entry.id()))
                        .findFirst();
        if (there && found.isEmpty()) {
            throw new CommandFailed(
                    "There is no upstream %s to replace. Leave out --replace."
                            .formatted(entry.id()));
        }
        if (!there && found.isPresent()) {
            throw new CommandFailed(
                    "There is an upstream %s already. Use --replace, remove it, or choose another id."
                            .formatted(entry.id()));
        }
    }

    @Override
    public Upstream change(Entry entry, boolean approve) {
        var whole = actions.upstreams().find(entry.id()).stored().given().deepCopy();
        whole.remove(List.of("url", "transport"));
        entry.text().propertyStream().forEach(each -> whole.set(each.getKey(), each.getValue()));
        return shown(
                StoredKeyAdmin.uninterrupted(
                        () -> actions.put(StoredKeyAdmin.call(), entry.id(), whole, approve)));
    }

    @Override
    public Path packages() {
        return packages;
    }

    @Override
    public void remove(String id) {
        StoredKeyAdmin.uninterrupted(() -> {
            actions.remove(StoredKeyAdmin.call(), id);
            return id;
        });
    }

    @Override
    public Upstream refresh(String id) {
        return shown(
                StoredKeyAdmin.uninterrupted(() -> actions.refresh(StoredKeyAdmin.call(), id)));
    }

    @Override
    public Upstream restart(String id) {
        return shown(
                StoredKeyAdmin.uninterrupted(() -> actions.restart(StoredKeyAdmin.call(), id)));
    }

    @Override
    public String connectPage(String id) throws CommandFailed {
        var credentials = actions.upstreams().find(id).settings().credentials();
        if (credentials instanceof Credentials.OAuth oauth
                && oauth.grant() == OAuthTarget.Grant.CODE) {
            return OAuthWiring.connectPage(base, id);
        }
        throw new CommandFailed(
                "Nobody has to connect " + id + ": its credentials are not of kind oauth.");
    }

    private static Upstream shown(UpstreamView view) {
        var tools = new TreeMap<String, Integer>();
        view.tools().forEach((state, count) -> tools.put(state.word(), count));
        return new Upstream(
                view.settings().id(),
                view.settings().title(),
                view.stored().origin().word(),
                view.settings().peer() instanceof Peer.Command ? "command" : "url",
                view.state(),
                view.trouble(),
                view.remedy(),
                tools);
    }

    @Override
    public List<Tool> tools(String id) {
        var settings = actions.upstreams().find(id).settings();
        return actions.upstreams().toolsOf(id).stream()
                .map(tool ->
                        new Tool(
                                tool.name(),
                                tool.state().word(),
                                tool.reason(),
                                tool.effectBy(settings).word(),
                                tool.description(),
                                tool.hash(),
                                Json.parse(tool.definition()),
                                tool.approval()
                                        .filter(one -> !one.hash().equals(tool.hash()))
                                        .map(ReviewedTool.Approval::definition)
                                        .map(Json::parse)))
                .toList();
    }

    @Override
    public void review(
            String id, boolean approve, Map<String, String> hashes, Optional<String> effect) {
        var choice = approve ? Verdict.Choice.APPROVE : Verdict.Choice.REFUSE;
        var said = effect.map(StoredUpstreamAdmin::effect);
        var verdicts = new LinkedHashMap<String, Verdict>();
        hashes.forEach(
                (name, hash) -> verdicts.put(name, new Verdict(choice, Optional.of(hash), said)));
        StoredKeyAdmin.uninterrupted(() -> actions.review(StoredKeyAdmin.call(), id, verdicts));
    }

    private static ToolEffect effect(String word) {
        return ToolEffect.of(word)
                .orElseThrow(() ->
                        new Refusal(
                                Reason.INVALID_ARGUMENT,
                                "The effect may be read, write, destroy or unknown."));
    }

    @Override
    public List<Found> read(Path file) throws CommandFailed {
        try {
            if (Files.size(file) > FILE_BYTES_MAX) {
                throw new CommandFailed(file + " is larger than " + FILE_BYTES_MAX + " bytes.");
            }
            return McpServersFile.parse(Files.readString(file)).stream()
                    .map(each -> new Found(each.name(), each.id(), each.entry(), each.secrets()))
                    .toList();
        } catch (IOException _) {
            throw new CommandFailed("Cannot read " + file + ".");
        } catch (UpstreamMistakes wrong) {
            throw new CommandFailed(wrong.sentences());
        }
    }

    @Override
    public void keep(Map<String, String> values) {
        new TreeMap<>(values)
                .forEach((name, value) ->
                        StoredKeyAdmin.uninterrupted(
                                () -> secrets.put(StoredKeyAdmin.call(), name, () -> value)));
    }

    @Override
    public DataUse dataUse() {
        return new DataUse(directory, store.isServed(directory));
    }

    @Override
    public void close() {
        store.close();
    }
}
