package dev.serval.soak;

import dev.serval.bench.client.AnswerHead;
import dev.serval.bench.client.HttpConnection;
import dev.serval.soak.subject.ServletKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Opens a session, counts its requests on one connection and on several at the same time, changes
/// its id and ends it. Used by one thread.
final class SessionVisit {
    private static final Pattern COOKIE = Pattern.compile("(?i)Set-Cookie: (JSESSIONID=[^;\r]+)");
    private static final int OTHERS = 3;
    private static final int REQUESTS_OF_OTHER = 3;
    private static final int HANG_MILLIS = 60_000;

    private final int port;
    private final HttpConnection connection;
    private final SoakResult result;
    private String cookie = "";

    SessionVisit(int port, HttpConnection connection, SoakResult result) {
        this.port = port;
        this.connection = connection;
        this.result = result;
    }

    /// Visits.
    ///
    /// @param way bits: 1 changes the id, 2 ends the session; otherwise it is left to expire
    void run(int way) throws IOException, InterruptedException {
        expect("1", ask("count"));
        expect("2", ask("count"));
        concurrently(3);
        int count = 2 + OTHERS * REQUESTS_OF_OTHER;
        if ((way & 1) != 0) {
            String old = cookie;
            count++;
            expect(String.valueOf(count), ask("change"));
            if (old.equals(cookie)) {
                result.wrong("SESSION keeps its id " + old);
            }
        }
        expect(String.valueOf(count + 1), ask("count"));
        if ((way & 2) != 0) {
            String ended = cookie;
            expect("ended", ask("end"));
            cookie = ended;
            expect("1", ask("count"));
            if (cookie.equals(ended)) {
                result.wrong("SESSION has the id of an ended one: " + ended);
            }
        }
    }

    /// Counts on several connections, and checks that each number came once.
    private void concurrently(int first) throws InterruptedException {
        Set<Integer> seen = new ConcurrentSkipListSet<>();
        List<Thread> others = new ArrayList<>();
        for (int i = 0; i < OTHERS; i++) {
            others.add(Thread.startVirtualThread(() -> count(seen)));
        }
        for (Thread other : others) {
            other.join();
        }
        Set<Integer> right = new TreeSet<>();
        for (int i = 0; i < OTHERS * REQUESTS_OF_OTHER; i++) {
            right.add(first + i);
        }
        if (right.equals(seen)) {
            result.right(ServletKind.SESSION);
        } else {
            result.wrong("SESSION of several connections counted to " + seen);
        }
    }

    private void count(Set<Integer> seen) {
        try (HttpConnection other = HttpConnection.to(port, HANG_MILLIS)) {
            for (int i = 0; i < REQUESTS_OF_OTHER; i++) {
                send(other, "count");
                other.head();
                String text = new String(other.content(), StandardCharsets.US_ASCII);
                if (text.matches("[0-9]{1,6}")) {
                    seen.add(Integer.parseInt(text));
                }
            }
        } catch (IOException e) {
            result.broken("SESSION on another connection: " + e);
        }
    }

    private String ask(String way) throws IOException {
        send(connection, way);
        AnswerHead head = connection.head();
        Matcher found = COOKIE.matcher(head.toString());
        if (found.find()) {
            cookie = found.group(1);
        }
        return new String(connection.content(), StandardCharsets.US_ASCII);
    }

    private void send(HttpConnection to, String way) throws IOException {
        String sent = cookie.isEmpty() ? "" : "Cookie: " + cookie + "\r\n";
        to.send("GET /soak/session/" + way + " HTTP/1.1\r\nHost: soak\r\n" + sent + "\r\n");
    }

    private void expect(String right, String found) {
        if (found.equals(right)) {
            result.right(ServletKind.SESSION);
        } else {
            result.wrong(
                    "SESSION answers '%s' instead of %s to %s".formatted(found, right, cookie));
        }
    }
}
