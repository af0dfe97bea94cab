package dev.caisson.config;

import dev.caisson.call.Network;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// Value types of configuration keys: sizes, durations, hosts, lists and so on.
final class Types {
    private static final Pattern SIZE = Pattern.compile("(\\d{1,15}) ?([A-Za-z]*)");
    private static final Map<String, Long> BYTES =
            Map.of(
                    "", 1L,
                    "b", 1L,
                    "kb", 1_000L,
                    "mb", 1_000_000L,
                    "gb", 1_000_000_000L,
                    "kib", 1L << 10,
                    "mib", 1L << 20,
                    "gib", 1L << 30,
                    "tib", 1L << 40);

    private static final Pattern DURATION = Pattern.compile("(\\d{1,12}) ?(ms|s|m|h|d)");
    private static final Map<String, Duration> UNITS =
            Map.of(
                    "ms", Duration.ofMillis(1),
                    "s", Duration.ofSeconds(1),
                    "m", Duration.ofMinutes(1),
                    "h", Duration.ofHours(1),
                    "d", Duration.ofDays(1));

    private static final Set<String> HEADERS_OF_HTTP =
            Set.of(
                    "connection",
                    "content-length",
                    "content-type",
                    "expect",
                    "host",
                    "transfer-encoding",
                    "upgrade");

    static final Type<Boolean> BOOL = new Type<>("bool", "true or false", Types::bool);

    static final Type<List<String>> LIST =
            new Type<>("list", "names separated by commas", Types::list);

    static final Type<List<String>> ORIGINS =
            new Type<>(
                    "list",
                    "origins such as https://console.example.org, without a path, separated by"
                            + " commas",
                    text -> each(text, Types::origin));

    static final Type<List<String>> NETWORKS =
            new Type<>(
                    "list",
                    "IP addresses or networks such as 10.0.0.0/8, separated by commas",
                    text -> each(text, Types::network));

    static final Type<List<String>> SECRETS =
            new Type<>(
                    "list",
                    "secrets of at least 8 characters without a space, separated by commas",
                    text -> each(text, secret -> secret.matches("\\S{8,1024}")));

    static final Type<Path> PATH =
            new Type<>("path", "a path; ~ is not expanded here", Types::path);

    static final Type<URI> BASE_URL =
            new Type<>("url", "an http or https URL without query or fragment", Types::baseUrl);

    static final Type<URI> ENDPOINT =
            new Type<>(
                    "url",
                    "an http or https URL without user, query or fragment",
                    text -> require(baseUrl(text), uri -> uri.getRawUserInfo() == null));

    static final Type<Map<String, String>> HEADERS =
            new Type<>(
                    "list",
                    "name=value pairs separated by commas, a comma in a value written as %2C; not"
                            + " Host, Content-Type or what else belongs to HTTP itself",
                    Types::headers);

    static final Type<String> DATABASE =
            new Type<>(
                    "url",
                    "postgresql://host:port/database, without user and password",
                    text -> require(text, Types::database));

    static final Type<String> HOST =
            new Type<>("host", "localhost or an IP address of this machine", Types::host);

    private Types() {}

    static Type<String> secret(int lengthMin) {
        return new Type<>(
                "secret",
                "at least " + lengthMin + " characters without a space",
                text -> require(text, s -> s.matches("\\S{" + lengthMin + ",1024}")));
    }

    static Type<String> text(int lengthMax) {
        return new Type<>(
                "string",
                "a text of 1 to " + lengthMax + " characters",
                text -> require(text, s -> !s.isBlank() && s.length() <= lengthMax));
    }

    static Type<String> oneOf(List<String> words) {
        return new Type<>(
                "string",
                "one of " + String.join(", ", words),
                text -> require(text, words::contains));
    }

    static Type<List<String>> someOf(List<String> words) {
        return new Type<>(
                "list",
                "any of " + String.join(", ", words) + ", separated by commas",
                text -> each(text, words::contains));
    }

    /// The same, where `true` means all of them and `false` none.
    static Type<List<String>> allOrSomeOf(List<String> words) {
        return new Type<>(
                "list",
                "true, false, or any of " + String.join(", ", words) + ", separated by commas",
                text ->
                        switch (text.toLowerCase(Locale.ROOT)) {
                            case "true" -> words;
                            case "false" -> List.of();
                            default -> each(text, words::contains);
                        });
    }

