package dev.caisson.edit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reader of unified diffs, with the headers of Git or without. Numbers of lines are hints: a hunk
/// is found by its lines.
final class UnifiedDiff {
    private static final String OLD = "--- ";
    private static final String NEW = "+++ ";
    private static final String GIT = "diff --git ";
    private static final String NOWHERE = "/dev/null";
    private static final String BARE = "\\ No newline";
    private static final Pattern HUNK =
            Pattern.compile("@@ -(\\d{1,9})(?:,(\\d{1,9}))? \\+\\d{1,9}(?:,(\\d{1,9}))? @@.*");

    private final PatchLines lines;
    private final boolean crlf;
    private boolean bareNew;
    private boolean bareOld;

    UnifiedDiff(PatchLines lines, boolean crlf) {
        this.lines = lines;
        this.crlf = crlf;
    }

    List<FilePatch> files() throws PatchSyntax {
        var files = new ArrayList<FilePatch>();
        var header = new Header();
        while (!lines.isDone()) {
            if (lines.peek().startsWith(OLD) && lines.peekBehind().startsWith(NEW)) {
                files.add(file(header));
                header = new Header();
            } else if (lines.peek().startsWith(GIT)) {
                header.withoutLines().ifPresent(files::add);
                header = new Header();
                lines.next();
            } else {
                read(header);
            }
        }
        header.withoutLines().ifPresent(files::add);
        return files;
    }

    /// What Git says of a file above its lines.
    private static final class Header {
        Optional<String> from = Optional.empty();
        Optional<String> to = Optional.empty();

        /// A file that only gets another name.
        Optional<FilePatch> withoutLines() {
            return from.isPresent() && to.isPresent()
                    ? Optional.of(new FilePatch.Update(from.get(), to, List.of()))
                    : Optional.empty();
        }
    }

    private void read(Header header) throws PatchSyntax {
        var line = lines.peek();
        if (line.startsWith("rename from ")) {
            header.from = lines.after("rename from ");
        } else if (line.startsWith("rename to ")) {
            header.to = lines.after("rename to ");
        } else if (line.startsWith("GIT binary patch") || line.startsWith("Binary files ")) {
            throw lines.wrong("files that are no text cannot be patched.");
        } else if (line.startsWith("copy from ")) {
            throw lines.wrong("files are not copied by a patch; add the new one.");
        } else if (line.startsWith("@@") || line.startsWith("+") || line.startsWith("-")) {
            throw lines.wrong(
                    "above the hunks of a file stand \"--- path\" and \"+++ path\"; or begin with \"%s\"."
                            .formatted(PatchEnvelope.BEGIN));
        } else {
            lines.next();
        }
    }

    private FilePatch file(Header header) throws PatchSyntax {
        var old = name(lines.next().substring(OLD.length()), "a/");
        var now = name(lines.next().substring(NEW.length()), "b/");
        var hunks = new ArrayList<Hunk>();
        while (lines.peek().startsWith("@@")) {
            hunks.add(hunk());
        }
        if (old.equals(NOWHERE)) {
            return new FilePatch.Add(now, content(hunks));
        }
        if (now.equals(NOWHERE)) {
            return new FilePatch.Delete(old);
        }
        if (hunks.isEmpty()) {
            throw lines.wrong("a hunk begins with \"@@ -1,2 +1,3 @@\".");
        }
        var from = header.from.orElse(old);
        var to = header.to.orElse(now);
        return new FilePatch.Update(
                from, from.equals(to) ? Optional.empty() : Optional.of(to), hunks);
    }

    /// The new file of a diff against nothing.
    private String content(List<Hunk> hunks) throws PatchSyntax {
        var all = new ArrayList<String>();
        for (var hunk : hunks) {
            if (!hunk.old().isEmpty()) {
                throw lines.wrong("lines of a new file begin with +.");
            }
            all.addAll(hunk.now());
        }
        return PatchText.content(all, crlf, bareNew);
    }

    /// Without the time behind a tab, quotes, and the letter that Git puts before it.
    private static String name(String given, String prefix) {
        int tab = given.indexOf('\t');
        var name = (tab < 0 ? given : given.substring(0, tab)).strip();
        if (name.length() > 1 && name.startsWith("\"") && name.endsWith("\"")) {
            name = name.substring(1, name.length() - 1);
        }
        return name.startsWith(prefix) ? name.substring(prefix.length()) : name;
    }

    private Hunk hunk() throws PatchSyntax {
        bareNew = false;
        bareOld = false;
        var head = HUNK.matcher(lines.peek());
        if (!head.matches()) {
            throw lines.wrong("a hunk of a unified diff begins with \"@@ -1,2 +1,3 @@\".");
        }
        lines.next();
        var body = body(head);
        var hunk =
                new Hunk(
                        List.of(),
                        OptionalInt.of(Integer.parseInt(head.group(1))),
                        body,
                        bareNew || bareOld,
                        lastBreak());
        if (hunk.changesNothing()) {
            throw lines.wrong("a hunk has lines that begin with - or +.");
        }
        return hunk.withoutBlankEnd();
    }

    private Hunk.LastBreak lastBreak() {
        if (bareNew) {
            return Hunk.LastBreak.ABSENT;
        }
        return bareOld ? Hunk.LastBreak.PRESENT : Hunk.LastBreak.AS_BEFORE;
    }

    /// As many lines as the head says, or until something else begins.
    private List<Hunk.Line> body(Matcher head) throws PatchSyntax {
        int old = count(head, 2);
        int now = count(head, 3);
        var body = new ArrayList<Hunk.Line>();
        while (lines.hasNext() && !endsHunk(old, now)) {
            if (lines.peek().startsWith(BARE)) {
                lines.next();
                boolean goes = !body.isEmpty() && body.getLast().kind() == Hunk.Kind.GOES;
                bareOld |= goes;
                bareNew |= !goes;
                continue;
            }
            var line =
                    HunkLine.of(lines.peek())
                            .orElseThrow(() ->
                                    lines.wrong("a line of a hunk begins with a space, - or +."));
            lines.next();
            old -= line.kind() == Hunk.Kind.NEW ? 0 : 1;
            now -= line.kind() == Hunk.Kind.GOES ? 0 : 1;
            body.add(line);
        }
        return body;
    }

    private static int count(Matcher head, int group) {
        return head.group(group) == null ? 1 : Integer.parseInt(head.group(group));
    }

    /// Numbers that a model wrote are often wrong: lines count as long as they look like some.
    private boolean endsHunk(int old, int now) {
        var line = lines.peek();
        if (line.startsWith(BARE)) {
            return false;
        }
        if (line.startsWith("@@") || line.startsWith(GIT) || HunkLine.of(line).isEmpty()) {
            return true;
        }
        boolean counted = old <= 0 && now <= 0;
        return counted
                && (line.isEmpty() || (line.startsWith(OLD) && lines.peekBehind().startsWith(NEW)));
    }
}
