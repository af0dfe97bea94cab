package dev.caisson.redact;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/// Kinds of personal data that are known by their form. None is looked for unless the operator says
/// so: an address in a source file is part of the source.
public enum PersonalKind {
    MAIL(MailAddresses::find),
    PHONE(PhoneNumbers::find),
    CARD(PaymentCards::find),
    IBAN(BankAccounts::find);

    private final Function<String, List<Hit>> finder;

    PersonalKind(Function<String, List<Hit>> finder) {
        this.finder = finder;
    }

    /// As the configuration has it, and what stands in place of such data.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<PersonalKind> of(String word) {
        return Arrays.stream(values()).filter(kind -> kind.word().equals(word)).findFirst();
    }

    List<Hit> find(String text) {
        return finder.apply(text);
    }
}
