package dev.serval.conn;

import dev.serval.handler.Fault;
import dev.serval.hpack.FieldSink;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http2.BlockReader;
import dev.serval.http2.Broken;
import dev.serval.http2.EarlyPriorities;
import dev.serval.http2.ErrorCode;
import dev.serval.http2.FloodGuard;
import dev.serval.http2.FrameError;
import dev.serval.http2.FrameReader;
import dev.serval.http2.FrameSink;
import dev.serval.http2.PeerSettings;
import dev.serval.http2.Priority;
import dev.serval.http2.RequestFields;
import dev.serval.http2.Setting;
import dev.serval.http2.TrailerFields;
import dev.serval.policy.Counter;
import dev.serval.policy.Http2Limits;
import dev.serval.policy.LabelledCounter;
import dev.serval.policy.Metrics;
import org.jspecify.annotations.Nullable;

/// Takes the frames of a client for an [Http2Connection]: passes them to their streams, answers those
/// of the connection, and counts those that abuse it. Owned by the connection.
final class Http2Frames implements FrameSink {
    /// What a header block is for.
    private enum Block {
        /// The head of a request.
        REQUEST,
        /// The fields after the content of one.
        TRAILERS,
        /// A stream that is refused or over: only the state of the decoder matters.
        NOTHING
    }

    /// Takes fields that have no effect.
    private static final class Nowhere implements FieldSink {
        static final Nowhere SINK = new Nowhere();

        @Override
        public void name(@Nullable FieldName known, byte[] from, int at, int end) {}

        @Override
        public void value(byte[] from, int at, int end) {}
    }

    private final Http2Loop http;
    private final Http2Connection connection;
    private final Http2Sender sender;
    private final FloodGuard guard;
    private final PeerSettings peer = new PeerSettings();
    private final RequestFields requestFields;
    private final BlockReader blocks;
    private final boolean extendedConnect; // whether our settings offer it
    private final EarlyPriorities early = new EarlyPriorities();
    private Block block = Block.NOTHING;
    private int blockStream; // the number of its stream
    private boolean blockLast; // whether the client's half ends with the block
    private @Nullable TrailerFields trailers; // of TRAILERS
    private int frameBytes; // of content in the present DATA frame
    private boolean frameDropped; // whether it came for no stream that takes it
    private int formerWindow = PeerSettings.FIRST_WINDOW; // before the present SETTINGS
    private boolean acknowledged;
    private boolean signalled; // whether the client has signalled a priority

    Http2Frames(Http2Loop http, Http2Connection connection, FloodGuard guard) {
        this.http = http;
        this.connection = connection;
        this.sender = connection.sender();
        this.guard = guard;
        this.extendedConnect = !http.connectProtocols().isEmpty();
        this.requestFields = new RequestFields(http.characters(), extendedConnect);
        this.blocks = new BlockReader(http.scratch(), requestFields);
    }

    /// Returns whether extended CONNECT is served on this connection.
    boolean extendedConnect() {
        return extendedConnect;
    }

    /// Returns the window that the client gives a new stream.
    int peerWindow() {
        return peer.window();
    }

    /// Returns the bytes of memory that the compression of heads takes, and trailers whose end has not
    /// arrived.
    int memoryBytes() {
        return blocks.memoryBytes() + (trailers == null ? 0 : trailers.memoryBytes());
    }

    /// Gives up a stream whose head is incomplete, because the connection ends.
    void close() {
        @Nullable Http2Stream open = block == Block.REQUEST ? connection.find(blockStream) : null;
        block = Block.NOTHING;
        if (open != null) {
            open.drop();
        }
    }

    // Content

