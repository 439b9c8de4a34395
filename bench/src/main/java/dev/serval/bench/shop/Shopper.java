package dev.serval.bench.shop;

import dev.serval.bench.client.AnswerReader;
import dev.serval.bench.client.Conversation;
import dev.serval.bench.client.LoadConnection;
import dev.serval.bench.load.Fate;
import dev.serval.loop.Deadline;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
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
final class Shopper {
    private static final int KEPT_MAX = 100;
    private static final int REDIRECTS_MAX = 5;

    /// The states of the diagram above.
    private enum State {
        THINKING,
        ASKING,
        GONE
    }

    private final ShopLoad load;
    private final SplittableRandom random;
    private final List<Lane> lanes = new ArrayList<>();
    private final Deadline deadline = new Deadline(this::due);
    private final ArrayDeque<String> images = new ArrayDeque<>();

    /// What the browser keeps, the last used at the end.
    private final LinkedHashSet<String> kept = new LinkedHashSet<>();

    private State state = State.THINKING;
    private boolean leaving;
    private ShopVisitor visitor;
    private Interaction now = Interaction.HOME;
    private String cookie = "";
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
            lanes.add(new Lane());
        }
        visitor = newSession();
        think();
    }

    /// Begins a session with another browser.
    private ShopVisitor newSession() {
        lanes.forEach(Lane::close);
        cookie = "";
        now = Interaction.HOME;
        kept.clear();
        sessionEnd = System.nanoTime() + load.habits().sessionNanos(random);
        return load.visitor(random);
    }

    private void think() {
        state = State.THINKING;
        dueNanos = System.nanoTime() + load.habits().thinkNanos(random);
        load.engine().timers().set(deadline, dueNanos);
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
        load.engine().timers().cancel(deadline);
        lanes.forEach(Lane::close);
        load.gone();
    }

    /// Tells a measurement that ends how long this user has waited.
    void tell(ShopTally ending) {
        if (state == State.ASKING && tally == ending) {
            ending.pending(System.nanoTime() - startNanos);
        }
    }

    private void due() {
        if (state == State.ASKING) {
            failed(Fate.TIMEOUT, "");
            return;
        }
        startNanos = System.nanoTime();
        tally = load.tally();
        if (tally != null) {
            tally.begins(startNanos - dueNanos);
        }
        state = State.ASKING;
        redirects = 0;
        load.engine().timers().set(deadline, startNanos + load.habits().patienceNanos());
        ShopVisitor.Ask ask = visitor.ask(now);
        request(lanes.getFirst(), ask.path(), ask.form());
    }

    private void request(Lane lane, String path, String form) {
        waiting++;
        lane.ask(path, form);
    }

    private void answered(Lane lane, AnswerReader answer, String path, boolean image) {
        waiting--;
        cookie = answer.cookie().isEmpty() ? cookie : answer.cookie();
        if (image) {
            image(lane, answer, path);
        } else if (answer.status() == 303 && redirects < REDIRECTS_MAX) {
            redirects++;
            URI to = URI.create(answer.location());
            request(lane, to.getRawQuery() == null ? to.getRawPath() : query(to), "");
        } else {
            page(answer);
        }
    }

    private static String query(URI to) {
        return to.getRawPath() + "?" + to.getRawQuery();
    }

    private void page(AnswerReader answer) {
        String text = new String(answer.content(), 0, answer.length(), StandardCharsets.UTF_8);
        ShopPage page = new ShopPage(text);
        if (answer.status() != 200 || !visitor.isRight(now, page)) {
            List<String> heading = page.texts("<h1>", "</h1>", 1);
            String shown = heading.isEmpty() ? "" : ", " + heading.getFirst();
            failed(fate(answer.status()), "status " + answer.status() + shown);
            return;
        }
        if (now == Interaction.BUY_CONFIRM && ShopVisitor.isRefusal(page) && tally != null) {
            tally.refused();
        }
        for (String image : page.images()) {
            if (!keeps(image)) {
                images.add(image);
            }
        }
        for (int i = 0; i < lanes.size() && !images.isEmpty() && state == State.ASKING; i++) {
            lanes.get(i).image(images.remove());
        }
        endIfComplete();
    }

    private void image(Lane lane, AnswerReader answer, String path) {
        String start =
                new String(
                        answer.content(),
                        0,
                        Math.min(answer.length(), 4),
                        StandardCharsets.ISO_8859_1);
        boolean right = path.contains(".svg") ? start.equals("<svg") : !start.isEmpty();
        if (answer.status() != 200 || !right) {
            failed(fate(answer.status()), path + " has status " + answer.status());
            return;
        }
        keep(path);
        if (images.isEmpty()) {
            endIfComplete();
        } else {
            lane.image(images.remove());
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

    private static Fate fate(int status) {
        return switch (status) {
            case 503 -> Fate.UNAVAILABLE;
            case 429 -> Fate.TOO_MANY;
            default -> Fate.WRONG;
        };
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
        if (tally != null) {
            tally.ended(now, fate, System.nanoTime() - startNanos, fault);
            tally = null;
        }
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

    /// A connection of the browser, which is made when it is needed. It has one request at a time.
    private final class Lane implements Conversation {
        private @Nullable AnswerReader reader; // null while no answer is due
        private @Nullable LoadConnection connection; // null while there is none
        private Runnable stopConnecting = () -> {};
        private String path = "";
        private String form = "";
        private boolean image;
        private boolean resendable;

        void image(String address) {
            waiting++;
            image = true;
            start(address, "");
        }

        void ask(String address, String content) {
            image = false;
            start(address, content);
        }

        private void start(String address, String content) {
            path = address;
            form = content;
            reader = load.reader();
            LoadConnection open = connection;
            resendable = open != null;
            if (open == null) {
                stopConnecting = load.connect(this);
                return;
            }
            try {
                send(open);
            } catch (IOException e) {
                resend(Fate.RESET);
            }
        }

        private void send(LoadConnection open) throws IOException {
            StringBuilder head = new StringBuilder(300);
            head.append(form.isEmpty() ? "GET " : "POST ").append(path).append(" HTTP/1.1\r\n");
            head.append("Host: 127.0.0.1:").append(load.port()).append("\r\n");
            if (!cookie.isEmpty()) {
                head.append("Cookie: ").append(cookie).append("\r\n");
            }
            if (!form.isEmpty()) {
                head.append("Content-Type: application/x-www-form-urlencoded\r\n");
                head.append("Content-Length: ").append(form.length()).append("\r\n");
            }
            head.append("\r\n").append(form);
            open.send(ByteBuffer.wrap(head.toString().getBytes(StandardCharsets.ISO_8859_1)));
        }

        @Override
        public void connected(LoadConnection made) throws IOException {
            connection = made;
            send(made);
        }

        @Override
        public void received(ByteBuffer in) {
            AnswerReader due = reader;
            resendable = false;
            try {
                if (due == null) {
                    throw new ProtocolException("bytes after the answer");
                }
                if (!due.take(in)) {
                    return;
                }
            } catch (ProtocolException e) {
                close();
                failed(Fate.WRONG, String.valueOf(e.getMessage()));
                return;
            }
            reader = null;
            if (due.closes()) {
                close();
            }
            answered(this, due, path, image);
            load.giveBack(due);
        }

        @Override
        public void ended(@Nullable IOException cause) {
            boolean unmade = connection == null;
            connection = null;
            if (reader != null) {
                resend(unmade ? Fate.REFUSED : Fate.RESET);
            }
        }

        /// Sends the request on a new connection if the kept one has ended meanwhile.
        private void resend(Fate otherwise) {
            close();
            if (resendable) {
                start(path, form);
            } else {
                failed(otherwise, path);
            }
        }

        void close() {
            LoadConnection open = connection;
            if (open != null) {
                open.close();
            } else if (reader != null) {
                stopConnecting.run();
            }
            if (reader != null) {
                load.giveBack(Objects.requireNonNull(reader));
            }
            connection = null;
            reader = null;
        }
    }
}
