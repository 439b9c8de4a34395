package dev.serval.bench.shop;

import dev.serval.bench.client.AnswerReader;
import dev.serval.bench.client.Thoughts;
import dev.serval.bench.load.Fate;
import dev.serval.bench.load.Lane;
import dev.serval.loop.Deadline;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// One user of a [ShopLoad] with a browser: thinks, asks for a page, follows its redirections, fetches
/// its images on all connections, and thinks again. After a session the user is another visitor with a
/// new browser.
///
/// ```
///   THINKING ──time over──▶ ASKING ──page and images──▶ THINKING
///      │                      └── wrong, lost, or patience over: a new session ──▶ THINKING
///      └── leaves ──▶ GONE ◀── leaves, after the answer ── ASKING
/// ```
///
/// A browser keeps images, style and icon for its session, the last [#KEPT_MAX] of them. A request on
/// a kept connection that ends before the first byte of the answer is sent once more, as browsers do.
final class Shopper implements Lane.User<Shopper.Fetch>, Thoughts.Thinker {
    private static final int KEPT_MAX = 100;
    private static final int REDIRECTS_MAX = 5;

    /// The states of the diagram above.
    private enum State {
        THINKING,
        ASKING,
        GONE
    }

    /// A request of the browser.
    ///
    /// @param form the content of a POST; empty for a GET
    /// @param image whether it is for something that the page shows
    record Fetch(String path, String form, boolean image) {}

    private final ShopLoad load;
    private final SplittableRandom random;
    private final List<Lane<Fetch>> lanes = new ArrayList<>();
    private final Deadline patience = new Deadline(this::lost);
    private final ArrayDeque<String> images = new ArrayDeque<>();

    /// What the browser keeps, the last used at the end.
    private final LinkedHashSet<String> kept = new LinkedHashSet<>();

    private State state = State.THINKING;
    private boolean leaving;
    private ShopVisitor visitor;
    private Interaction now = Interaction.HOME;
    private ShopVisitor.Ask next; // after the thought
    private String cookie = "";
    private String page = ""; // that was asked for last
    private int redirects;
    private int waiting; // answers that are due
    private long sessionEnd;
    private long dueNanos;
    private long startNanos;
    private @Nullable ShopTally tally; // of the present interaction

    Shopper(ShopLoad load, SplittableRandom random) {
        this.load = load;
        this.random = random;
        for (int i = 0; i < load.habits().connections(); i++) {
            lanes.add(new Lane<>(load.traffic(), this, true));
        }
        visitor = newSession();
        think();
    }

    /// Begins a session with another browser.
    private ShopVisitor newSession() {
        lanes.forEach(Lane::close);
        cookie = "";
        page = "";
        now = Interaction.HOME;
        kept.clear();
        sessionEnd = System.nanoTime() + load.habits().sessionNanos(random);
        return load.visitor(random);
    }

    /// Thinks about the next request, which the visitor has chosen from the page that it sees.
    private void think() {
        state = State.THINKING;
        next = visitor.ask(now);
        dueNanos = System.nanoTime() + load.habits().thinkNanos(random);
        load.traffic().engine().timers().cancel(patience);
        load.thoughts().add(this);
    }

    @Override
    public long dueNanos() {
        return dueNanos;
    }

    /// Goes away, at once or after the present answer.
    void leave() {
        leaving = true;
        if (state == State.THINKING) {
            gone();
        }
    }

    private void gone() {
        state = State.GONE;
        load.traffic().engine().timers().cancel(patience);
        lanes.forEach(Lane::close);
        load.gone();
    }

    /// Tells a measurement that ends how long this user has waited.
    void tell(ShopTally ending) {
        if (state == State.ASKING && tally == ending) {
            ending.pending(System.nanoTime() - startNanos);
        }
    }

    private void lost() {
        failed(Fate.TIMEOUT, "");
    }

    /// Asks for the next page, unless the user has left.
    @Override
    public void thought() {
        if (state == State.GONE) {
            return;
        }
        startNanos = System.nanoTime();
        tally = load.tally();
        if (tally != null) {
            tally.begins(startNanos - dueNanos);
        }
        state = State.ASKING;
        redirects = 0;
        load.traffic().engine().timers().set(patience, startNanos + load.habits().patienceNanos());
        fetch(lanes.getFirst(), new Fetch(next.path(), next.form(), false));
    }

    private void fetch(Lane<Fetch> lane, Fetch what) {
        waiting++;
        lane.ask(what);
    }

    private void fetchImage(Lane<Fetch> lane) {
        fetch(lane, new Fetch(images.remove(), "", true));
    }

