package dev.serval.bench.load;

import dev.serval.bench.client.HttpConnection;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Protocol;
import dev.serval.bench.peer.Site;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.servlet.Request;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Sends single requests to a server before it is measured: it compares an answer, byte by byte,
/// and opens sessions. The speed of a server that sends wrong content means nothing.
public final class Browser {
    private static final int TIMEOUT_MILLIS = 10_000;

    private Browser() {}

    /// Compares the server's answer.
    ///
    /// @throws BenchFailure if it is wrong
    public static void require(Client.Target target) throws IOException {
        Optional<String> fault = fault(target);
        if (fault.isPresent()) {
            throw new BenchFailure(fault.get());
        }
    }

    /// Returns what is wrong with the server's answer, or empty if it is right.
    public static Optional<String> fault(Client.Target target) throws IOException {
        Request request = target.request();
        if (request != null && request.session()) {
            return sessionFault(target);
        }
        HttpConnection.Answer answer =
                target.protocol().hasStreams()
                        ? new HttpConnection.Answer(200, "", "", H2load.content(target))
                        : ask(target, "");
        if (request == null) {
            return fault(answer, target.page());
        }
        byte[] right = request.right(answer.content());
        return fault(answer, new Site.Page("", right.length, Site.digest(right)));
    }

    /// Counts to two in a new session. The second answer proves that the first request's value was
    /// kept.
    private static Optional<String> sessionFault(Client.Target target) throws IOException {
        byte[] second = Request.counted(2).getBytes(StandardCharsets.US_ASCII);
        Site.Page right = new Site.Page("", second.length, Site.digest(second));
        return fault(ask(target, sessions(target, 1).getFirst()), right);
    }

    private static Optional<String> fault(HttpConnection.Answer answer, Site.Page right) {
        if (answer.status() != 200) {
            return Optional.of("answers " + answer.status());
        }
        int length = answer.content().length;
        if (length != right.length()) {
            return Optional.of("sends " + length + " bytes, not " + right.length());
        }
        return Site.digest(answer.content()).equals(right.digest())
                ? Optional.empty()
                : Optional.of("sends other content than expected");
    }

    /// Returns how many of these sessions answer with this number of their next request.
    ///
    /// @param cookies of the sessions
    public static int counting(Client.Target target, List<String> cookies, int number)
            throws IOException {
        String right = Request.counted(number);
        int count = 0;
        for (String cookie : cookies) {
            HttpConnection.Answer answer = ask(target, cookie);
            count += answer.status() == 200 && answer.text().equals(right) ? 1 : 0;
        }
        return count;
    }

    /// Opens sessions and returns their cookies, as values of the field `Cookie`.
    public static List<String> sessions(Client.Target target, int count) throws IOException {
        List<String> cookies = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            HttpConnection.Answer answer = ask(target, "");
            if (answer.cookie().isEmpty()) {
                throw new IOException("the answer " + answer.status() + " has no Set-Cookie");
            }
            cookies.add(answer.cookie());
        }
        return cookies;
    }

    /// Asks a server over TLS on one new connection after the other, so that a JVM has compiled its
    /// handshakes before a client opens many connections at once. The program h2load never ends if
    /// one of its connections is not made when its time is over.
    ///
    /// @param patienceNanos after which no more are made
    /// @return how many answers there were
    public static int shakeHands(int port, int count, long patienceNanos) {
        long end = System.nanoTime() + patienceNanos;
        int answers = 0;
        for (int i = 0; i < count && System.nanoTime() - end < 0; i++) {
            answers += Stage.answers(port, Protocol.HTTPS) ? 1 : 0;
        }
        return answers;
    }

    private static HttpConnection.Answer ask(Client.Target target, String cookie)
            throws IOException {
        String request = RequestText.request(target, Cell.HeadKind.SHORT, cookie, false);
        return HttpConnection.ask(target.port(), target.protocol().tls(), request, TIMEOUT_MILLIS);
    }
}
