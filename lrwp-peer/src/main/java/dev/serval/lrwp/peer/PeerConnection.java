package dev.serval.lrwp.peer;

import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// One connection to the agent, with all its attempts: connect, register, serve, pause, again.
///
/// ```
///            registered          first byte
/// CONNECTING ──────────▶ IDLE ◀────────────▶ BUSY
///     ▲                   │     answered      │
///     │ pause             │ leave             │ answered after leave
///     └───── lost         ▼                   ▼
///                        LEFT ◀───────────────┘
/// ```
///
/// Its virtual thread runs [#run] and owns everything but the state. [#leave] may be called by any
/// thread; it closes an idle connection at once and a busy one after its answer.
final class PeerConnection implements Runnable {
    private static final System.Logger LOG = System.getLogger(PeerConnection.class.getName());

    /// What the connection does.
    enum State {
        CONNECTING,
        IDLE,
        BUSY,
        LEFT
    }

    private final PeerSettings settings;
    private final Registration registration;
    private final LrwpHandler handler;
    private final PeerEvents events;
    private final Backoff backoff;
    private final AtomicReference<State> state = new AtomicReference<>(State.CONNECTING);
    private volatile @Nullable Socket socket;
    private long servedHere;

    PeerConnection(
            PeerSettings settings,
            Registration registration,
            LrwpHandler handler,
            PeerEvents events) {
        this.settings = settings;
        this.registration = registration;
        this.handler = handler;
        this.events = events;
        this.backoff = new Backoff(settings.limits(), settings.surroundings().random());
    }

    @Override
    public void run() {
        try {
            while (!events.isLeaving()) {
                boolean refused = guardedAttempt();
                forgetInterrupt();
                if (!events.isLeaving()) {
                    pause(refused);
                }
            }
        } finally {
            state.set(State.LEFT);
        }
    }

    /// Ends the connection after the request in progress.
    void leave() {
        State now = state.get();
        try {
            while ((now == State.CONNECTING || now == State.IDLE) && !tryToLeave(now)) {
                now = state.get(); // it has changed, such as at the end of the registration
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "closing an idle connection", e);
        }
    }

    /// Closes the connection, unless it has no socket or the next request has arrived.
    ///
    /// @return false if its state is no longer `now`
    private boolean tryToLeave(State now) throws IOException {
        Socket open = socket;
        if (open == null) { // its thread closes one that it opens later
            return true;
        }
        // The agent may have sent a request that the connection's thread has not read yet.
        if (now == State.IDLE && open.getInputStream().available() > 0) {
            return true;
        }
        if (!state.compareAndSet(now, State.LEFT)) {
            return false;
        }
        open.close();
        return true;
    }

