package dev.caisson.runs;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Describe;
import dev.caisson.json.Length;
import dev.caisson.storage.FilePath;
import dev.caisson.storage.FileSpace;
import dev.caisson.storage.Source;
import dev.caisson.storage.Threads;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.stream.Stream;

/// File that a run finds in its workspace: its content, or where that is kept.
public record InputFile(
        @Describe("From /workspace; directories are made as needed.")
                @Length(min = 1, max = PATH_LENGTH_MAX)
                String path,
        @Describe("Text.") @Length(max = RunInput.FILES_BYTES_MAX) Optional<String> content,
        @Describe("What is not text.") @Length(max = RunInput.FILES_BYTES_MAX / 3 * 4 + 4)
                Optional<String> contentBase64,
        @Describe("A file of a thread or a volume to copy.") Optional<Origin> from) {
    static final int PATH_LENGTH_MAX = 16_384;

    /// Address of a file that is copied.
    public record Origin(
            Source source,
            @Describe("The thread_id, or the name of the volume.")
                    @Length(min = 1, max = Threads.ID_LENGTH_MAX)
                    String id,
            @Length(min = 1, max = PATH_LENGTH_MAX) String path) {
        FileSpace space() {
            return new FileSpace(source, id);
        }
    }

    public InputFile {
        NulCheck.require("files.path", path);
        if (Stream.of(content, contentBase64, from).filter(Optional::isPresent).count() != 1) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "Each of files has one of content, content_base64 and from; "
                            + FilePath.parse(path, "/workspace").text()
                            + " has none, or several.");
        }
    }

    /// What the call itself carries; empty for a file that is copied.
    ///
    /// @throws Refusal INVALID_ARGUMENT for what is no base64
    Optional<byte[]> carried() {
        return content.map(text -> text.getBytes(StandardCharsets.UTF_8))
                .or(() -> contentBase64.map(this::decoded));
    }

    private byte[] decoded(String text) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException wrong) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "content_base64 of " + path + " is not base64: " + wrong.getMessage() + ".");
        }
    }
}