    @Override
    public @Nullable FrameError data(int stream, int length, int padding) {
        frameBytes = length - padding; // padding alone is no content, see FloodGuard
        frameDropped = true;
        if (!connection.spend(length)) {
            return Broken.WINDOW_EXCEEDED;
        }
        @Nullable Http2Stream found = connection.find(stream);
        if (found == null || !found.isRemoteOpen()) {
            connection.grant(length);
            return over(stream, found);
        }
        if (!found.content().beginFrame(length, padding)) {
            connection.grant(length - padding);
            return fault(stream, found, Broken.WINDOW_EXCEEDED);
        }
        frameDropped = false;
        found.framed(FrameReader.HEADER + padding);
        return null;
    }

    @Override
    public @Nullable FrameError content(int stream, byte[] from, int at, int end) {
        if (frameDropped) {
            return null;
        }
        @Nullable Http2Stream found = connection.find(stream); // it may have ended meanwhile
        if (found == null || found.isClosed()) {
            connection.grant(end - at);
            return null;
        }
        connection.shared().content().arrive(end - at);
        boolean announced = found.content().add(from, at, end);
        if (announced) {
            found.arrived();
        }
        found.content().keep();
        return announced ? null : fault(stream, found, Broken.LENGTH);
    }

    @Override
    public @Nullable FrameError dataEnd(int stream, boolean last) {
        if (frameDropped) {
            return null; // which was counted when it began, and makes up for nothing
        }
        @Nullable Http2Stream found = connection.find(stream);
        if (frameBytes > 0) {
            guard.data(frameBytes);
        } else if (!last && useless()) {
            return Broken.FRAME_FLOOD;
        }
        if (found == null || !last || found.isClosed()) {
            return null;
        }
        if (!found.content().end(Fields.EMPTY)) {
            return fault(stream, found, Broken.LENGTH);
        }
        found.ended();
        return null;
    }

    // Heads

    @Override
    public @Nullable FrameError headers(int stream, boolean last) {
        blockLast = last;
        block = Block.NOTHING;
        blockStream = stream;
        FieldSink sink = Nowhere.SINK;
        if (stream % 2 == 0) {
            return Broken.STREAM_EVEN;
        }
        if (stream > connection.lastStream()) {
            @Nullable Http2Stream opened = connection.open(stream);
            if (opened != null) {
                block = Block.REQUEST;
                requestFields.begin(opened.writer(), http.limits().head());
                sink = requestFields;
            } else if (guard.reset(limits(), now())) {
                return Broken.RESET_FLOOD;
            }
        } else {
            @Nullable Http2Stream found = connection.find(stream);
            if (found == null || !found.isRemoteOpen()) {
                @Nullable FrameError wrong = over(stream, found);
                if (wrong != null) {
                    return wrong;
                }
            } else if (found.content().isTunnel()) {
                @Nullable FrameError wrong = fault(stream, found, Broken.TUNNEL_FIELDS);
                if (wrong != null) {
                    return wrong;
                }
            } else {
                block = Block.TRAILERS;
                trailers = new TrailerFields(http.limits().content());
                sink = trailers;
            }
        }
        blocks.begin(http.limits().head().maxBytes(), sink);
        return null;
    }

    @Override
    public @Nullable FrameError continuation() {
        return blocks.continuation(limits().continuationsMax());
    }

    @Override
    public @Nullable FrameError block(byte[] from, int at, int end, boolean whole) {
        @Nullable FrameError wrong = blocks.read(from, at, end, whole);
        @Nullable Http2Stream stream = block == Block.NOTHING ? null : connection.find(blockStream);
        if (stream != null) {
            stream.framed(FrameReader.HEADER + end - at);
            stream.headGrew();
        }
        if (!whole) {
            return wrong;
        }
        @Nullable TrailerFields section = trailers;
        trailers = null;
        block = Block.NOTHING;
        if (wrong != null || stream == null || stream.isClosed()) { // reset while it arrived
            return wrong;
        }
        return section == null ? requestRead(stream) : trailersRead(stream, section);
    }

