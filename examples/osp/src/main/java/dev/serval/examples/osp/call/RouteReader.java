package dev.serval.examples.osp.call;

import dev.serval.examples.osp.message.OspStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads a route table from a text file. Each line is one entry; `#` begins a comment:
///
/// ```
/// route    PREFIX ADDRESS [weight=1] [rate=0] [per=60] [currency=USD] [seconds=14400] [protocol=sip] [network=ID]
/// refuse   PREFIX STATUS
/// source   PREFIX STATUS
/// limit    PREFIX CALLS-PER-SECOND
/// customer ID
/// ```
///
/// A prefix has digits, or is `*` for every number.
public final class RouteReader {
    /// The largest file, in bytes.
    static final long FILE_MAX_BYTES = 64L << 20;

    private static final int PROBLEMS_MAX = 20;
    private static final int PREFIX_MAX_CHARS = 32;
    private static final int ADDRESS_MAX_CHARS = 100;
    private static final int DAY_SECONDS = 86_400;

    private final String file;
    private final Map<String, List<Destination>> destinations = new HashMap<>();
    private final Map<String, OspStatus> refused = new HashMap<>();
    private final Map<String, OspStatus> sources = new HashMap<>();
    private final Map<String, RouteTable.CallLimit> limits = new HashMap<>();
    private final Set<String> customers = new HashSet<>();
    private final List<String> problems = new ArrayList<>();
    private int line;

    private RouteReader(String file) {
        this.file = file;
    }

