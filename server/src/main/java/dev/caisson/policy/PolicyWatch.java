package dev.caisson.policy;

import dev.caisson.config.RepeatedLook;
import dev.caisson.config.WatchedFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Watch over the file of rules and over what other processes store: looks once in an interval. A
/// file with a mistake leaves its last good rules in force.
public final class PolicyWatch {
    /// How often to look.
    static final Duration INTERVAL = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(PolicyWatch.class);

    private final Rules rules;
    private final WatchedFile file;

    private PolicyWatch(Rules rules, Optional<Path> file) {
        this.rules = rules;
        this.file = new WatchedFile(file);
    }

    /// @throws RuleMistakes with every mistake in the file
    public static RepeatedLook start(Rules rules, Optional<Path> file) throws RuleMistakes {
        return start(rules, file, INTERVAL);
    }

    static RepeatedLook start(Rules rules, Optional<Path> file, Duration interval)
            throws RuleMistakes {
        var watch = new PolicyWatch(rules, file);
        rules.take(watch.read());
        return RepeatedLook.start("policy", interval, watch::look);
    }

    /// Reads the file once, for a process that does not watch it.
    public static void look(Rules rules, Optional<Path> file) {
        var watch = new PolicyWatch(rules, file);
        try {
            rules.take(watch.read());
        } catch (RuleMistakes wrong) {
            rules.keepFile(wrong.each());
        }
    }

    private List<Rule> read() throws RuleMistakes {
        var path = file.path();
        return path.isPresent() ? PolicyFile.read(path.get()) : List.of();
    }

    private void look() {
        if (file.isNew()) {
            try {
                rules.take(read());
                LOG.info("the file of rules was read again");
            } catch (RuleMistakes wrong) {
                rules.keepFile(wrong.each());
                LOG.warn(
                        "the file of rules is not used until it is corrected; its last good rules stay in force: {}",
                        wrong.sentences());
            }
        }
        rules.refresh();
    }
}