    private @Nullable FrameError requestRead(Http2Stream stream) {
        if (blocks.tooLarge()) {
            requestFields.tooLarge();
        }
        requestFields.end(blockLast);
        @Nullable FrameError malformed = requestFields.malformed();
        if (malformed != null) {
            return fault(stream.streamNumber(), stream, malformed);
        }
        @Nullable String protocol = stream.writer().head().connectProtocol();
        if (protocol != null && !http.connectProtocols().contains(protocol)) {
            requestFields.unknownProtocol();
        }
        stream.prioritize(priorityOf(stream));
        connection.requestRead();
        stream.begin(blockLast, requestFields.refused(), requestFields.asksForHeadOnly());
        return null;
    }

    /// Returns the priority of a request whose head was read. A frame before it replaces its field (RFC
    /// 9218 §7). Only a client that signals priorities means the usual one where it says nothing.
    private int priorityOf(Http2Stream stream) {
        Fields fields = stream.writer().head().fields();
        int at = fields.indexOf(FieldName.PRIORITY, 0);
        signalled |= at >= 0;
        int updated = early.take(stream.streamNumber());
        if (updated != EarlyPriorities.NONE) {
            return updated;
        }
        int priority = signalled || peer.signalsPriorities() ? Priority.USUAL : Priority.FAIR;
        while (at >= 0) {
            priority =
                    Priority.read(
                            fields.buffer(), fields.valueAt(at), fields.valueEnd(at), priority);
            at = fields.indexOf(FieldName.PRIORITY, at + 1);
        }
        return priority;
    }

    private @Nullable FrameError trailersRead(Http2Stream stream, TrailerFields section) {
        @Nullable FrameError wrong = section.malformed();
        if (wrong == null && blocks.tooLarge()) { // so the section has not seen all of them
            wrong = Broken.TRAILERS_TOO_LARGE;
        }
        if (wrong == null && !blockLast) {
            wrong = Broken.TRAILERS_OPEN;
        }
        if (wrong == null && !stream.content().end(section.end())) {
            wrong = Broken.LENGTH;
        }
        if (wrong != null) {
            return fault(stream.streamNumber(), stream, wrong);
        }
        stream.ended();
        return null;
    }

    // Frames of the connection, and the others of streams

    @Override
    public @Nullable FrameError priority(int stream) {
        return useless() ? Broken.FRAME_FLOOD : null;
    }

    @Override
    public @Nullable FrameError priorityUpdate(int stream, byte[] from, int at, int end) {
        if (stream == 0 || stream % 2 == 0) {
            return Broken.PRIORITY_OF_NONE;
        }
        if (useless()) {
            return Broken.FRAME_FLOOD;
        }
        signalled = true;
        int priority = Priority.read(from, at, end, Priority.USUAL);
        if (stream > connection.lastStream()) {
            early.put(stream, priority);
            return null;
        }
        @Nullable Http2Stream found = connection.find(stream);
        if (found != null) {
            found.prioritize(priority);
        }
        return null;
    }

    @Override
    public @Nullable FrameError rstStream(int stream, int code) {
        if (stream > connection.lastStream() || stream % 2 == 0) {
            return Broken.STREAM_IDLE;
        }
        @Nullable Http2Stream found = connection.find(stream);
        if (found == null || found.isClosed()) {
            connection.resets().alsoByClient(stream);
            return useless() ? Broken.FRAME_FLOOD : null;
        }
        connection.resets().add(stream, false);
        found.lost(Fault.PEER_GONE);
        return guard.reset(limits(), now()) ? Broken.RESET_FLOOD : null;
    }

    @Override
    public @Nullable FrameError setting(int id, long value) {
        @Nullable FrameError wrong = peer.set(id, value);
        if (wrong == null && id == Setting.HEADER_TABLE_SIZE) {
            sender.tableMax(peer.tableBytes());
        }
        return wrong;
    }

