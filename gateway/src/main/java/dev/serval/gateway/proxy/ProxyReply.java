package dev.serval.gateway.proxy;

import dev.serval.exchange.EngineExchange;
import dev.serval.gateway.peer.Peer;
import dev.serval.gateway.peer.PeerFault;
import dev.serval.gateway.relay.Attempt;
import dev.serval.gateway.relay.Interception;
import dev.serval.gateway.relay.Overflow;
import dev.serval.gateway.relay.Pump;
import dev.serval.gateway.relay.Reply;
import dev.serval.gateway.relay.SentFiles;
import dev.serval.handler.Duplex;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.ProtocolError;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.http1.Framing;
import dev.serval.http1.ReceivedHead;
import dev.serval.http1.ResponseParser;
import dev.serval.net.Input;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Reads the answer of an HTTP upstream and sends it to the client: the head here, the content by an
/// [AnswerContent]. Owned by the loop of the exchange.
///
/// ```text
/// HEAD ── final head ──▶ CONTENT
///  ├───── 101 ──▶ a ProxyTunnel takes over
///  └───── names a file, or is an error that the mount replaces ──▶ REPLACED
/// ```
/// Pauses and the end are states of the [Attempt].
final class ProxyReply implements Reply {
    private enum State {
        HEAD,
        CONTENT,
        REPLACED
    }

    private static final ProtocolError TOO_MANY_INTERIMS =
            new ProtocolError(
                    Status.BAD_GATEWAY, "it has too many interim responses", "RFC 9110 §15.2");

    /// The most bytes of a read while a head is awaited. What follows the head there is copied twice,
    /// and the rest of a long answer is not copied at all.
    private static final int HEAD_READ_MAX_BYTES = 16 << 10;

    private static final long CONTINUE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ProxyHandler handler;
    private final EngineExchange exchange;
    private final Attempt attempt;
    private final ProxyLoop loop;
    private final AnswerContent content; // and its head
    private final ReceivedHead head;
    private final Pump pump;
    private final Peer peer;
    private final Overflow overflow;
    private final long sentNanos; // when the head of the request was sent
    private State state = State.HEAD;
    private boolean upgrades; // the request asks for an upgrade
    private boolean awaitsContinue;
    private boolean moreHasCome; // the last read took all that it asked for
    private int interims;
    private int seen; // bytes of an incomplete head that were parsed already

    /// Creates a reply. The peer was granted, and the head of the request was written.
    ProxyReply(
            ProxyHandler handler,
            EngineExchange exchange,
            Attempt attempt,
            ProxyLoop loop,
            Pump pump) {
        this.handler = handler;
        this.exchange = exchange;
        this.attempt = attempt;
        this.loop = loop;
        this.pump = pump;
        this.peer = attempt.peer();
        this.content = loop.lend();
        this.head = content.head();
        this.sentNanos = peer.nowNanos();
        this.overflow = new Overflow(attempt, handler.collecting(), this::stored);
    }

    /// Allows an answer 101.
    void mayUpgrade() {
        upgrades = true;
    }

    /// Starts the content only after 100 Continue, or after a second.
    void awaitContinue() {
        awaitsContinue = true;
        peer.answerBy(peer.nowNanos() + CONTINUE_NANOS);
    }

    @Override
    public void readable() {
        Input in = peer.connection().in();
        boolean more = true;
        while (more && attempt.isBusy()) {
            more =
                    switch (state) {
                        case HEAD -> readHead(in);
                        case CONTENT -> readContent();
                        case REPLACED -> false;
                    };
        }
    }

    @Override
    public void resumed() {
        attempt.moveDeadline();
        readable();
    }

    /// Takes the rest of the answer, so that the peer becomes free, if it may wait here.
    @Override
    public void clientIsSlow() {
        boolean opened = overflow.open(head.fields());
        attempt.moveDeadline();
        if (opened) {
            readable();
        }
    }

