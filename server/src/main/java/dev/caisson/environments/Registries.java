package dev.caisson.environments;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.egress.AllowedHosts;
import dev.caisson.egress.Destination;
import dev.caisson.sandbox.Boot;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Registries a bake fetches from: addresses on the network, which are reached through a tunnel,
/// and directories of this machine, which are shown read-only instead.
final class Registries {
    static final String PYPI = "https://pypi.org/simple";
    static final String NPM = "https://registry.npmjs.org/";

    private static final String PYPI_HOST = "pypi.org";
    private static final Destination PYPI_FILES = Destination.of("files.pythonhosted.org");
    private static final String NPM_WORD = "npm:";

    /// Where directories of packages are shown.
    private static final String PLACE = "/opt/registry/";

    /// In this form of an index the files lie beside the directory of pages.
    private static final String PAGES = "simple";

    private static final Set<String> PUBLIC =
            Set.of(PYPI_HOST, PYPI_FILES.host(), "registry.npmjs.org");

    private final List<String> indexes = new ArrayList<>();
    private final List<String> links = new ArrayList<>();
    private final Set<Destination> places = new LinkedHashSet<>();
    private final List<Boot.Shown> shown = new ArrayList<>();
    private String npm = NPM;

    private Registries() {}

    /// @param wanted as the configuration has it
    /// @param host as pip and npm of this machine have it, used when nothing is wanted
    static Registries of(List<String> wanted, HostPackaging host) {
        var all = new Registries();
        if (wanted.isEmpty()) {
            all.addIndex(host.pip().getOrDefault("index-url", PYPI));
            host.words("extra-index-url").forEach(all::addIndex);
            host.words("find-links").forEach(all::addLinks);
            all.npm = host.npmRegistry().orElse(NPM);
        } else {
            all.npm = "";
            wanted.forEach(all::add);
        }
        return all;
    }

    private void add(String word) {
        if (word.startsWith(NPM_WORD)) {
            npm = word.substring(NPM_WORD.length());
            requireHost(npm);
        } else if (word.contains("://")) {
            addIndex(word);
        } else {
            places.add(Destination.of(word));
        }
    }

    private static void requireHost(String address) {
        if (Destination.of(address(address)).isEmpty()) {
            throw new IllegalArgumentException("an address without a host");
        }
    }

    private void addIndex(String address) {
        if (address.startsWith("file:")) {
            var directory = Path.of(address(address).getPath());
            show(directory).map(place -> "file://" + place).ifPresent(indexes::add);
            return;
        }
        indexes.add(address);
        var place = Destination.of(address(address));
        place.ifPresent(places::add);
        if (place.filter(each -> each.host().equals(PYPI_HOST)).isPresent()) {
            places.add(PYPI_FILES);
        }
    }

    private void addLinks(String place) {
        if (place.startsWith("http:") || place.startsWith("https:")) {
            links.add(place);
            Destination.of(address(place)).ifPresent(places::add);
            return;
        }
        var path = place.startsWith("file:") ? address(place).getPath() : place;
        show(Path.of(path)).ifPresent(links::add);
    }

    /// @return where it is inside; empty when it is not there
    private Optional<String> show(Path directory) {
        if (!directory.isAbsolute() || !Files.isDirectory(directory)) {
            return Optional.empty();
        }
        var name = String.valueOf(directory.getFileName());
        var above =
                Optional.ofNullable(directory.getParent())
                        .filter(parent -> name.equals(PAGES) && parent.getNameCount() > 0);
        var place = PLACE + shown.size();
        shown.add(new Boot.Shown(place, above.orElse(directory)));
        return Optional.of(above.isPresent() ? place + "/" + PAGES : place);
    }

    /// It may hold a password, so it is not shown.
    private static URI address(String text) {
        try {
            return URI.create(text);
        } catch (IllegalArgumentException malformed) {
            throw new Refusal(
                    Reason.UNAVAILABLE,
                    "A registry that pip or npm of this machine is set to use is not an address.");
        }
    }

    /// Whether words of the configuration are registries.
    static boolean areReadable(List<String> words) {
        try {
            of(words, new HostPackaging(Map.of(), Optional.empty(), Optional.empty()));
            return true;
        } catch (Refusal | IllegalArgumentException malformed) {
            return false;
        }
    }

    List<Boot.Shown> shown() {
        return List.copyOf(shown);
    }

    /// Hosts that a bake with such a lock may ask.
    Set<String> hosts(Lock lock) {
        return destinations(lock).stream()
                .map(Destination::host)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Set<Destination> destinations(Lock lock) {
        return destinations(lock.python().isPresent(), lock.node().isPresent());
    }

    private Set<Destination> destinations(boolean python, boolean node) {
        var all = new LinkedHashSet<Destination>();
        if (python) {
            all.addAll(places);
        }
        if (node && !npm.isEmpty()) {
            all.addAll(places);
            Destination.of(address(npm)).ifPresent(all::add);
        }
        return all;
    }

    /// A host the operator named may be anywhere; those everybody uses are public.
    AllowedHosts allowed(Lock lock) {
        return allowed(destinations(lock));
    }

    /// The same for packages of npm; of nobody where there is no registry of theirs.
    AllowedHosts allowedOfNpm() {
        return allowed(destinations(false, true));
    }

    private static AllowedHosts allowed(Set<Destination> places) {
        var named =
                places.stream()
                        .map(Destination::host)
                        .collect(Collectors.toCollection(TreeSet::new));
        named.removeAll(PUBLIC);
        return new AllowedHosts(places, named, AllowedHosts.Terms.REGISTRIES);
    }

    /// What tells pip and npm where to look.
    Map<String, String> variables() {
        var all = new HashMap<String, String>();
        all.put(
                "PIP_INDEX_URL",
                indexes.isEmpty() ? "file:///opt/registry/none" : indexes.getFirst());
        if (indexes.size() > 1) {
            all.put("PIP_EXTRA_INDEX_URL", String.join(" ", indexes.subList(1, indexes.size())));
        }
        if (!links.isEmpty()) {
            all.put("PIP_FIND_LINKS", String.join(" ", links));
        }
        if (!npm.isEmpty()) {
            all.put("npm_config_registry", npm);
        }
        return all;
    }
}
