package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Bubblewrap and a nest put a program of every language behind the same walls: what the kernel
/// says of it is the same, but for the number of its process.
@Tag("root")
@InNests
@ExtendWith(Rig.Shared.class)
class SameWallsTest {
    private static Rig bubblewrap;

    /// Users, privileges, filters, signals. Counts of memory and switches are the program's own.
    private static final Pattern STATUS =
            Pattern.compile(
                    "(Uid|Gid|Groups|Sig(Ign|Blk|Cgt)|Cap\\w+|NoNewPrivs|Seccomp|Umask|CoreDumping"
                            + "|THP_enabled|Cpus_allowed_list):.*");

    private static final Set<String> RESTRICTIONS = Set.of("ro", "nosuid", "nodev", "noexec");

    private final Rig rig;

    SameWallsTest(Rig rig) {
        this.rig = rig;
    }

    @BeforeAll
    static void open() throws Exception {
        bubblewrap = Rig.openInBubblewrap();
    }

    @AfterAll
    static void close() throws Exception {
        bubblewrap.close();
    }

    /// Prints files of the program's own process.
    private static String show(Language language, String name) {
        return switch (language) {
            case PYTHON -> "print(open('/proc/self/%s').read())".formatted(name);
            case BASH -> "read -r -d '' text </proc/$$/%s; echo \"$text\"".formatted(name);
            case NODE, TYPESCRIPT ->
                    "console.log(process.getBuiltinModule('fs').readFileSync('/proc/self/%s','utf8'))"
                            .formatted(name);
        };
    }

    private static List<String> lines(Rig of, Language language, String name) throws Exception {
        var result = of.run(language, show(language, name));
        assertThat(result.stdout()).as(result.toString()).isNotBlank();
        return result.stdout().lines().filter(line -> !line.isBlank()).toList();
    }

    /// What holds at each place, by the mount on top there.
    private static SortedMap<String, Set<String>> restrictions(List<String> lines) {
        var found = new TreeMap<String, Set<String>>();
        for (var line : lines) {
            var words = List.of(line.split(" ", -1));
            var flags = new TreeSet<>(List.of(words.get(5).split(",", -1)));
            flags.retainAll(RESTRICTIONS);
            found.put(words.get(4), flags);
        }
        return found;
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    void a_program_has_the_same_privileges_and_signals(Language language) throws Exception {
        var all = new ArrayList<List<String>>();
        for (var each : List.of(bubblewrap, rig)) {
            all.add(
                    lines(each, language, "status").stream()
                            .filter(line -> STATUS.matcher(line).matches())
                            .toList());
        }
        assertThat(all.getFirst()).hasSizeGreaterThan(15);
        assertThat(all.getLast()).isEqualTo(all.getFirst());
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    void a_program_has_the_same_limits(Language language) throws Exception {
        for (var name : List.of("limits", "cgroup", "oom_score_adj")) {
            assertThat(lines(rig, language, name))
                    .as(name)
                    .isEqualTo(lines(bubblewrap, language, name));
        }
    }

    /// A nest may restrict more, as it does with devices, and never less.
    @ParameterizedTest
    @EnumSource(Language.class)
    void a_program_finds_the_same_mounts(Language language) throws Exception {
        var usual = restrictions(lines(bubblewrap, language, "mountinfo"));
        var nested = restrictions(lines(rig, language, "mountinfo"));
        assertThat(nested).containsOnlyKeys(usual.keySet()).hasSizeGreaterThan(20);
        usual.forEach((place, flags) -> assertThat(nested.get(place)).as(place).containsAll(flags));
    }

    /// What bubblewrap makes of its own and a nest makes by our list.
    @ParameterizedTest
    @EnumSource(Language.class)
    void a_program_finds_the_same_devices(Language language) throws Exception {
        var devices = names(bubblewrap, language);
        assertThat(devices).hasSizeGreaterThan(10);
        assertThat(names(rig, language)).isEqualTo(devices);
    }

    /// Every name below `/dev` and in `/proc/1` with its kind, rights and where it leads. Whose it
    /// is differs: bubblewrap makes it as the program's user, a nest as another.
    private static List<String> names(Rig of, Language language) throws Exception {
        var find = "find /dev /proc/1 -printf '%p %y %M %l\\n' 2>/dev/null";
        var program =
                switch (language) {
                    case PYTHON -> "import os; os.system(r\"" + find + "\")";
                    case BASH -> find;
                    case NODE, TYPESCRIPT ->
                            "console.log(process.getBuiltinModule('child_process').execSync(String.raw`"
                                    + find
                                    + "; true`).toString())";
                };
        var result = of.run(language, program);
        return result.stdout().lines().filter(line -> !line.isBlank()).sorted().toList();
    }
}