    @Override
    public @Nullable FrameError settingsEnd() {
        peer.end();
        int change = peer.window() - formerWindow;
        formerWindow = peer.window();
        if (change != 0 && !connection.changeWindows(change)) {
            return Broken.SETTING_WINDOW;
        }
        sender.settingsAck();
        return useless() ? Broken.FRAME_FLOOD : null;
    }

    @Override
    public @Nullable FrameError settingsAck() {
        if (acknowledged) {
            return useless() ? Broken.FRAME_FLOOD : null;
        }
        acknowledged = true;
        blocks.tableMax(connection.announced().tableMaxBytes());
        return null;
    }

    @Override
    public @Nullable FrameError ping(boolean ack, long opaque) {
        if (ack) {
            connection.pinged(opaque);
        } else {
            sender.ping(true, opaque);
        }
        return useless() ? Broken.FRAME_FLOOD : null;
    }

    @Override
    public @Nullable FrameError goAway(int code) {
        connection.clientLeaves();
        return useless() ? Broken.FRAME_FLOOD : null;
    }

    @Override
    public @Nullable FrameError windowUpdate(int stream, int increment) {
        if (useless()) {
            return Broken.FRAME_FLOOD;
        }
        if (stream == 0) {
            return increment == 0
                    ? Broken.NO_INCREMENT
                    : sender.granted(increment) ? null : Broken.WINDOW_TOO_LARGE;
        }
        if (stream > connection.lastStream() || stream % 2 == 0) {
            return Broken.STREAM_IDLE;
        }
        @Nullable Http2Stream found = connection.find(stream);
        if (found == null || found.isClosed()) {
            return null; // it may have crossed the end of the stream (§5.1)
        }
        if (increment == 0) {
            return fault(stream, found, Broken.NO_INCREMENT);
        }
        if (!found.response().window().grant(increment)) {
            return fault(stream, found, Broken.WINDOW_TOO_LARGE);
        }
        found.ready();
        return null;
    }

    @Override
    public @Nullable FrameError unknown() {
        return useless() ? Broken.FRAME_FLOOD : null;
    }

    // Errors

    /// Handles a frame of a stream whose client's half is over. One that was reset may still get
    /// frames, which were sent before its client knew (§5.1).
    private @Nullable FrameError over(int stream, @Nullable Http2Stream found) {
        if (stream > connection.lastStream() || stream % 2 == 0) {
            return Broken.STREAM_IDLE;
        }
        if (found != null && !found.isClosed()) {
            return fault(stream, found, Broken.STREAM_ENDED);
        }
        if (connection.resets().has(stream, true)) {
            return useless() ? Broken.FRAME_FLOOD : null;
        }
        if (found == null && !connection.resets().has(stream, false)) {
            return Broken.STREAM_ENDED;
        }
        return fault(stream, null, Broken.STREAM_ENDED);
    }

    /// Resets a stream whose client broke a rule. A client may make the server do so as often as it may
    /// reset streams itself.
    private @Nullable FrameError fault(int stream, @Nullable Http2Stream found, FrameError wrong) {
        count(wrong);
        connection.reset(stream, wrong.code());
        if (found != null) {
            found.lost(Fault.PROTOCOL);
        }
        return guard.reset(limits(), now()) ? Broken.RESET_FLOOD : null;
    }

    /// Counts a rule that the client broke.
    void count(FrameError wrong) {
        Metrics.Column metrics = connection.accepted().metrics();
        if (wrong.code() == ErrorCode.ENHANCE_YOUR_CALM) {
            metrics.refuse(Counter.CONNECTIONS_REFUSED_FLOOD);
        } else {
            metrics.count(Counter.PROTOCOL_ERRORS);
            metrics.count(LabelledCounter.REFUSALS, wrong.what());
        }
    }

    private boolean useless() {
        return guard.frame(limits(), now());
    }

    private Http2Limits limits() {
        return http.http2();
    }

    private long now() {
        return http.service().nowNanos();
    }
}
