package dev.serval.conn;

import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.http2.ErrorCode;
import dev.serval.http2.FlowWindow;
import dev.serval.http2.FrameReader;
import dev.serval.http2.FrameWriter;
import dev.serval.http2.PeerSettings;
import dev.serval.http2.ResponseFields;
import dev.serval.http2.SendOrder;
import dev.serval.http2.Setting;
import dev.serval.http2.UnsentContent;
import dev.serval.loop.Command;
import dev.serval.net.Connection;
import dev.serval.net.Output;
import dev.serval.policy.Http2Limits;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Sends the frames of an HTTP/2 connection. Frames of the connection and heads are written at once,
/// in the order of the calls, because the compression of heads depends on it. Streams that have
/// content send one frame each in the order of [SendOrder], as far as the windows and the socket
/// allow. All of it leaves in one write at the end of the connection's part of the turn. Owned by
/// the connection.
final class Http2Sender {
    private final Http2Loop http;
    private final AcceptedConnection accepted;
    private final Connection connection;
    private final Output out;
    private final ResponseFields fields;
    private final FlowWindow window = new FlowWindow(PeerSettings.FIRST_WINDOW);
    private final SendOrder<Http2Stream> ready = new SendOrder<>();
    private final ArrayDeque<Http2Stream> starved = new ArrayDeque<>(); // wait for the window
    private final UnsentContent unsent;
    private final Command pump;
    private int lastServed = Integer.MAX_VALUE; // as the last GOAWAY said
    private boolean begun; // our settings were sent

    Http2Sender(Http2Loop http, AcceptedConnection accepted) {
        this.http = http;
        this.accepted = accepted;
        this.connection = accepted.net();
        this.out = connection.out();
        this.fields = new ResponseFields(http.block());
        this.unsent = new UnsentContent(connection.loop().nowNanos());
        this.pump = connection.command(this::pump);
    }

    // Frames of the connection

    /// Sends our settings, and opens the connection's window for content.
    ///
    /// @param extendedConnect whether a handler opens tunnels (RFC 8441 §3)
    void settings(Http2Limits limits, boolean extendedConnect) {
        begun = true;
        FrameWriter.settings(out.room(FrameReader.HEADER), extendedConnect ? 6 : 5);
        setting(Setting.HEADER_TABLE_SIZE, limits.tableMaxBytes());
        setting(Setting.MAX_CONCURRENT_STREAMS, limits.streamsMax());
        setting(Setting.INITIAL_WINDOW_SIZE, limits.streamWindowBytes());
        setting(Setting.MAX_HEADER_LIST_SIZE, http.limits().head().maxBytes());
        setting(Setting.NO_RFC7540_PRIORITIES, 1);
        if (extendedConnect) {
            setting(Setting.ENABLE_CONNECT_PROTOCOL, 1);
        }
        int more = limits.connectionWindowBytes() - PeerSettings.FIRST_WINDOW;
        if (more > 0) {
            windowUpdate(0, more);
        }
    }

    private void setting(int id, int value) {
        FrameWriter.setting(out.room(FrameWriter.SETTING), id, value);
    }

    void settingsAck() {
        if (connection.isOpen()) {
            FrameWriter.settingsAck(out.room(FrameReader.HEADER));
        }
    }

    void ping(boolean ack, long opaque) {
        if (connection.isOpen()) {
            FrameWriter.ping(out.room(FrameWriter.LONG), ack, opaque);
        }
    }

    /// Tells the last stream that is served, which never rises (RFC 9113 §6.8). A client whose preface has
    /// not come is told nothing, because our settings must be the first frame (§3.4).
    void goAway(int lastStream, ErrorCode code) {
        lastServed = Math.min(lastServed, lastStream);
        if (begun && connection.isOpen()) {
            FrameWriter.goAway(out.room(FrameWriter.LONG), lastServed, code);
        }
    }

    void rstStream(int stream, ErrorCode code) {
        if (connection.isOpen()) {
            FrameWriter.rstStream(out.room(FrameWriter.SHORT), stream, code);
        }
    }