    /// Ends the connection at once. The client of a request in progress gets an error.
    void abort() {
        Socket open = socket;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                LOG.log(System.Logger.Level.DEBUG, "closing a connection", e);
            }
        }
    }

    /// Pauses before the next attempt. An interrupt ends the pause; only that of [LrwpPeer#close]
    /// also ends the peer.
    private void pause(boolean refused) {
        try {
            settings.surroundings().pause().pause(backoff.nextNanos(refused), events.leaving());
        } catch (InterruptedException e) {
            LOG.log(System.Logger.Level.DEBUG, "a pause was interrupted", e);
        }
    }

    /// Clears an interrupt that code of the application has left behind: the next read or write
    /// would close the connection. After the peer was told to leave, the interrupt is its own.
    private void forgetInterrupt() {
        if (!events.isLeaving()) {
            boolean _ = Thread.interrupted();
        }
    }

    /// Makes an attempt and reports whatever it throws, because the thread must continue: it is the
    /// only one that connects again.
    private boolean guardedAttempt() {
        try {
            return attempt();
        } catch (Throwable e) { // also an Error of a body's writer, or an OutOfMemoryError
            failed(e);
            return false;
        }
    }

    private void failed(Throwable e) {
        try {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "An answer of " + registration.name() + " failed",
                    e);
            events.lost(registration, "an answer could not be completed", servedHere > 0);
        } catch (Throwable again) { // no memory for the report: the next attempt matters more
            e.addSuppressed(again);
        }
    }

    /// Connects, registers and serves until the connection ends. Returns whether it was refused.
    private boolean attempt() {
        long start = settings.surroundings().nanoTime().getAsLong();
        servedHere = 0;
        boolean registered = false;
        try (Socket open = open()) {
            ConnectionInput input = new ConnectionInput(open.getInputStream());
            register(open, input);
            registered = true;
            events.registered(registration);
            serve(open, input);
            events.lost(registration, "the agent closed the connection", servedHere > 0);
        } catch (LrwpRefusedException e) {
            events.refused(registration, String.valueOf(e.getMessage()));
            return true;
        } catch (IOException e) {
            if (!events.isLeaving()) {
                events.lost(registration, text(e), servedHere > 0);
            }
        } finally {
            socket = null;
            if (registered) {
                events.closed();
            }
            long lived = settings.surroundings().nanoTime().getAsLong() - start;
            if (registered
                    && (servedHere > 0
                            || lived
                                    > TimeUnit.MILLISECONDS.toNanos(
                                            settings.limits().stableMillis()))) {
                backoff.reset();
            }
        }
        return false;
    }

    private Socket open() throws IOException {
        state.set(State.CONNECTING);
        return settings.surroundings()
                .connector()
                .open(
                        settings.agentHost(),
                        settings.agentPort(),
                        settings.limits().connectTimeoutMillis(),
                        this::created);
    }

    private void created(Socket opened) throws IOException {
        socket = opened;
        if (events.isLeaving()) {
            throw new SocketException("the peer is leaving");
        }
    }

    private void register(Socket open, ConnectionInput input) throws IOException {
        open.setSoTimeout(settings.limits().handshakeTimeoutMillis());
        open.getOutputStream().write(registration.startup());
        HandshakeDecoder decoder = new HandshakeDecoder(registration.version());
        HandshakeDecoder.Answer answer = answer(input, decoder);
        if (answer instanceof HandshakeDecoder.Answer.Challenged(byte[] challenge)) {
            byte[] response = registration.answer(challenge);
            if (response == null) {
                throw new LrwpRefusedException(
                        "the agent asks for a passphrase for " + registration.name() + ": set one");
            }
            open.getOutputStream().write(response);
            decoder.reset();
            answer = answer(input, decoder);
        }
        switch (answer) {
            case HandshakeDecoder.Answer.Accepted() -> {}
            case HandshakeDecoder.Answer.Challenged _ ->
                    throw new LrwpRefusedException("the agent challenged twice");
            case HandshakeDecoder.Answer.Refused(String text) ->
                    throw new LrwpRefusedException(
                            text.isEmpty() ? "no answer to the registration" : text);
        }
    }

    private HandshakeDecoder.Answer answer(ConnectionInput input, HandshakeDecoder decoder)
            throws IOException {
        while (true) {
            input.used(decoder.decode(input.buffer(), input.from(), input.to()));
            HandshakeDecoder.Answer answer = decoder.answer();
            if (answer != null) {
                return answer;
            }
            if (!more(input)) {
                decoder.end();
            }
        }
    }

    /// Reads more of the handshake. Returns false at the end and if the agent is silent.
    private static boolean more(ConnectionInput input) throws IOException {
        try {
            return input.fill();
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    private void serve(Socket open, ConnectionInput input) throws IOException {
        RequestDecoder decoder = new RequestDecoder(settings.limits().environmentMaxBytes());
        AnswerWriter writer = new AnswerWriter(open.getOutputStream());
        state.compareAndSet(State.CONNECTING, State.IDLE);
        while (head(open, input, decoder)) {
            if (decoder.isTooLarge()) {
                refuseOne(open, input, decoder, writer);
            } else {
                serveOne(open, input, decoder, writer);
            }
            servedHere++;
            decoder.reset();
            state.compareAndSet(State.BUSY, State.IDLE);
            // A call of `leave` may have found this connection busy.
            if (events.isLeaving()) {
                return;
            }
        }
    }

    /// Marks that a request is in progress. Returns false if the connection has left.
    private boolean becomeBusy() {
        return state.get() == State.BUSY || state.compareAndSet(State.IDLE, State.BUSY);
    }

    /// Reads the head of the next request. Returns false if the connection ended before it.
    private boolean head(Socket open, ConnectionInput input, RequestDecoder decoder)
            throws IOException {
        while (true) {
            input.used(decoder.decode(input.buffer(), input.from(), input.to()));
            boolean idle = decoder.isUntouched();
            if (!idle && !becomeBusy()) {
                return false;
            }
            switch (decoder.state()) {
                case COMPLETE -> {
                    return true;
                }
                case FAULTY -> throw new IOException("the agent sent " + decoder.fault());
                case LENGTH, ENVIRONMENT, BODY_LENGTH -> {}
            }
            open.setSoTimeout(idle ? 0 : settings.limits().readTimeoutMillis());
            if (!input.fill()) {
                if (idle) {
                    return false;
                }
                throw new EOFException("the agent closed within a request");
            }
        }
    }

    private void serveOne(
            Socket open, ConnectionInput input, RequestDecoder decoder, AnswerWriter writer)
            throws IOException {
        Environment environment = new Environment(decoder.environment());
        int bytes = decoder.bodyBytes();
        open.setSoTimeout(settings.limits().readTimeoutMillis());
        LrwpResponse response;
        if (bytes <= settings.limits().bodyMemoryMaxBytes()) {
            byte[] content = input.exactly(bytes);
            response = answer(new LrwpRequest(registration.name(), environment, content));
        } else {
            ConnectionInput.Body body = new ConnectionInput.Body(input, bytes);
            response = answer(new LrwpRequest(registration.name(), environment, bytes, body));
            body.drain();
        }
        writer.send(response);
        forgetInterrupt();
        events.served();
    }

    /// Answers a request whose environment was skipped. The connection stays, because its client
    /// could otherwise close all of them.
    private void refuseOne(
            Socket open, ConnectionInput input, RequestDecoder decoder, AnswerWriter writer)
            throws IOException {
        open.setSoTimeout(settings.limits().readTimeoutMillis());
        new ConnectionInput.Body(input, decoder.bodyBytes()).drain();
        LOG.log(
                System.Logger.Level.WARNING,
                "A request of "
                        + registration.name()
                        + " has more variables than environmentMaxBytes; answered 431");
        writer.send(LrwpResponse.status(431, "The fields of the request are too large."));
        events.served();
    }

    private LrwpResponse answer(LrwpRequest request) {
        try {
            @Nullable LrwpResponse response = handler.handle(request);
            if (response != null) {
                return response;
            }
            LOG.log(
                    System.Logger.Level.ERROR,
                    "The handler of " + registration.name() + " returned null; answered 500");
        } catch (BodyTooLargeException e) {
            return LrwpResponse.status(413, "The content is too large.");
        } catch (InterruptedException e) {
            if (events.isLeaving()) {
                Thread.currentThread().interrupt();
            }
            LOG.log(
                    System.Logger.Level.WARNING,
                    "The handler of " + registration.name() + " was interrupted; answered 500",
                    e);
        } catch (Throwable e) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "The handler of " + registration.name() + " failed; answered 500",
                    e);
        } finally {
            forgetInterrupt();
        }
        events.failed();
        return LrwpResponse.status(500, "The application failed.");
    }

    private static String text(IOException e) {
        String message = e.getMessage();
        return message == null ? e.getClass().getSimpleName() : message;
    }
}
