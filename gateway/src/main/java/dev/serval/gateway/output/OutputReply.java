package dev.serval.gateway.output;

import dev.serval.exchange.EngineExchange;
import dev.serval.gateway.cgi.OutputParser;
import dev.serval.gateway.peer.Peer;
import dev.serval.gateway.peer.PeerFault;
import dev.serval.gateway.relay.Attempt;
import dev.serval.gateway.relay.Interception;
import dev.serval.gateway.relay.Overflow;
import dev.serval.gateway.relay.Reply;
import dev.serval.gateway.relay.SentFiles;
import dev.serval.http.FieldName;
import dev.serval.http.ProtocolError;
import dev.serval.http.Status;
import dev.serval.net.Input;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Decodes what a peer sends into the output of its application, and gives that to an
/// [OutputAnswer]. Owned by the loop of the exchange.
final class OutputReply implements Reply {
    /// The most bytes of output in one event: the engine copies a piece of that size at once.
    private static final int PIECE_MAX_BYTES = 32 << 10;

    private static final ProtocolError TOO_SHORT =
            new ProtocolError(
                    Status.BAD_GATEWAY,
                    "the application's output is shorter than its Content-Length",
                    "RFC 9110 §8.6");

    private final OutputMount mount;
    private final EngineExchange exchange;
    private final Attempt attempt;
    private final OutputLoop loop;
    private final OutputLoop.Codecs codecs;
    private final Overflow overflow;
    private final OutputAnswer answer;
    private final Peer peer;

    /// Creates a reply. The peer was granted.
    OutputReply(OutputMount mount, EngineExchange exchange, Attempt attempt, OutputLoop loop) {
        this.mount = mount;
        this.exchange = exchange;
        this.attempt = attempt;
        this.loop = loop;
        this.peer = attempt.peer();
        this.codecs = loop.lend();
        this.overflow = new Overflow(attempt, mount.collecting(), this::stored);
        this.answer =
                new OutputAnswer(exchange, codecs.output(), mount.sentFiles() != null, overflow);
    }

    @Override
    public void readable() {
        Input in = peer.connection().in();
        while (attempt.isBusy()) {
            if (overflow.isFull()) {
                overflow.store();
            } else if (in.length() > 0 || fill()) {
                step(in);
            } else {
                return;
            }
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
        boolean opened = overflow.open(codecs.output().fields());
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
        boolean begun = attempt.fail(PeerFault.LATE);
        mount.failures().late(exchange, peer, begun);
    }

    @Override
    public void clientLeft() {
        overflow.drop();
        attempt.fail(PeerFault.ABANDONED);
    }

    @Override
    public void lost(boolean begun) {
        mount.failures().lost(exchange, peer, begun);
    }

    @Override
    public boolean hasBegun() {
        return answer.hasBegun();
    }

    @Override
    public void endResponse() {
        overflow.send();
        OutputCodec.Outcome outcome = codecs.wire().outcome();
        if (outcome != OutputCodec.Outcome.COMPLETE) {
            boolean begun = answer.hasBegun();
            answer.drop();
            refuse(outcome, begun);
        } else if (!answer.isAsLongAsDeclared()) {
            boolean begun = answer.hasBegun();
            answer.drop();
            wrong(begun, TOO_SHORT);
        } else if (!answer.end()) {
            wrong(false, codecs.output().error());
        } else if (answer.isReplaced()) {
            OutputParser output = codecs.output();
            Interception.answer(exchange, output.status(), output.fields());
        } else {
            sendFile();
        }
    }

    @Override
    public void release() {
        overflow.end(); // with what came before a failure
        answer.drop();
        if (!codecs.errors().isEmpty()) {
            mount.errors().add(codecs.errors().escaped());
        }
        loop.giveBack(codecs);
    }

    /// @return whether there is input
    private boolean fill() {
        int n = attempt.fill();
        if (n > 0) {
            if (answer.hasHead()) {
                attempt.moveDeadline();
            }
            return true;
        }
        if (n == 0) {
            answer.pause();
        } else if (n == Input.END) {
            inputEnded();
        }
        return false;
    }

    private void inputEnded() {
        if (codecs.wire().endsWithConnection() && answer.isAsLongAsDeclared()) {
            ended();
        } else {
            attempt.brokenOff();
        }
    }

    private void step(Input in) {
        OutputCodec codec = codecs.wire();
        byte[] array = in.array();
        OutputEvent event = codec.next(array, in.from(), in.to(), overflow.room(PIECE_MAX_BYTES));
        in.consume(codec.consumed());
        switch (event) {
            case MORE -> {}
            case ERRORS -> codecs.errors().add(array, codec.contentFrom(), codec.contentTo());
            case OUTPUT -> {
                int taken = answer.take(array, codec.contentFrom(), codec.contentTo());
                if (taken == OutputAnswer.WRONG) {
                    malformed(codecs.output().error());
                } else if (taken == OutputAnswer.FULL && attempt.isBusy()) {
                    overflow.pause(Long.MAX_VALUE);
                }
            }
            case END -> ended();
            case WRONG -> malformed(codec.error());
        }
    }

    private void stored(@Nullable IOException failure) {
        if (failure == null) {
            attempt.moveDeadline();
            readable();
        } else {
            mount.failures().notStored(exchange, peer);
        }
    }

    private void ended() {
        attempt.complete(mount.wire().keepsConnections());
    }

    private void refuse(OutputCodec.Outcome outcome, boolean begun) {
        if (outcome == OutputCodec.Outcome.OVERLOADED && !begun) {
            mount.failures().overloaded(exchange);
        } else {
            peer.count(PeerFault.MALFORMED);
            mount.failures().declined(exchange, peer, begun);
        }
    }

    /// Answers output that is wrong although the peer has kept the rules of its protocol.
    private void wrong(boolean begun, @Nullable ProtocolError error) {
        peer.count(PeerFault.MALFORMED);
        mount.failures().malformed(exchange, peer, begun, error);
    }

    private void sendFile() {
        @Nullable SentFiles files = mount.sentFiles();
        if (files == null) {
            return;
        }
        @Nullable String accel = answer.file(FieldName.X_ACCEL_REDIRECT);
        @Nullable String send = answer.file(FieldName.X_SENDFILE);
        if (accel != null || send != null) {
            files.send(exchange, accel, send, answer.fieldsOfFile());
        }
    }

    private void malformed(@Nullable ProtocolError error) {
        if (attempt.isBusy()) {
            boolean begun = attempt.fail(PeerFault.MALFORMED);
            mount.failures().malformed(exchange, peer, begun, error);
        }
    }
}
