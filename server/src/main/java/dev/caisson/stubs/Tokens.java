package dev.caisson.stubs;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;

/// Counter of the tokens that a text has for a model, by the encoding `o200k_base`. Models of other
/// makers count a little otherwise.
///
/// The encoding is read when a text is first counted, which takes a second or two.
public final class Tokens {
    private Tokens() {}

    /// Holder of the encoding, so that a server which counts nothing does not read it.
    private static final class Lazy {
        static final Encoding O200K =
                Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.O200K_BASE);
    }

    public static int count(String text) {
        return Lazy.O200K.countTokensOrdinary(text);
    }
}
