package dev.caisson.redact;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Kinds of personal data that are known by their form. None is looked for unless the operator says
/// so: an address in a source file is part of the source.
public enum PersonalKind {
    MAIL,
    PHONE,
    CARD,
    IBAN;

    /// As the configuration has it, and what stands in place of such data.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<PersonalKind> of(String word) {
        return Arrays.stream(values()).filter(kind -> kind.word().equals(word)).findFirst();
    }

    List<SecretSpan> find(String text) {
        return switch (this) {
            case MAIL -> MailAddresses.find(text);
            case PHONE -> PhoneNumbers.find(text);
            case CARD -> PaymentCards.find(text);
            case IBAN -> BankAccounts.find(text);
        };
    }
}
