package dev.caisson.edit;

/// Sign of print and the one of a keyboard that stands for it, in text of one character per byte.
///
/// @param length in bytes; 1 for every other sign
record Typography(char plain, int length) {
    static final Typography PLAIN = new Typography(' ', 1);

    static Typography of(String text, int at) {
        char first = text.charAt(at);
        if (first == 0xc2 && at + 1 < text.length() && text.charAt(at + 1) == 0xa0) {
            return new Typography(' ', 2);
        }
        if (first != 0xe2 || at + 2 >= text.length()) {
            return PLAIN;
        }
        int point = ((text.charAt(at + 1) & 0x3f) << 6) | (text.charAt(at + 2) & 0x3f) | 0x2000;
        return switch (point) {
            case 0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2015, 0x2212 -> new Typography('-', 3);
            case 0x2018, 0x2019, 0x201a, 0x201b -> new Typography('\'', 3);
            case 0x201c, 0x201d, 0x201e, 0x201f -> new Typography('"', 3);
            case 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x202f ->
                    new Typography(' ', 3);
            default -> PLAIN;
        };
    }
}
