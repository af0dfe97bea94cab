package dev.caisson.redact;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Secrets that are known by their shape: the tokens of well-known services.
///
/// Every quantifier is possessive or has an upper bound, and nothing is repeated that could be
/// split in two ways, so the time is linear in the length of the text whatever the text is. A shape
/// is tried only where its mark stands, which a plain search finds: most text has none.
final class TokenShapes {
    /// @param mark what every secret of this shape has
    /// @param before how far before its mark one may begin
    private record Shape(String name, String mark, int before, Pattern pattern) {
        static Shape of(String name, String mark, String pattern) {
            return new Shape(name, mark, 0, Pattern.compile(pattern));
        }

        void find(String text, List<SecretSpan> hits) {
            var matcher = pattern.matcher(text).useTransparentBounds(true);
            var from = 0;
            for (var at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
                if (at >= from && matches(matcher, Math.max(from, at - before), at)) {
                    hits.add(new SecretSpan(matcher.start(), matcher.end(), name));
                    from = matcher.end();
                }
            }
        }

        /// Whether one begins at one of these places.
        private static boolean matches(Matcher matcher, int first, int last) {
            for (var start = first; start <= last; start++) {
                if (matcher.region(start, matcher.regionEnd()).lookingAt()) {
                    return true;
                }
            }
            return false;
        }
    }

    private static final String GITHUB_OAUTH = "github-oauth";
    private static final int SCHEME_LENGTH_MAX = 21;

    /// More particular shapes come first: what one of them took, a later one does not take again.
    private static final List<Shape> SHAPES =
            List.of(
                    Shape.of("aws-access-key", "AKIA", "\\bAKIA[0-9A-Z]{16}\\b"),
                    Shape.of("aws-access-key", "ASIA", "\\bASIA[0-9A-Z]{16}\\b"),
                    Shape.of(
                            "github-fine-grained-pat",
                            "github_pat_",
                            "\\bgithub_pat_[A-Za-z0-9_]{82,}+"),
                    Shape.of("github-pat", "ghp_", "\\bghp_[A-Za-z0-9]{36,}+"),
                    Shape.of(GITHUB_OAUTH, "gho_", "\\bgho_[A-Za-z0-9]{36,}+"),
                    Shape.of(GITHUB_OAUTH, "ghu_", "\\bghu_[A-Za-z0-9]{36,}+"),
                    Shape.of(GITHUB_OAUTH, "ghs_", "\\bghs_[A-Za-z0-9]{36,}+"),
                    Shape.of(GITHUB_OAUTH, "ghr_", "\\bghr_[A-Za-z0-9]{36,}+"),
                    Shape.of("anthropic-api-key", "sk-ant-", "\\bsk-ant-[A-Za-z0-9_-]{20,}+"),
                    Shape.of("openai-api-key", "sk-", "\\bsk-[A-Za-z0-9_-]{20,}+"),
                    Shape.of("google-api-key", "AIza", "\\bAIza[0-9A-Za-z_-]{35}"),
                    Shape.of("slack-token", "xox", "\\bxox[abpr]-[A-Za-z0-9-]{10,}+"),
                    Shape.of("stripe-live-key", "sk_live_", "\\bsk_live_[A-Za-z0-9]{24,}+"),
                    Shape.of("stripe-live-key", "rk_live_", "\\brk_live_[A-Za-z0-9]{24,}+"),
                    Shape.of(
                            "jwt",
                            "eyJ",
                            "(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,}+\\.eyJ[A-Za-z0-9_-]{10,}+"
                                    + "\\.[A-Za-z0-9_-]{10,}+"),
                    new Shape(
                            "basic-auth-url",
                            "://",
                            SCHEME_LENGTH_MAX,
                            Pattern.compile(
                                    "\\b[a-z][a-z0-9+.-]{1,20}://[^:\\s/@]{1,128}+:[^@\\s]{1,256}+@"
                                            + "[\\w.-]{1,255}+")));

    private TokenShapes() {}

    static List<SecretSpan> find(String text) {
        var hits = new ArrayList<SecretSpan>();
        SHAPES.forEach(shape -> shape.find(text, hits));
        return hits;
    }
}