    @Override
    public void clientCatchesUp() {
        overflow.clientCatchesUp();
    }

    @Override
    public void late() {
        if (awaitsContinue) {
            startContent(); // the upstream may not know Expect (RFC 9110 §10.1.1)
            return;
        }
        boolean begun = attempt.fail(PeerFault.LATE);
        handler.failures().late(exchange, peer, begun);
    }

    @Override
    public void clientLeft() {
        overflow.drop();
        attempt.fail(PeerFault.ABANDONED);
    }

    @Override
    public void lost(boolean begun) {
        handler.failures().lost(exchange, peer, begun);
    }

    @Override
    public boolean hasBegun() {
        return state == State.CONTENT;
    }

    @Override
    public void endResponse() {
        if (state == State.REPLACED) {
            answerOtherwise();
            return;
        }
        overflow.send();
        exchange.response().end(content.trailers());
    }

    @Override
    public void release() {
        overflow.end(); // with what came before a failure
        loop.giveBack(content);
    }

    /// @return whether to read on
    private boolean readHead(Input in) {
        if (in.length() == seen && !fillHead()) {
            return false;
        }
        int length =
                loop.parser.parse(
                        in.array(),
                        in.from(),
                        in.to(),
                        in.from() + seen,
                        exchange.request().method(),
                        head);
        if (length == ResponseParser.NEED_MORE) {
            seen = in.length();
            return true;
        }
        if (length == ResponseParser.ERROR) {
            malformed(loop.parser.error());
            return false;
        }
        in.consume(length);
        seen = 0;
        return answerHead(in);
    }

    /// @return whether to read on
    private boolean answerHead(Input in) {
        if (head.status().code() == 101) {
            if (upgrades) {
                openTunnel();
            } else {
                malformed(null);
            }
            return false;
        }
        if (head.status().interim()) {
            interim();
        } else if (isIntercepted() || namesFile()) {
            replace(in);
        } else if (isSound(in)) {
            begin();
        } else {
            return false; // the connection is lost, so its content must not be read as a head
        }
        return true;
    }

    private boolean isIntercepted() {
        return Interception.concerns(exchange, head.status());
    }

    private boolean namesFile() {
        return handler.sentFiles() != null && SentFiles.areNamedBy(head.fields());
    }

    /// Answers with the page of the mount, or with the file that the upstream has named.
    private void answerOtherwise() {
        Fields fields = fields();
        @Nullable SentFiles files = handler.sentFiles();
        if (isIntercepted() || files == null) {
            Interception.answer(exchange, head.status(), fields);
            return;
        }
        @Nullable String accel = fields.first(FieldName.X_ACCEL_REDIRECT);
        @Nullable String send = fields.first(FieldName.X_SENDFILE);
        files.send(exchange, accel, send, SentFiles.withoutNames(fields));
    }

    /// Ends the attempt, so that something else answers. The connection stays if all content has
    /// come, and is dropped.
    private void replace(Input in) {
        state = State.REPLACED;
        boolean none = head.framing() == Framing.NONE;
        boolean whole = head.framing() == Framing.LENGTH && in.length() >= head.contentLength();
        if (whole) {
            in.consume((int) head.contentLength());
        }
        attempt.complete((none || whole) && keeps());
    }

    private void interim() {
        if (++interims > handler.target().interimsMax()) {
            malformed(TOO_MANY_INTERIMS);
            return;
        }
        if (!awaitsContinue) {
            long latest = sentNanos + handler.target().interimNanos();
            long usual = sentNanos + handler.pool().limits().answerNanos();
            attempt.moveDeadline(Math.max(latest, usual));
        }
        if (!head.status().equals(Status.CONTINUE)) {
            Fields fields = Forwarding.fields(head, exchange.request());
            exchange.response().inform(head.status(), fields);
        } else if (awaitsContinue) {
            startContent();
        }
    }

