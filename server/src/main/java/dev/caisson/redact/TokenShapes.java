package dev.caisson.redact;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Secrets that are known by their shape: the tokens of well-known services.
///
/// Every quantifier is possessive or has an upper bound, and nothing is repeated that could be
/// split in two ways, so the time is linear in the length of the text whatever the text is.
final class TokenShapes {
    private record Shape(String name, Pattern pattern) {
        static Shape of(String name, String pattern) {
            return new Shape(name, Pattern.compile(pattern));
        }
    }

    /// More particular shapes come first: what one of them took, a later one does not take again.
    private static final List<Shape> SHAPES =
            List.of(
                    Shape.of("aws-access-key", "\\b(?:AKIA|ASIA)[0-9A-Z]{16}\\b"),
                    Shape.of("github-fine-grained-pat", "\\bgithub_pat_[A-Za-z0-9_]{82,}+"),
                    Shape.of("github-pat", "\\bghp_[A-Za-z0-9]{36,}+"),
                    Shape.of("github-oauth", "\\bgh[ousr]_[A-Za-z0-9]{36,}+"),
                    Shape.of("anthropic-api-key", "\\bsk-ant-[A-Za-z0-9_-]{20,}+"),
                    Shape.of("openai-api-key", "\\bsk-[A-Za-z0-9_-]{20,}+"),
                    Shape.of("google-api-key", "\\bAIza[0-9A-Za-z_-]{35}"),
                    Shape.of("slack-token", "\\bxox[abpr]-[A-Za-z0-9-]{10,}+"),
                    Shape.of("stripe-live-key", "\\b[sr]k_live_[A-Za-z0-9]{24,}+"),
                    Shape.of(
                            "jwt",
                            "(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,}+\\.eyJ[A-Za-z0-9_-]{10,}+"
                                    + "\\.[A-Za-z0-9_-]{10,}+"),
                    Shape.of(
                            "basic-auth-url",
                            "\\b[a-z][a-z0-9+.-]{1,20}://[^:\\s/@]{1,128}+:[^@\\s]{1,256}+@"
                                    + "[\\w.-]{1,255}+"));

    private TokenShapes() {}

    static List<Hit> find(String text) {
        var hits = new ArrayList<Hit>();
        for (var shape : SHAPES) {
            var matcher = shape.pattern().matcher(text);
            while (matcher.find()) {
                hits.add(new Hit(matcher.start(), matcher.end(), shape.name()));
            }
        }
        return hits;
    }
}