    /// Allows the client more content.
    ///
    /// @param stream 0 for the connection
    void windowUpdate(int stream, int bytes) {
        if (connection.isOpen()) {
            FrameWriter.windowUpdate(out.room(FrameWriter.SHORT), stream, bytes);
        }
    }

    /// Sets the largest table for heads that the client allows.
    void tableMax(int bytes) {
        fields.tableMax(bytes);
    }

    /// Returns the bytes of memory that the compression of heads takes.
    int memoryBytes() {
        return fields.memoryBytes();
    }

    // Heads

    /// Sends the head of a final response.
    ///
    /// @param last whether nothing follows
    /// @return the bytes that it has with its framing
    int head(int stream, ResponseHead head, boolean last) {
        fields.head(head, http.date());
        return block(stream, last);
    }

    /// Sends the head of an interim response, or of one that opens a tunnel.
    int interim(int stream, Status status, Fields lines) {
        fields.interim(status, lines);
        return block(stream, false);
    }

    /// Sends trailers, which end the stream.
    int trailers(int stream, Fields lines) {
        fields.trailers(lines);
        return block(stream, true);
    }

    private int block(int stream, boolean last) {
        int length = http.block().length();
        int bytes = FrameWriter.blockBytes(length);
        if (connection.isOpen()) {
            FrameWriter.headers(out.room(bytes), stream, http.block().array(), length, last);
        }
        return bytes;
    }

    // Content

    /// Returns the number of content bytes that all streams together may send.
    FlowWindow window() {
        return window;
    }

    /// Uses bytes of the window.
    void spend(int bytes) {
        window.spend(bytes);
        unsent.took(bytes, connection.loop().nowNanos());
    }

    /// Returns the count of the content that waits in memory.
    UnsentContent unsent() {
        return unsent;
    }

    /// Lets the pool count the content that waits in memory. Also called each second while content waits,
    /// because what the client has taken is forgotten.
    void countUnsent() {
        connection.net().pool().hold(unsent.count(connection.loop().nowNanos()));
    }

    Output out() {
        return out;
    }

    /// Returns the most content that a frame may have.
    int frameMaxBytes() {
        return http.http2().frameMaxBytes();
    }

    /// Adds bytes to the window, and lets the streams continue that waited for it.
    ///
    /// @return whether the window is not too large
    boolean granted(int bytes) {
        boolean right = window.grant(bytes);
        retryStarved();
        pumpSoon();
        return right;
    }

    /// Lets the streams look at the connection's window again that wait for it.
    void retryStarved() {
        while (!starved.isEmpty()) {
            ready.add(starved.removeFirst());
        }
    }

    /// Puts a stream in the sending order that has something to send, or whose handler waits for room.
    void ready(Http2Stream stream) {
        ready.add(stream);
        pumpSoon();
    }

    /// Takes a stream out of those that have a turn.
    ///
    /// @return whether it was among them
    boolean leave(Http2Stream stream) {
        return ready.remove(stream);
    }

    /// Takes a stream out of the sending order, because it has ended.
    void forget(Http2Stream stream) {
        if (!leave(stream)) {
            boolean _ = starved.remove(stream);
        }
    }

    /// Sends after the current calls have returned.
    void pumpSoon() {
        connection.loop().submit(pump);
    }

    /// Lets streams send, and counts the content that waits then.
    void pump() {
        sendInTurn();
        countUnsent();
    }

    /// Lets streams send, one frame at each turn.
    private void sendInTurn() {
        while (mayWrite()) {
            @Nullable Http2Stream stream = ready.next();
            if (stream == null) {
                return;
            }
            switch (stream.send()) {
                case MORE -> ready.add(stream);
                case STARVED -> {
                    starved.addLast(stream);
                    stream.starve();
                }
                case IDLE -> stream.rest();
            }
        }
        if (!ready.isEmpty()) {
            connection.wantDrained();
        }
    }

    /// Drops the sending order, because the connection is closed.
    void close() {
        ready.clear();
        starved.clear();
    }

    private boolean mayWrite() {
        return connection.isOpen()
                && out.backlog() <= accepted.limits().buffers().unsentMaxBytes()
                && !out.hasUsedQuota();
    }
}
