package dev.serval.bench.micro;

import dev.serval.codec.ByteRules;
import dev.serval.codec.CodecKey;
import dev.serval.http.FieldName;
import dev.serval.http.RequestHeadWriter;
import dev.serval.http1.RequestParser;
import dev.serval.policy.Leniency;
import dev.serval.policy.Limits;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// Measures a browser's head of 400 bytes with nine fields, parsed completely or recognized as the
/// last one. Also measures small heads as load generators send them, and two parts of the parser
/// beside what would take their place (docs/internals/sympathy.md).
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class HeadParseBenchmark {
    private static final int LENGTH = 400;
    private static final int ROOM_BEHIND = 1024; // the rest of the connection's buffer
    private static final int STRANGERS = 256; // more than branch predictors learn
    private static final int FIELDS = 9;
    private static final MethodHandle CONTROL = control();
    private static final String[] OPTIONAL = {
        "Accept: text/html,application/xhtml+xml,*/*;q=0.8",
        "Accept: */*",
        "Accept-Language: en-GB,en;q=0.5",
        "Accept-Language: de",
        "Accept-Encoding: gzip, deflate, br, zstd",
        "Accept-Encoding: gzip",
        "Connection: keep-alive",
        "Cache-Control: no-cache",
        "Upgrade-Insecure-Requests: 1",
        "Priority: u=0, i",
        "Sec-Fetch-Dest: document",
        "Sec-Fetch-Mode: navigate",
        "Sec-Fetch-Site: none",
        "Referer: http://www.example.com/news/",
        "If-None-Match: \"5f3-61b2c7a9\"",
        "X-Forwarded-For: 192.0.2.17",
        "DNT: 1"
    };

    private final RequestParser parser =
            new RequestParser(Limits.Heads.DEFAULT, Leniency.defaults());
    private final RequestHeadWriter head = new RequestHeadWriter(CodecKey.KEY);
    private final RequestHeadWriter last = new RequestHeadWriter(CodecKey.KEY);
    private byte[] browser = {};
    private int browserEnd;
    private byte[] other = {}; // another host: no line of the last head can be reused
    private byte[] page = {}; // the same browser requests another page
    private boolean turn;
    private final byte[][] strangers = new byte[STRANGERS][];
    private final int[][] names =
            new int[STRANGERS][]; // of a stranger's fields: from, to, from, ...
    private final Map<String, FieldName> known = new HashMap<>();
    private int stranger;
    private byte[] small = {};
    private int smallEnd;

    /// Lays out the heads as a connection's buffer holds them.
    @Setup
    public void layOut() {
        String text =
                """
                GET /news/2025/autumn/index.html?from=start HTTP/1.1
                Host: www.example.com:8080
                User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0
                Accept: text/html,application/xhtml+xml,*/*;q=0.8
                Accept-Language: en-GB,en;q=0.5
                Accept-Encoding: gzip, deflate, br, zstd
                Connection: keep-alive
                Upgrade-Insecure-Requests: 1
                Priority: u=0, i
                Cookie: id=%s

                """;
        int cookie = LENGTH - text.lines().mapToInt(line -> line.length() + 2).sum() + 2;
        browser = buffer(text.formatted("c".repeat(cookie)));
        browserEnd = browser.length - ROOM_BEHIND;
        other = browser.clone();
        page = browser.clone();
        other[60] = 'd'; // in the first field, so that no line repeats
        page[10] = 'x';
        Random random = new Random(9112);
        for (int i = 0; i < STRANGERS; i++) {
            strangers[i] = buffer(stranger(random));
            names[i] = names(strangers[i]);
            check(
                    strangers[i],
                    strangers[i].length - ROOM_BEHIND,
                    new RequestHeadWriter(CodecKey.KEY));
        }
        for (int id = 0; id < FieldName.count(); id++) {
            known.put(FieldName.byId(id).text().toLowerCase(Locale.ROOT), FieldName.byId(id));
        }
        small = buffer("GET /4k.html HTTP/1.1\nHost: 127.0.0.1:8080\n\n");
        smallEnd = small.length - ROOM_BEHIND;
        check(browser, browserEnd, last);
    }

    /// Parses every byte, because the connection's last head was that of another browser.
    @Benchmark
    public int browser() {
        turn = !turn;
        return parser.parse(turn ? browser : other, 0, browserEnd, 0, head);
    }

    /// Parses heads that differ in their fields, their order and their lengths. Branch
    /// mispredictions cost the same as on a server.
    @Benchmark
    public int strangers() {
        return parser.parse(nextStranger(), 0, LENGTH, 0, head);
    }

    private byte[] nextStranger() {
        stranger = (stranger + 1) % STRANGERS;
        return strangers[stranger];
    }

    /// The same if no last head is kept.
    @Benchmark
    public int strangersAnew() {
        head.reset();
        return strangers();
    }

    /// Looks up the names of a head by their bytes, as the parser does.
    @Benchmark
    public int nameHash() {
        byte[] bytes = nextStranger();
        int found = 0;
        for (int i = 0; i < 2 * FIELDS; i += 2) {
            int[] at = names[stranger];
            found += FieldName.of(bytes, at[i], at[i + 1]) == null ? 0 : 1;
        }
        return found;
    }

    /// Looks them up by a String of their bytes.
    @Benchmark
    public int nameString() {
        byte[] bytes = nextStranger();
        int found = 0;
        for (int i = 0; i < 2 * FIELDS; i += 2) {
            int[] at = names[stranger];
            String name = new String(bytes, at[i], at[i + 1] - at[i], StandardCharsets.ISO_8859_1);
            found += known.get(name.toLowerCase(Locale.ROOT)) == null ? 0 : 1;
        }
        return found;
    }

    /// Finds the ends of a head's lines without a branch for each byte, as the parser does.
    @Benchmark
    public int scanWords() throws Throwable {
        byte[] bytes = nextStranger();
        int at = 0;
        for (int line = 0; line <= FIELDS; line++) {
            at = (int) CONTROL.invokeExact(bytes, at, LENGTH) + 2;
        }
        return at;
    }

    /// Finds them byte by byte.
    @Benchmark
    public int scanBytes() {
        byte[] bytes = nextStranger();
        int at = 0;
        for (int line = 0; line <= FIELDS; line++) {
            while (at < LENGTH && ByteRules.field(bytes[at])) {
                at++;
            }
            at += 2;
        }
        return at;
    }

    /// Parses another request line with the fields of the last head: the line is parsed, the fields
    /// are compared.
    @Benchmark
    public int nextPage() {
        turn = !turn;
        return parser.parse(turn ? browser : page, 0, browserEnd, 0, head);
    }

    /// The same if no last head is kept.
    @Benchmark
    public int nextPageAnew() {
        head.reset();
        return nextPage();
    }

    /// Parses a head with two fields and no content.
    @Benchmark
    public int small() {
        return parser.parse(small, 0, smallEnd, 0, head);
    }

    /// Compares a head that equals the last one.
    @Benchmark
    public boolean repeated() {
        return last.repeats(browser, 0, browserEnd);
    }

    /// Parses the same head again if no last head is kept.
    @Benchmark
    public int repeatedAnew() {
        head.reset();
        return parser.parse(browser, 0, browserEnd, 0, head);
    }

    /// Returns a head with nine fields and as many bytes as the browser's.
    private static String stranger(Random random) {
        StringBuilder text = new StringBuilder("GET /");
        text.append("p".repeat(8 + random.nextInt(32))).append(" HTTP/1.1\nHost: ");
        text.append("h".repeat(4 + random.nextInt(16))).append(".example.com\n");
        List<String> lines = new ArrayList<>(List.of(OPTIONAL));
        Collections.shuffle(lines, random);
        for (String line : lines.subList(0, 6)) {
            text.append(line).append('\n');
        }
        text.append("User-Agent: ").append("u".repeat(20 + random.nextInt(40))).append('\n');
        String cookie = "Cookie: id=";
        int lineEnds = 10; // each becomes two bytes; one follows the cookie
        int missing = LENGTH - text.length() - lineEnds - cookie.length() - 3;
        return text + cookie + "c".repeat(missing) + "\n\n";
    }

    private static int[] names(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.US_ASCII);
        int[] names = new int[2 * FIELDS];
        for (int i = 0, at = text.indexOf('\n') + 1; i < names.length; i += 2) {
            names[i] = at;
            names[i + 1] = text.indexOf(':', at);
            at = text.indexOf('\n', at) + 1;
        }
        return names;
    }

    /// Returns the parser's scan, which is private to its package.
    private static MethodHandle control() {
        MethodType type = MethodType.methodType(int.class, byte[].class, int.class, int.class);
        try {
            Class<?> scan = Class.forName("dev.serval.http1.Scan");
            return MethodHandles.privateLookupIn(scan, MethodHandles.lookup())
                    .findStatic(scan, "control", type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private void check(byte[] buffer, int end, RequestHeadWriter into) {
        if (end != LENGTH || parser.parse(buffer, 0, end, 0, into) != LENGTH) {
            throw new IllegalStateException(end + ": " + parser.error());
        }
    }

    private static byte[] buffer(String text) {
        byte[] bytes = text.replace("\n", "\r\n").getBytes(StandardCharsets.US_ASCII);
        return Arrays.copyOf(bytes, bytes.length + ROOM_BEHIND);
    }
}