    /// Reads a file.
    ///
    /// @throws IOException if it cannot be read
    /// @throws RouteFileException if it has mistakes; the message has a line for each, with its place
    public static RouteTable read(Path file) throws IOException, RouteFileException {
        if (Files.size(file) > FILE_MAX_BYTES) {
            throw new RouteFileException(
                    file + ": the file is larger than " + FILE_MAX_BYTES + " bytes");
        }
        RouteReader reader = new RouteReader(file.toString());
        try (Stream<String> lines = Files.lines(file)) {
            lines.forEach(reader::line);
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof CharacterCodingException) {
                throw new RouteFileException(file + ": the file is not UTF-8: save it as UTF-8");
            }
            throw new IOException(file + " cannot be read: " + e.getMessage(), e);
        }
        return reader.table();
    }

    /// Reads the text of a file.
    ///
    /// @param name stands for the file in messages
    public static RouteTable parse(String name, String text) throws RouteFileException {
        RouteReader reader = new RouteReader(name);
        text.lines().forEach(reader::line);
        return reader.table();
    }

    private RouteTable table() throws RouteFileException {
        for (String prefix : refused.keySet()) {
            if (destinations.containsKey(prefix)) {
                problems.add(file + ": prefix " + shown(prefix) + " is both routed and refused");
            }
        }
        if (destinations.isEmpty() && refused.isEmpty() && problems.isEmpty()) {
            problems.add(file + ": there is no route; write a line such as: route * [192.0.2.1]");
        }
        if (!problems.isEmpty()) {
            throw new RouteFileException(String.join("\n", problems));
        }
        Map<String, Route> routes = new HashMap<>();
        destinations.forEach((prefix, all) ->
                routes.put(prefix, new Route(prefix, List.copyOf(all), OspStatus.SUCCESS)));
        refused.forEach(
                (prefix, status) -> routes.put(prefix, new Route(prefix, List.of(), status)));
        return new RouteTable(routes, sources, limits, customers);
    }

    private void line(String text) {
        line++;
        int comment = text.indexOf('#');
        String entry = (comment < 0 ? text : text.substring(0, comment)).strip();
        if (entry.isEmpty() || problems.size() >= PROBLEMS_MAX) {
            return;
        }
        String[] words = entry.split("\\s+", -1);
        String missing = missing(words);
        if (missing == null) {
            entry(words);
        } else {
            problem(missing);
        }
    }

    /// Returns what is wrong with the number of words, or null.
    private static @Nullable String missing(String[] words) {
        int count = words.length - 1;
        return switch (words[0]) {
            case "route" -> count < 2 ? "route needs a prefix and an address" : null;
            case "refuse", "source" ->
                    count == 2 ? null : words[0] + " needs a prefix and a status";
            case "limit" -> count == 2 ? null : "limit needs a prefix and a number of calls";
            case "customer" -> count == 1 ? null : "customer needs one customer id";
            default ->
                    "\""
                            + words[0]
                            + "\" is not an entry: use route, refuse, source, limit or customer";
        };
    }

    private void entry(String[] words) {
        if (words[0].equals("customer")) {
            customers.add(words[1]);
            return;
        }
        String prefix = words[1].equals("*") ? "" : words[1];
        if (!prefix.chars().allMatch(c -> c >= '0' && c <= '9')
                || prefix.length() > PREFIX_MAX_CHARS) {
            problem(
                    "\""
                            + words[1]
                            + "\" is not a prefix: use up to "
                            + PREFIX_MAX_CHARS
                            + " digits, or *");
            return;
        }
        switch (words[0]) {
            case "route" -> route(prefix, words);
            case "refuse" -> refusal(prefix, words[2], refused);
            case "source" -> refusal(prefix, words[2], sources);
            case "limit" -> {
                Integer calls = number("calls a second", words[2], 1, 1_000_000);
                if (calls != null) {
                    limits.put(prefix, new RouteTable.CallLimit(prefix, calls));
                }
            }
            default -> throw new IllegalStateException(words[0]);
        }
    }

    private void refusal(String prefix, String code, Map<String, OspStatus> into) {
        Integer number = number("status", code, 400, 999);
        if (number == null) {
            return;
        }
        OspStatus status = OspStatus.of(number);
        if (status == null) {
            problem(number + " is not a status of OSP: use for example 403, 404, 405, 484 or 603");
            return;
        }
        into.put(prefix, status);
    }

    private void route(String prefix, String[] words) {
        String address = words[2];
        if (!address.matches("(\\[[0-9A-Za-z.:-]+]|[0-9A-Za-z.-]+)(:[0-9]{1,5})?")
                || address.length() > ADDRESS_MAX_CHARS) {
            problem(
                    "\""
                            + address
                            + "\" is not an address: write [192.0.2.1], [192.0.2.1]:5060 or"
                            + " a host name");
            return;
        }
        Options options = new Options();
        for (int i = 3; i < words.length; i++) {
            if (!option(options, words[i])) {
                return;
            }
        }
        destinations
                .computeIfAbsent(prefix, _ -> new ArrayList<>())
                .add(
                        new Destination(
                                address,
                                options.weight,
                                options.rate,
                                options.per,
                                options.currency,
                                options.seconds,
                                options.protocol,
                                options.network));
    }

    /// The options of a route while its line is read.
    private static final class Options {
        private int weight = 1;
        private BigDecimal rate = BigDecimal.ZERO;
        private int per = 60;
        private String currency = "USD";
        private int seconds = 14_400;
        private String protocol = "";
        private String network = "";
    }

    /// Reads one `key=value`. Returns false if it is wrong.
    private boolean option(Options into, String word) {
        int equals = word.indexOf('=');
        String key = equals < 0 ? word : word.substring(0, equals);
        String value = word.substring(equals + 1);
        return switch (key) {
            case "weight" -> {
                Integer weight = number(key, value, 0, 10_000);
                into.weight = weight == null ? -1 : weight;
                yield weight != null;
            }
            case "per" -> {
                Integer per = number(key, value, 1, DAY_SECONDS);
                into.per = per == null ? -1 : per;
                yield per != null;
            }
            case "seconds" -> {
                Integer seconds = number(key, value, 1, 7 * DAY_SECONDS);
                into.seconds = seconds == null ? -1 : seconds;
                yield seconds != null;
            }
            case "rate" -> rate(into, value);
            case "currency" -> {
                into.currency = value.toUpperCase(Locale.ROOT);
                yield value.matches("[A-Za-z]{3}")
                        || problem("currency is " + value + ": write three letters, such as USD");
            }
            case "protocol" -> {
                into.protocol = value;
                yield word(key, value);
            }
            case "network" -> {
                into.network = value;
                yield word(key, value);
            }
            default ->
                    problem(
                            "\""
                                    + word
                                    + "\" is not an option: use weight=, rate=, per=,"
                                    + " currency=, seconds=, protocol= or network=");
        };
    }

    private boolean rate(Options into, String value) {
        if (!value.matches("[0-9]{1,9}(\\.[0-9]{1,9})?")) {
            return problem("rate is " + value + ": write a price such as 0.012");
        }
        into.rate = new BigDecimal(value);
        return true;
    }

    private boolean word(String key, String value) {
        return value.matches("[0-9A-Za-z._-]{1,50}")
                || problem(key + " is \"" + value + "\": use letters, digits, dots and dashes");
    }

    private @Nullable Integer number(String what, String value, int min, int max) {
        if (value.matches("[0-9]{1,9}")) {
            int number = Integer.parseInt(value);
            if (number >= min && number <= max) {
                return number;
            }
        }
        problem(what + " is " + value + ": it must be a number from " + min + " to " + max);
        return null;
    }

    private boolean problem(String text) {
        problems.add(file + ":" + line + ": " + text);
        return false;
    }

    private static String shown(String prefix) {
        return prefix.isEmpty() ? "*" : prefix;
    }
}
