package dev.caisson.edit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// Reader of patches in an envelope:
///
/// ```
/// *** Begin Patch
/// *** Add File: new.py
/// +line
/// *** Update File: a.py
/// *** Move to: b.py
/// @@ def f():
///  stays
/// -goes
/// +new
/// *** End of File
/// *** Delete File: old.py
/// *** End Patch
/// ```
final class PatchEnvelope {
    static final String BEGIN = "*** Begin Patch";
    private static final String END = "*** End Patch";
    private static final String ADD = "*** Add File:";
    private static final String DELETE = "*** Delete File:";
    private static final String UPDATE = "*** Update File:";
    private static final String MOVE = "*** Move to:";
    private static final String FILE_END = "*** End of File";
    private static final String ANCHOR = "@@";

    private final PatchLines lines;
    private final boolean crlf;

    PatchEnvelope(PatchLines lines, boolean crlf) {
        this.lines = lines;
        this.crlf = crlf;
    }

    List<FilePatch> files() throws PatchSyntax {
        lines.next();
        var files = new ArrayList<FilePatch>();
        while (!lines.peek().strip().equals(END)) {
            if (lines.isDone()) {
                throw lines.wrong("the patch must end with \"" + END + "\".");
            }
            if (lines.peek().isBlank()) {
                lines.next();
            } else {
                files.add(file());
            }
        }
        lines.next();
        if (!lines.isDone()) {
            throw lines.wrong("nothing may stand behind \"" + END + "\".");
        }
        return files;
    }

    private FilePatch file() throws PatchSyntax {
        var added = lines.after(ADD);
        if (added.isPresent()) {
            return new FilePatch.Add(added.get(), PatchText.content(lines.added(), crlf, false));
        }
        var deleted = lines.after(DELETE);
        if (deleted.isPresent()) {
            return new FilePatch.Delete(deleted.get());
        }
        var updated = lines.after(UPDATE);
        if (updated.isPresent()) {
            return update(updated.get());
        }
        throw lines.wrong(
                "a part begins with \"%s\", \"%s\" or \"%s\" and a path; lines of a new file begin with +."
                        .formatted(ADD, UPDATE, DELETE));
    }

    private FilePatch update(String path) throws PatchSyntax {
        var movedTo = lines.after(MOVE);
        var hunks = new ArrayList<Hunk>();
        while (lines.hasNext() && !endsFile()) {
            hunk().ifPresent(hunks::add);
        }
        if (hunks.isEmpty() && movedTo.isEmpty()) {
            throw lines.wrong("the update of " + TextBytes.shown(path) + " has no lines.");
        }
        return new FilePatch.Update(path, movedTo, hunks);
    }

    private boolean endsFile() {
        return lines.peek().startsWith("*** ") && !lines.peek().strip().equals(FILE_END);
    }

    private Optional<Hunk> hunk() throws PatchSyntax {
        var anchors = new ArrayList<String>();
        while (lines.peek().startsWith(ANCHOR)) {
            var anchor = lines.next().substring(ANCHOR.length());
            if (!anchor.isBlank()) {
                anchors.add(anchor.startsWith(" ") ? anchor.substring(1) : anchor);
            }
        }
        var body = new ArrayList<Hunk.Line>();
        boolean atEnd = false;
        while (lines.hasNext() && !lines.peek().startsWith(ANCHOR) && !endsFile() && !atEnd) {
            atEnd = lines.peek().strip().equals(FILE_END);
            if (atEnd) {
                lines.next();
            } else {
                body.add(line());
            }
        }
        var hunk =
                new Hunk(anchors, OptionalInt.empty(), body, atEnd, Hunk.LastBreak.AS_BEFORE)
                        .withoutBlankEnd();
        if (hunk.lines().isEmpty() && !anchors.isEmpty()) {
            throw lines.wrong("behind \"@@ …\" lines begin with a space, - or +.");
        }
        return hunk.changesNothing() ? Optional.empty() : Optional.of(hunk);
    }

    private Hunk.Line line() throws PatchSyntax {
        return HunkLine.of(lines.peek())
                .map(read -> {
                    lines.next();
                    return read;
                })
                .orElseThrow(() -> lines.wrong("a line of a hunk begins with a space, - or +."));
    }
}
