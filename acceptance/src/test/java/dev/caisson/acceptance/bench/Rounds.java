package dev.caisson.acceptance.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Interleaved rounds: everybody runs, then everybody runs again. The best round of each counts,
/// because the others only say what else the machine was doing.
final class Rounds {
    private Rounds() {}

    /// By contestant, its best round.
    static Map<String, Sample> best(
            List<Contest> contestants, int connections, int rounds, Duration time)
            throws IOException, InterruptedException {
        Map<String, List<Sample>> all = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            for (var contestant : contestants) {
                var sample = Load.run(contestant, connections, time);
                all.computeIfAbsent(contestant.name(), _ -> new ArrayList<>()).add(sample);
            }
        }
        Map<String, Sample> best = new LinkedHashMap<>();
        all.forEach((name, samples) ->
                best.put(
                        name,
                        samples.stream()
                                .max(Comparator.comparingDouble(Sample::perSecond))
                                .orElseThrow()));
        return best;
    }
}
