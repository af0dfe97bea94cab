package dev.caisson.cli;

import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// Value of a secret from outside the command line: typed at a hidden prompt, or read from standard
/// input. Other users of the machine can read command lines; they cannot read these.
final class SecretInput {
    /// More than any secret may have: what is longer is refused where secrets are kept.
    static final int BYTES_MAX = 1 << 20;

    private SecretInput() {}

    /// A prompt that does not show what is typed.
    interface HiddenPrompt {
        /// @return empty when the input ended
        Optional<String> ask(String question);
    }

    /// The prompt of the terminal, where standard input is one.
    static Optional<HiddenPrompt> terminal() {
        return Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .<HiddenPrompt>map(console -> question -> hidden(console, question));
    }

    private static Optional<String> hidden(Console console, String question) {
        return Optional.ofNullable(console.readPassword("%s", question)).map(String::new);
    }

    /// @param prompt used instead of the stream, if there is one
    /// @throws CommandFailed when there is no value, or no text
    static String read(InputStream in, Optional<HiddenPrompt> prompt, String name)
            throws CommandFailed, IOException {
        var value =
                prompt.isPresent()
                        ? prompt.get().ask("Value of " + name + ": ").orElse("")
                        : withoutLineEnd(text(in.readNBytes(BYTES_MAX)));
        if (value.isEmpty()) {
            throw new CommandFailed(
                    "There is no value. Type it at the prompt, or give it on standard input.");
        }
        return value;
    }

    private static String text(byte[] bytes) throws CommandFailed {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException _) {
            throw new CommandFailed(
                    "The value is not text in UTF-8. Encode it first, such as with base64.");
        }
    }

    /// One line end, as `echo` and editors add it.
    private static String withoutLineEnd(String text) {
        if (text.endsWith("\r\n")) {
            return text.substring(0, text.length() - 2);
        }
        return text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    }
}
