package dev.caisson.tools;

import dev.caisson.door.Grants;
import dev.caisson.json.Json;
import dev.caisson.json.MaxBytes;
import dev.caisson.runs.Quantities;
import dev.caisson.runs.RunEnvironment;
import dev.caisson.runs.RunOffer;
import dev.caisson.sandbox.Language;
import dev.caisson.sandbox.PackageEnvironment;
import dev.caisson.sandbox.PackageNames;
import dev.caisson.sandbox.Runner;
import dev.caisson.session.SessionLimits;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/// Texts and schema limits of the run tools: exactly what is configured and really there.
final class Descriptions {
    private Descriptions() {}

    /// The languages with their versions, such as `python 3.11.2, bash 5.2`.
    static String languages(RunOffer offer) {
        var runners = offer.runners().available();
        return runners.isEmpty()
                ? "none at the moment"
                : runners.stream().map(Descriptions::language).collect(Collectors.joining(", "));
    }

    /// Images are told apart by their names.
    private static String language(Runner runner) {
        return runner.titled(runner.language().word())
                + (runner.takesEnvironments() ? "" : " (image " + runner.image() + ")");
    }

    /// What Python programs find installed without asking, and what else can be had; empty when
    /// there is nothing.
    private static String packages(RunOffer offer) {
        var runners = offer.runners();
        var usual =
                runners.of(Language.PYTHON)
                        .map(each -> runners.fitting(each, offer.usualEnvironments()));
        var names =
                usual.stream()
                        .flatMap(List::stream)
                        .flatMap(each -> PackageNames.known(each).stream())
                        .distinct()
                        .toList();
        var others =
                offer.environments().stream()
                        .map(PackageEnvironment::name)
                        .filter(name -> !offer.usualEnvironments().contains(name))
                        .toList();
        return (names.isEmpty() ? "" : " Installed: " + String.join(", ", names) + ".")
                + (others.isEmpty()
                        ? ""
                        : " With environment also: " + String.join(", ", others) + ".");
    }

    /// What the programs find beside the interpreter, and that nothing else can be fetched.
    static String installed(RunOffer offer) {
        return packages(offer).strip()
                + (packages(offer).isEmpty() ? "" : " ")
                + "No network, so nothing can be installed. ";
    }

    /// The limits of a run.
    static String limits(RunOffer offer) {
        var profile = offer.profile();
        var limits = profile.limits();
        return "Limits: %s, or up to %s with timeout; %s of memory; %s cores; %d processes; "
                        .formatted(
                                Quantities.duration(limits.wall()),
                                Quantities.duration(profile.wallMax()),
                                Quantities.bytes(limits.memoryBytes()),
                                limits.cpus(),
                                limits.processes())
                + "%s of /tmp; workspace %s. "
                        .formatted(Quantities.bytes(limits.tmpBytes()), offer.capacity());
    }

    /// How much output is answered, and where the rest is.
    static String output(RunOffer offer) {
        return "Output over %s is cut in the middle; output_read has the rest."
                .formatted(Quantities.bytes(offer.output().answerBytes()));
    }

    /// When files come with links, and for how long those work.
    static String links(RunOffer offer) {
        return "A file's url fetches it without a key for %s; there is none over stdio, and for a key that may not read files. "
                .formatted(Quantities.duration(offer.linkLife()));
    }

    static void limitTimeout(RunOffer offer, ObjectNode schema) {
        var profile = offer.profile();
        property(schema, "timeout")
                .put("maximum", profile.wallMax().toSeconds())
                .put("default", profile.limits().wall().toSeconds());
    }

    /// Bounds the limits that a call may ask for, and leaves out those of which every run has the
    /// most there is.
    static void limitWishes(RunOffer offer, ObjectNode schema) {
        var profile = offer.profile();
        var usual = profile.limits();
        var most = profile.most();
        var members = (ObjectNode) property(schema, "limits").get("properties");
        wish(members, "memory_mib", usual.memoryBytes() >> 20, most.memoryBytes() >> 20);
        wish(members, "cpus", usual.cpus(), most.cpus());
        wish(members, "processes", usual.processes(), most.processes());
        if (members.isEmpty()) {
            ((ObjectNode) schema.get("properties")).remove("limits");
        }
    }

    private static <N extends Number & Comparable<N>> void wish(
            ObjectNode members, String name, N usual, N most) {
        if (most.compareTo(usual) <= 0) {
            members.remove(name);
            return;
        }
        var member = (ObjectNode) members.get(name);
        member.set("maximum", Json.parse(most.toString()));
        member.set("default", Json.parse(usual.toString()));
    }

    /// How variables are kept, where they can be.
    static String sessions(SessionLimits limits) {
        return limits.total() > 0
                ? "Add session: true to keep variables, imports and background processes too, until"
                        + " %s pass without a call. ".formatted(Quantities.duration(limits.idle()))
                : "";
    }

    /// Narrows the choice of a language to those that are there.
    static void narrowLanguages(RunOffer offer, ObjectNode schema) {
        var runners = offer.runners().available();
        if (runners.isEmpty()) {
            return;
        }
        var words = Json.array();
        runners.stream().map(Runner::language).distinct().map(Language::word).forEach(words::add);
        property(schema, "language").set("enum", words);
    }

    /// Bounds a member that sets environment variables.
    static void variables(RunOffer offer, ObjectNode schema, String name) {
        property(schema, name)
                .put(MaxBytes.KEYWORD, offer.profile().envBytesMax())
                .putObject("propertyNames")
                .put("pattern", RunEnvironment.NAME_PATTERN)
                .put("description", RunEnvironment.NAME_RULE);
    }

    /// Patterns of tools a program may call.
    static void patterns(ObjectNode schema) {
        var items = (ObjectNode) property(schema, "tools").get("items");
        items.put("minLength", 1).put("maxLength", Grants.LENGTH_MAX);
    }

    static ObjectNode property(ObjectNode schema, String name) {
        return (ObjectNode) schema.get("properties").get(name);
    }
}
