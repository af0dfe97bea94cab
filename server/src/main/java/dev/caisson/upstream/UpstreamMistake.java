package dev.caisson.upstream;

/// Mistake in the entry of an upstream. It never repeats the value of a header or a variable.
///
/// @param member its name, such as `limits.call`
/// @param problem what is wrong, as a clause
/// @param remedy what to do, as a sentence
public record UpstreamMistake(String member, String problem, String remedy) {
    /// How much of a wrong id is repeated.
    private static final int SHOWN_MAX = 40;

    /// The same of one upstream among others.
    UpstreamMistake of(String id) {
        var shown = id.length() > SHOWN_MAX ? id.substring(0, SHOWN_MAX) + "…" : id;
        return new UpstreamMistake(shown + ": " + member, problem, remedy);
    }

    public String sentence() {
        return member + " " + problem + ". " + remedy;
    }
}
