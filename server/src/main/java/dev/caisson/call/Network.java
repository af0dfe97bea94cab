package dev.caisson.call;

import java.net.InetAddress;

/// Block of IP addresses in CIDR notation, such as `10.0.0.0/8`, or one address.
public record Network(InetAddress base, int prefixBits) {
    public Network {
        int most = base.getAddress().length * 8;
        if (prefixBits < 0 || prefixBits > most) {
            throw new IllegalArgumentException(
                    "a network of this kind has 0 to " + most + " prefix bits, not " + prefixBits);
        }
    }

    public static Network of(String text) {
        int slash = text.indexOf('/');
        try {
            var base = InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash));
            int most = base.getAddress().length * 8;
            return new Network(
                    base, slash < 0 ? most : Integer.parseInt(text.substring(slash + 1)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "not an address or a network such as 10.0.0.0/8: " + text, e);
        }
    }

    public boolean contains(InetAddress address) {
        byte[] ours = base.getAddress();
        byte[] theirs = address.getAddress();
        if (ours.length != theirs.length) {
            return false;
        }
        int whole = prefixBits / 8;
        for (int i = 0; i < whole; i++) {
            if (ours[i] != theirs[i]) {
                return false;
            }
        }
        int rest = prefixBits % 8;
        return rest == 0 || ((ours[whole] ^ theirs[whole]) & 0xff) >> (8 - rest) == 0;
    }
}