    @Override
    public InetSocketAddress source() {
        return load.traffic().nextSource();
    }

    @Override
    public ByteBuffer bytes(Fetch fetch) {
        String form = fetch.form();
        StringBuilder head = new StringBuilder(300);
        head.append(form.isEmpty() ? "GET " : "POST ").append(fetch.path()).append(" HTTP/1.1\r\n");
        head.append("Host: 127.0.0.1:").append(load.traffic().port()).append("\r\n");
        if (!cookie.isEmpty()) {
            head.append("Cookie: ").append(cookie).append("\r\n");
        }
        if (!page.isEmpty()) {
            head.append("Referer: http://127.0.0.1:").append(load.traffic().port());
            head.append(page).append("\r\n");
        }
        page = fetch.image() ? page : fetch.path();
        if (!form.isEmpty()) {
            head.append("Content-Type: application/x-www-form-urlencoded\r\n");
            head.append("Content-Length: ").append(form.length()).append("\r\n");
        }
        head.append("\r\n").append(form);
        return ByteBuffer.wrap(head.toString().getBytes(StandardCharsets.ISO_8859_1));
    }

    @Override
    public void answered(Lane<Fetch> lane, Fetch asked, AnswerReader answer) {
        if (answer.closes()) {
            lane.close();
        }
        waiting--;
        cookie = answer.cookie().isEmpty() ? cookie : answer.cookie();
        if (asked.image()) {
            image(lane, answer, asked.path());
        } else if (answer.status() == 303 && redirects < REDIRECTS_MAX) {
            redirects++;
            URI to = URI.create(answer.location());
            String query = to.getRawQuery() == null ? "" : "?" + to.getRawQuery();
            fetch(lane, new Fetch(to.getRawPath() + query, "", false));
        } else {
            page(answer);
        }
    }

    private void page(AnswerReader answer) {
        String text = new String(answer.content(), 0, answer.length(), StandardCharsets.UTF_8);
        ShopPage page = new ShopPage(text);
        if (answer.status() != 200 || !visitor.isRight(now, page)) {
            failed(Fate.of(answer.status(), false), "status " + answer.status() + page.summary());
            return;
        }
        if (now == Interaction.BUY_CONFIRM && ShopVisitor.isRefusal(page) && tally != null) {
            tally.refused();
        }
        for (String image : page.images()) {
            if (!keeps(image)) {
                images.add(load.shared(image));
            }
        }
        for (int i = 0; i < lanes.size() && !images.isEmpty() && state == State.ASKING; i++) {
            fetchImage(lanes.get(i));
        }
        endIfComplete();
    }

    private void image(Lane<Fetch> lane, AnswerReader answer, String path) {
        String start =
                new String(
                        answer.content(),
                        0,
                        Math.min(answer.length(), 4),
                        StandardCharsets.ISO_8859_1);
        boolean right = path.contains(".svg") ? start.equals("<svg") : !start.isEmpty();
        if (answer.status() != 200 || !right) {
            failed(Fate.of(answer.status(), false), path + " has status " + answer.status());
            return;
        }
        keep(path);
        if (images.isEmpty()) {
            endIfComplete();
        } else {
            fetchImage(lane);
        }
    }

    /// Returns whether the browser has an image, which is used now.
    private boolean keeps(String address) {
        boolean there = kept.remove(address);
        if (there) {
            kept.add(address);
        }
        return there;
    }

    private void keep(String address) {
        kept.add(address);
        if (kept.size() > KEPT_MAX) {
            kept.removeFirst();
        }
    }

    private void endIfComplete() {
        if (state != State.ASKING || waiting > 0) {
            return;
        }
        note(Fate.RIGHT, "");
        if (leaving) {
            gone();
        } else if (System.nanoTime() - sessionEnd > 0) {
            visitor = newSession();
            think();
        } else {
            now = load.chain().after(now, random);
            think();
        }
    }

    private void note(Fate fate, String fault) {
        long nanos = System.nanoTime() - startNanos;
        if (tally == null || !tally.ended(now, fate, nanos, fault)) {
            load.aside().ended(now, fate, nanos, fault);
        }
        tally = null;
    }

    @Override
    public void failed(Lane<Fetch> lane, Fate fate, String why) {
        lane.close();
        failed(fate, fate == Fate.WRONG ? why : lane.last().path());
    }

    private void failed(Fate fate, String fault) {
        if (state != State.ASKING) {
            return;
        }
        note(fate, fault);
        waiting = 0;
        images.clear();
        if (leaving) {
            gone();
        } else {
            visitor = newSession();
            think();
        }
    }
}