    /// Nothing, or a value.
    static <T> Type<Optional<T>> optional(Type<T> type) {
        return new Type<>(
                type.word(),
                type.must(),
                text -> text.isEmpty() ? Optional.empty() : Optional.of(type.read(text)));
    }

    static Type<Integer> number(int min, int max) {
        return new Type<>(
                "int",
                "a whole number from " + min + " to " + max,
                text -> require(Integer.valueOf(text), n -> n >= min && n <= max));
    }

    static Type<Double> decimal(double min, double max) {
        return new Type<>(
                "decimal",
                "a number from " + min + " to " + max,
                text ->
                        require(
                                new BigDecimal(text).doubleValue(),
                                number -> number >= min && number <= max));
    }

    static Type<Long> size(String min, String max) {
        return new Type<>(
                "size",
                "a size from " + min + " to " + max + " (units B, kB, KiB, MB, MiB, GB, GiB)",
                text -> require(bytes(text), n -> n >= bytes(min) && n <= bytes(max)));
    }

    static Type<Duration> duration(String min, String max) {
        return new Type<>(
                "duration",
                "a duration from " + min + " to " + max + " (units ms, s, m, h, d)",
                text ->
                        require(
                                time(text),
                                one ->
                                        one.compareTo(time(min)) >= 0
                                                && one.compareTo(time(max)) <= 0));
    }

    private static <T> T require(T value, Predicate<T> holds) {
        if (!holds.test(value)) {
            throw new IllegalArgumentException("out of range");
        }
        return value;
    }

    private static boolean bool(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "yes", "on", "1" -> true;
            case "false", "no", "off", "0" -> false;
            default -> throw new IllegalArgumentException("neither true nor false");
        };
    }

    private static List<String> list(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .filter(item -> !item.isEmpty())
                .toList();
    }

    private static List<String> each(String text, Predicate<String> holds) {
        return require(list(text), items -> items.stream().allMatch(holds));
    }

    private static boolean origin(String text) {
        return text.matches("https?://[^/?#@\\s]+");
    }

    /// @throws IllegalArgumentException for anything that is not even an address
    private static boolean network(String text) {
        return Network.of(text).prefixBits() >= 0;
    }

    private static Path path(String text) {
        require(text, s -> !s.isBlank() && !s.startsWith("~"));
        return Path.of(text).toAbsolutePath().normalize();
    }

    private static URI baseUrl(String text) {
        var uri = URI.create(text);
        var scheme = String.valueOf(uri.getScheme());
        return require(
                uri,
                one ->
                        (scheme.equals("http") || scheme.equals("https"))
                                && one.getHost() != null
                                && one.getQuery() == null
                                && one.getFragment() == null);
    }

    private static Map<String, String> headers(String text) {
        var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        for (var pair : list(text)) {
            int equals = require(pair.indexOf('='), at -> at > 0);
            headers.put(
                    require(pair.substring(0, equals).strip(), Types::headerName),
                    require(
                            unescaped(pair.substring(equals + 1).strip()),
                            value -> value.matches("[\\x21-\\x7e][\\x20-\\x7e]{0,4095}")));
        }
        return headers;
    }

    private static boolean headerName(String name) {
        return name.matches("[A-Za-z0-9!#$&'*+.^_`|~-]{1,100}")
                && !HEADERS_OF_HTTP.contains(name.toLowerCase(Locale.ROOT));
    }

    /// Unlike in forms, a plus sign means itself.
    private static String unescaped(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static boolean database(String text) {
        return text.matches("postgres(ql)?://[^@/?\\s]+/[^@/?\\s]+(\\?\\S*)?")
                && !text.matches(".*[?&](user|password)=.*");
    }

    private static String host(String text) {
        if (!text.equals("localhost")) {
            InetAddress.ofLiteral(text);
        }
        return text;
    }

    private static long bytes(String text) {
        var matcher = SIZE.matcher(text);
        require(text, _ -> matcher.matches());
        var unit =
                Optional.ofNullable(BYTES.get(matcher.group(2).toLowerCase(Locale.ROOT)))
                        .orElseThrow(IllegalArgumentException::new);
        var count = Long.parseLong(matcher.group(1));
        require(count, one -> one <= Long.MAX_VALUE / unit);
        return count * unit;
    }

    private static Duration time(String text) {
        var matcher = DURATION.matcher(text);
        require(text, _ -> matcher.matches());
        var unit = Optional.ofNullable(UNITS.get(matcher.group(2))).orElseThrow();
        return unit.multipliedBy(Long.parseLong(matcher.group(1)));
    }
}
