package dev.serval.bench.load;

import dev.serval.bench.client.AnswerReader;
import dev.serval.bench.client.LoadEngine;
import dev.serval.bench.client.Thoughts;
import dev.serval.bench.scenario.Cell;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// Sends requests at planned instants, whether or not earlier ones were answered (an open loop). The
/// gaps between the instants are exponential, from a fixed seed, so every server gets the same
/// arrivals. Each request has a new connection, or one that an earlier request has left open. Instead
/// of a request, a session can begin at each instant, which follows a [Script].
///
/// It also makes the closed load of users who wait, to find the capacity of a server. One thread
/// runs everything.
public final class OpenLoad implements AutoCloseable {
    /// The most requests that are sent before the loop looks for answers.
    private static final int SENT_PER_TURN_MAX = 64;

    private static final long SEED = 20_261_126;
    private static final long DRAIN_NANOS = 10_000_000;
    private static final long CLOSED_TURN_NANOS = 1_000_000;

    private final Traffic traffic;
    private final Terms terms;
    private final boolean keeps;
    private final Script script;
    private final int answerBytes;
    private final @Nullable ByteBuffer request;
    private final ArrayDeque<Visit> idle = new ArrayDeque<>();
    private final Thoughts thoughts = new Thoughts();
    private SplittableRandom random = new SplittableRandom(SEED);
    private int flying;

    /// How the clients behave.
    ///
    /// @param addresses the number of loopback addresses from which they come
    /// @param deadlineNanos an answer that comes later is of no use
    /// @param patienceNanos a client that has no answer by then goes away
    /// @param flyingMax the most connections at the same time
    public record Terms(int addresses, long deadlineNanos, long patienceNanos, int flyingMax) {}

    /// @param request of each visit, or null for sessions
    private OpenLoad(
            Client.Target target,
            Terms terms,
            boolean keeps,
            Script script,
            @Nullable ByteBuffer request) {
        this.terms = terms;
        this.keeps = keeps;
        this.script = script;
        this.answerBytes = target.page().length();
        this.request = request;
        this.traffic =
                new Traffic(
                        target.address(),
                        terms.addresses(),
                        request == null ? AnswerReader::keeping : AnswerReader::dropping);
    }

    private static OpenLoad single(Client.Target target, Terms terms, boolean keeps) {
        String text = RequestText.request(target, Cell.HeadKind.SHORT, "", !keeps);
        Script.Ask ask = new Script.Ask(target.page().path(), new byte[0]);
        Script script = new Script(List.of(Script.Burst.of(ask)));
        return new OpenLoad(target, terms, keeps, script, RequestText.direct(text));
    }

    /// Makes a load on a target, which requests its page with `Connection: close`.
    public static OpenLoad on(Client.Target target, Terms terms) {
        return single(target, terms, false);
    }

    /// Makes a load on a target whose connections stay open. A request that is due while all are in
    /// use gets one more.
    public static OpenLoad keeping(Client.Target target, Terms terms) {
        return single(target, terms, true);
    }

    /// Makes a load of sessions on the server of a target. What counts as a request is a session: it
    /// is right if all its answers are, and its latency is the time that its client waits for them.
    public static OpenLoad of(Script script, Client.Target target, Terms terms) {
        Terms each =
                new Terms(
                        terms.addresses(),
                        terms.deadlineNanos(),
                        terms.patienceNanos(),
                        terms.flyingMax() / script.connections());
        return new OpenLoad(target, each, false, script, null);
    }

    /// Makes one offer, and waits for its last answers.
    public Fates run(Offer offer) {
        return run(List.of(offer)).getFirst();
    }

    /// Makes these offers, one right after the other, and then waits for the last answers.
    public List<Fates> run(List<Offer> offers) {
        random = new SplittableRandom(SEED);
        List<Fates> all = new ArrayList<>();
        for (Offer offer : offers) {
            Fates fates = new Fates(offer, terms.deadlineNanos());
            all.add(fates);
            if (offer.users() > 0) {
                closed(offer, fates);
            } else {
                open(offer, fates);
            }
        }
        while (flying > 0) { // the patience of each client ends
            turn(DRAIN_NANOS);
        }
        return all;
    }

    /// Lets sessions act whose thoughts are over, and waits for answers until the next one's are.
    void turn(long nanosMax) {
        long now = System.nanoTime();
        thoughts.act(now);
        engine().turnNanos(thoughts.pauseNanos(now, nanosMax));
    }

    private void open(Offer offer, Fates fates) {
        long start = System.nanoTime();
        double next = gap(offer);
        long now = 0;
        while (now < offer.nanos()) {
            for (int i = 0; i < SENT_PER_TURN_MAX && next <= now && next < offer.nanos(); i++) {
                send(fates, start, Math.round(next));
                next += gap(offer);
            }
            now = System.nanoTime() - start;
            turn(Math.min(Math.round(next), offer.nanos()) - now);
            now = System.nanoTime() - start;
        }
        while (next < offer.nanos()) { // due while the generator was late
            send(fates, start, Math.round(next));
            next += gap(offer);
        }
    }

    private double gap(Offer offer) {
        return random.nextExponential() * 1e9 / offer.perSecond();
    }

    /// Each user sends its next request as soon as the last one has ended.
    private void closed(Offer offer, Fates fates) {
        long start = System.nanoTime();
        long now = 0;
        while (now < offer.nanos()) {
            // Not until all fly: a refusal may end a request at once.
            for (long i = fates.unended(); i < offer.users(); i++) {
                send(fates, start, System.nanoTime() - start);
            }
            turn(CLOSED_TURN_NANOS);
            now = System.nanoTime() - start;
        }
    }

    /// Sends the request that was due at an instant after the start.
    void send(Fates fates, long start, long planned) {
        long now = System.nanoTime();
        fates.sent(planned, now - start);
        if (flying >= terms.flyingMax()) {
            fates.ended(Fate.NOT_SENT, planned, 0);
            return;
        }
        flying++;
        Visit visit = idle.isEmpty() ? new Visit(this, script) : idle.pop();
        visit.begin(fates, start, planned);
    }

    /// Returns what all requests share.
    Traffic traffic() {
        return traffic;
    }

    LoadEngine engine() {
        return traffic.engine();
    }

    /// Returns the sessions that think.
    Thoughts thoughts() {
        return thoughts;
    }

    /// Returns whether a connection stays open after its answer.
    boolean keeps() {
        return keeps;
    }

    Terms terms() {
        return terms;
    }

    /// Returns whether a visit is a session and no single request.
    boolean isOfSessions() {
        return request == null;
    }

    /// Returns a request, to be read once.
    ByteBuffer request(Script.Ask ask, String cookie) {
        if (request != null) {
            return request.duplicate();
        }
        String head =
                "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s\r\n"
                        .formatted(
                                ask.path(),
                                traffic.port(),
                                cookie.isEmpty() ? "" : "Cookie: " + cookie + "\r\n");
        return ByteBuffer.wrap(head.getBytes(StandardCharsets.ISO_8859_1));
    }

    /// Returns whether an answer with status 200 is right. Of a single request, the length counts.
    boolean isRight(Script.Ask ask, AnswerReader answer) {
        return isOfSessions()
                ? answer.hasContent(ask.content(), 0, ask.content().length)
                : answer.length() == answerBytes;
    }

    /// Takes back a visit whose connections are closed or wait for the next request.
    void landed(Visit visit) {
        flying--;
        idle.push(visit);
    }

    @Override
    public void close() {
        traffic.close();
    }
}
