package dev.caisson.ledger;

import dev.caisson.call.Judgement;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// An entry as bytes: the fields `at` (milliseconds since 1970), `caller`, `door`, `tool`,
/// `arguments_hash`, `code_hash`, `result_bytes`, `status`, `duration_micros`, `approval`,
/// `redactions`, `trace_id`, one after another; and when at least one of them is there,
/// `execution_id`, `metadata_hash` and `key_id`, which the first ledgers did not have; and behind
/// them `execution`, of a call that a program made; and behind that `policy` and `rule`, of a call
/// that the policy was asked about, where an absent `execution` is a `-` too.
///
/// Each is the number of its bytes in decimal, a colon, and the bytes: text in UTF-8, numbers in
/// decimal. A field that is absent is a single `-`. So no two entries have the same form, and the
/// entry can be read back.
final class EntryEncoding {
    private static final char ABSENT = '-';
    private static final char COLON = ':';
    private static final int BYTES_USUAL = 384;
    private static final int TEN = 10;

    private EntryEncoding() {}

    static byte[] of(Entry entry) {
        var out = new ByteArrayOutputStream(BYTES_USUAL);
        add(out, entry.at().toEpochMilli());
        add(out, entry.caller());
        add(out, entry.door());
        add(out, entry.tool());
        add(out, entry.argumentsHash());
        add(out, entry.codeHash());
        add(out, entry.resultBytes());
        add(out, entry.status());
        add(out, entry.durationMicros());
        add(out, entry.approval());
        add(out, entry.redactions());
        add(out, entry.traceId());
        add(out, entry.subject());
        return out.toByteArray();
    }

    private static void add(ByteArrayOutputStream out, Entry.Subject subject) {
        if (!subject.equals(Entry.Subject.NONE)) {
            add(out, subject.executionId());
            add(out, subject.metadataHash());
            add(out, subject.keyId());
            if (subject.judgement().isPresent()) {
                add(out, subject.execution());
                add(out, subject.judgement().get().policy());
                add(out, subject.judgement().get().rule());
            } else {
                subject.execution().ifPresent(id -> add(out, id));
            }
        }
    }

    static byte[] field(String text) {
        var out = new ByteArrayOutputStream(text.length() + TEN);
        add(out, text);
        return out.toByteArray();
    }

    private static void add(ByteArrayOutputStream out, String text) {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeBytes(Integer.toString(bytes.length).getBytes(StandardCharsets.US_ASCII));
        out.write(COLON);
        out.writeBytes(bytes);
    }

    private static void add(ByteArrayOutputStream out, long number) {
        add(out, Long.toString(number));
    }

    private static void add(ByteArrayOutputStream out, Optional<String> text) {
        if (text.isPresent()) {
            add(out, text.get());
        } else {
            out.write(ABSENT);
        }
    }

    /// @param form one of ours
    static Entry read(byte[] form) {
        var fields = new Fields(form);
        return new Entry(
                Instant.ofEpochMilli(fields.number()),
                fields.text(),
                fields.text(),
                fields.text(),
                fields.text(),
                fields.next(),
                fields.number(),
                fields.text(),
                Duration.of(fields.number(), ChronoUnit.MICROS),
                fields.next(),
                fields.number(),
                fields.text(),
                fields.isAtEnd()
                        ? Entry.Subject.NONE
                        : new Entry.Subject(
                                fields.next(),
                                fields.next(),
                                fields.next(),
                                fields.rest(),
                                fields.judgement()));
    }

    private static final class Fields {
        private final byte[] form;
        private int at;

        Fields(byte[] form) {
            this.form = form;
        }

        boolean isAtEnd() {
            return at == form.length;
        }

        Optional<String> next() {
            if (form[at] == ABSENT) {
                at++;
                return Optional.empty();
            }
            var length = 0;
            for (; form[at] != COLON; at++) {
                length = length * TEN + form[at] - '0';
            }
            at += 1 + length;
            return Optional.of(new String(form, at - length, length, StandardCharsets.UTF_8));
        }

        /// The last two, if there are more.
        Optional<Judgement> judgement() {
            return isAtEnd() ? Optional.empty() : Optional.of(new Judgement(text(), text()));
        }

        /// The next one, if there is one more.
        Optional<String> rest() {
            return isAtEnd() ? Optional.empty() : next();
        }

        String text() {
            return next().orElseThrow();
        }

        long number() {
            return Long.parseLong(text());
        }
    }
}
