package dev.caisson.egress;

import dev.caisson.call.Network;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Optional;

/// Address of IPv4 within one of IPv6, to which what is sent to the latter is passed on.
final class EmbeddedAddress {
    private static final Network TRANSLATED = Network.of("64:ff9b::/96");
    private static final int TRANSLATED_AT = 12;
    private static final Network SIX_TO_FOUR = Network.of("2002::/16");
    private static final int SIX_TO_FOUR_AT = 2;

    /// How the second half of an ISATAP address begins, with an IPv4 address behind it; a bit says
    /// whether that is globally unique.
    private static final byte[] TUNNELLED = {0, 0, 0x5e, (byte) 0xfe};

    private static final int TUNNELLED_AT = 8;
    private static final byte UNIQUE = 0x02;

    private EmbeddedAddress() {}

    static Optional<InetAddress> in(InetAddress six) {
        var address = six.getAddress();
        if (TRANSLATED.contains(six) || isTunnelled(address)) {
            return Optional.of(at(address, TRANSLATED_AT));
        }
        return SIX_TO_FOUR.contains(six)
                ? Optional.of(at(address, SIX_TO_FOUR_AT))
                : Optional.empty();
    }

    /// Whether an address is of one of the two networks that stand for IPv4 alone.
    static boolean isTranslated(InetAddress six) {
        return TRANSLATED.contains(six) || SIX_TO_FOUR.contains(six);
    }

    private static boolean isTunnelled(byte[] address) {
        if (address.length < TRANSLATED_AT) {
            return false;
        }
        var second = Arrays.copyOfRange(address, TUNNELLED_AT, TUNNELLED_AT + TUNNELLED.length);
        second[0] = (byte) (second[0] & ~UNIQUE);
        return Arrays.equals(second, TUNNELLED);
    }

    private static InetAddress at(byte[] six, int at) {
        try {
            return InetAddress.getByAddress(Arrays.copyOfRange(six, at, at + 4));
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException("four bytes are an address", impossible);
        }
    }
}
