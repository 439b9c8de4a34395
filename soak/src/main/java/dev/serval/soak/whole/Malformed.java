package dev.serval.soak.whole;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;

/// Makes requests that a server must refuse, each a valid one with one change. Stateless.
final class Malformed {
    /// A request of which nothing may be answered, behind each refused one.
    private static final String HIDDEN = "GET /good-0 HTTP/1.1\r\nHost: hidden\r\n\r\n";

    /// Request lines that RFC 9112 §3 or RFC 9110 §9 does not allow. `%` stands for a random word,
    /// `%%` for a percent sign.
    private static final List<String> LINES =
            List.of(
                    "GET  /% HTTP/1.1",
                    "GET /%",
                    "GET /% HTTP/1.1 ",
                    " GET /% HTTP/1.1",
                    "GET /% HTTP/1.11",
                    "GET /% http/1.1",
                    "GET /% HTTP/2.0",
                    "GET /% HTTP/3.1",
                    "GET %/ HTTP/1.1",
                    "GET /%\t HTTP/1.1",
                    "GET /%#fragment HTTP/1.1",
                    "GET /%\\..\\etc HTTP/1.1",
                    "GET /%/%%zz HTTP/1.1",
                    "GET /%%2 HTTP/1.1",
                    "GET /%\0 HTTP/1.1",
                    "GET /%\177 HTTP/1.1",
                    "G@T /% HTTP/1.1");

    /// Field lines that make the message ambiguous or break RFC 9112 §5, 6 or RFC 9110 §5.
    private static final List<String> FIELDS =
            List.of(
                    "X-% : value",
                    " X-%: value",
                    "X-%: one\r\n two",
                    "X-%: a\0b",
                    "X-%: a\rb",
                    "X-%",
                    ": %",
                    "X-(%): value",
                    "X-%: value\n",
                    "Host: second.%",
                    "Content-Length: 5\r\nContent-Length: 6",
                    "Content-Length: 5, 6",
                    "Content-Length: +5",
                    "Content-Length: -5",
                    "Content-Length: 0x5",
                    "Content-Length: 5x%",
                    "Content-Length: 99999999999999999999",
                    "Content-Length: 5\r\nTransfer-Encoding: chunked",
                    "Transfer-Encoding: chunked, chunked",
                    "Transfer-Encoding: chunked, %",
                    "Transfer-Encoding: x%",
                    "Transfer-Encoding : chunked",
                    "Transfer-Encoding:\u000bchunked");

    /// Chunked contents that break RFC 9112 §7.1.
    private static final List<String> CHUNKS =
            List.of(
                    "x\r\nabc\r\n0\r\n\r\n",
                    "3\nabc\r\n0\r\n\r\n",
                    "3\r\nabcd\r\n0\r\n\r\n",
                    "-3\r\nabc\r\n0\r\n\r\n",
                    "0x3\r\nabc\r\n0\r\n\r\n",
                    "3 \0\r\nabc\r\n0\r\n\r\n",
                    "fffffffffffffffff\r\nabc\r\n0\r\n\r\n",
                    "3\r\nabc0\r\n\r\n",
                    "0\r\nX-(a): b\r\n\r\n",
                    "0\r\n X: b\r\n\r\n");

    private Malformed() {}

    /// Returns the next request, with another one behind it of which nothing may be answered.
    static byte[] next(SplittableRandom random) {
        String word = Integer.toString(random.nextInt(1, 1_000_000), 36);
        String text =
                switch (random.nextInt(4)) {
                    case 0 -> pick(LINES, word, random) + "\r\nHost: a\r\n\r\n";
                    case 1 -> "GET /" + word + " HTTP/1.1\r\n" + hosts(random) + "\r\n";
                    case 2 -> chunked(random);
                    default -> withField(pick(FIELDS, word, random), random);
                };
        return (text + HIDDEN).getBytes(StandardCharsets.ISO_8859_1);
    }

    /// Returns no valid Host (RFC 9112 §3.2).
    private static String hosts(SplittableRandom random) {
        List<String> hosts =
                List.of(
                        "",
                        "Host: a\r\nHost: b\r\n",
                        "Host: a b\r\n",
                        "Host: a/b\r\n",
                        "Host: user@a\r\n",
                        "Host: a:99x\r\n",
                        "Host: [::1\r\n");
        return hosts.get(random.nextInt(hosts.size()));
    }

    private static String chunked(SplittableRandom random) {
        return "POST /soak/stream/sum/1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                + CHUNKS.get(random.nextInt(CHUNKS.size()));
    }

    /// Puts the field before, between or behind valid ones.
    private static String withField(String field, SplittableRandom random) {
        String[] valid = {"Host: a", "Accept: */*", "User-Agent: soak"};
        int at = random.nextInt(1, valid.length + 1);
        StringBuilder head = new StringBuilder("POST /good-1 HTTP/1.1\r\n");
        for (int i = 0; i < valid.length; i++) {
            head.append(i == at ? field + "\r\n" : "").append(valid[i]).append("\r\n");
        }
        return head.append(at == valid.length ? field + "\r\n" : "").append("\r\n").toString();
    }

    private static String pick(List<String> from, String word, SplittableRandom random) {
        return from.get(random.nextInt(from.size()))
                .replace("%%", "\1")
                .replace("%", word)
                .replace("\1", "%");
    }
}