    private void startContent() {
        awaitsContinue = false;
        attempt.moveDeadline();
        pump.start(); // its first read sends 100 to the client
    }

    /// Looks at the content that has come with the head. If it is visibly broken, or the upstream
    /// has left already, the answer is 502, because nothing was sent to the client.
    ///
    /// @return whether the answer may begin
    private boolean isSound(Input in) {
        if (isWhole(in) || !attempt.isBusy()) {
            return attempt.isBusy();
        }
        if (moreHasCome) {
            return true; // the rest of a long answer, whose end is not known yet
        }
        int n = attempt.fill(HEAD_READ_MAX_BYTES);
        if (n == Input.END) {
            attempt.brokenOff();
        } else if (n > 0) {
            boolean _ = isWhole(in);
        }
        return n != Input.LOST && attempt.isBusy(); // a loss is reported later
    }

    /// Returns whether all content is in the input. Ends the request if it is malformed.
    private boolean isWhole(Input in) {
        boolean whole = content.isWhole(in);
        if (content.error() != null) {
            malformed(content.error());
        }
        return whole;
    }

    private void begin() {
        awaitsContinue = false; // a client that waits for 100 sends no content now
        attempt.moveDeadline();
        Framing framing = head.framing();
        boolean known = framing == Framing.LENGTH || framing == Framing.NONE;
        long length = known ? head.contentLength() : ResponseHead.UNKNOWN_LENGTH;
        state = State.CONTENT;
        boolean ends = !content.begin();
        exchange.response().head(new ResponseHead(head.status(), fields(), length));
        if (!known && Overflow.isEventStream(head.fields())) {
            peer.lasts();
        }
        if (ends) {
            complete();
        }
    }

    /// @return whether to read on
    private boolean readContent() {
        return switch (content.read(attempt, overflow)) {
            case GO_ON -> true;
            case WAIT -> false;
            case COMPLETE -> {
                complete();
                yield false;
            }
            case MALFORMED -> {
                malformed(content.error());
                yield false;
            }
        };
    }

    private void stored(@Nullable IOException failure) {
        if (failure == null) {
            attempt.moveDeadline();
            readable();
        } else {
            handler.failures().notStored(exchange, peer);
        }
    }

    /// @return whether there is fresh input
    private boolean fillHead() {
        int n = attempt.fill(HEAD_READ_MAX_BYTES);
        moreHasCome = n == HEAD_READ_MAX_BYTES;
        if (n == Input.END) {
            attempt.brokenOff();
        }
        return n > 0;
    }

    private void complete() {
        if (attempt.isBusy()) {
            attempt.complete(keeps());
        }
    }

    /// Returns whether the upstream keeps the connection, and tells the peer for how long.
    private boolean keeps() {
        long idleMaxNanos = KeepAlive.idleMaxNanos(head.fields());
        peer.idleAtMost(idleMaxNanos);
        return head.persistent() && idleMaxNanos > 0;
    }

    private void openTunnel() {
        Duplex client =
                exchange.upgrade(
                        new ResponseHead(head.status(), fields(), ResponseHead.UNKNOWN_LENGTH));
        if (attempt.isBusy()) {
            long idleNanos = handler.target().tunnelIdleNanos();
            ProxyTunnel tunnel = new ProxyTunnel(client, attempt, loop.pumpBuffer, idleNanos);
            attempt.becomes(tunnel);
            peer.lasts();
            tunnel.start();
        }
    }

    /// Returns the fields of the final answer for the client.
    private Fields fields() {
        Fields fields = Forwarding.fields(head, exchange.request());
        @Nullable AnswerChanges changes = handler.changes();
        return changes == null ? fields : changes.apply(fields, exchange, peer.upstream());
    }

    private void malformed(@Nullable ProtocolError error) {
        boolean begun = attempt.fail(PeerFault.MALFORMED);
        handler.failures().malformed(exchange, peer, begun, error);
    }
}
