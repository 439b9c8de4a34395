package dev.serval.conn;

import dev.serval.codec.IpText;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// Reads one header of the PROXY protocol, version 1 or 2 (HAProxy's proxy-protocol.txt, sections 2.1
/// and 2.2). It uses the bytes as they arrive, so that of a header of up to 65,551 bytes no more than
/// 216 wait.
///
/// ```
///           ┌─▶ LINE ───────────────────────────────────────┐
///   START ──┼─▶ ADDRESSES ─▶ TLV ◀──▶ VALUE, CHECKSUM ──────┼─▶ DONE
///           └─▶ SKIP (no addresses are told) ───────────────┘
///   every state ─▶ WRONG
/// ```
final class ProxyHeaderReader {
    /// The states of the diagram above.
    private enum State {
        START,
        LINE,
        ADDRESSES,
        TLV,
        VALUE,
        CHECKSUM,
        SKIP,
        DONE,
        WRONG
    }

    private static final String NO_HEADER = "the connection does not begin with a PROXY header";
    private static final String LINE_TOO_LONG = "the line has more than 107 bytes";
    private static final String BAD_LINE = "the line of version 1 is malformed";
    private static final String BAD_VERSION = "the version or the command is unknown";
    private static final String BAD_FAMILY = "the address family or the protocol is unknown";
    private static final String BAD_LENGTH = "the length does not fit what the header contains";
    private static final String BAD_CHECKSUM = "the checksum is wrong";

    private static final byte[] TEXT = ascii("PROXY ");
    private static final byte[] SIGNATURE = ascii("\r\n\r\n\0\r\nQUIT\n");
    private static final byte[] UNKNOWN = ascii("UNKNOWN");
    private static final byte[] TCP4 = ascii("TCP4 ");
    private static final byte[] TCP6 = ascii("TCP6 ");
    private static final int LINE_MAX_BYTES = 107;
    private static final int FIXED_BYTES = 16;
    private static final int FOUR_BYTES = 12;
    private static final int SIX_BYTES = 36;
    private static final int UNIX_BYTES = 216;
    private static final int TLV_BYTES = 3;
    private static final int CHECKSUM_TYPE = 0x03; // PP2_TYPE_CRC32C
    private static final int CHECKSUM_BYTES = 4;
    private static final int INTERNET = 1;
    private static final int INTERNET_6 = 2;
    private static final int UNIX = 3;

    /// The addresses of a client and a server without internet addresses. Paths are not read.
    private static final SocketAddress UNNAMED = UnixDomainSocketAddress.of("");

    private State state = State.START;
    private @Nullable SocketAddress source;
    private @Nullable SocketAddress destination;
    private String fault = "";
    private int family;
    private int left; // bytes of the header that were not used yet
    private int valueLeft; // of the present TLV
    private final CRC32C sum = new CRC32C();
    private boolean summed; // a checksum was read
    private int expected;

    /// Uses what it can of `bytes[from, to)`. Bytes that are not used must be passed again, with more
    /// after them.
    ///
    /// @return the number of bytes that were used
    int read(byte[] bytes, int from, int to) {
        int at = from;
        while (true) {
            State before = state;
            int used = step(bytes, at, to);
            at += used;
            if (state == State.DONE || state == State.WRONG || (used == 0 && state == before)) {
                return at - from;
            }
        }
    }

    /// Returns whether the header is complete.
    boolean isDone() {
        return state == State.DONE;
    }

    /// Returns whether the header broke a rule, which [#fault] tells.
    boolean isWrong() {
        return state == State.WRONG;
    }

    /// Returns the broken rule.
    String fault() {
        return fault;
    }

    /// Returns the client's address; null if the header tells none, so that the addresses of the
    /// connection itself count.
    @Nullable SocketAddress source() {
        return source;
    }

    /// Returns the address that the client connected to; null as with [#source].
    @Nullable SocketAddress destination() {
        return destination;
    }

    private int step(byte[] bytes, int at, int to) {
        return switch (state) {
            case START -> start(bytes, at, to);
            case LINE -> line(bytes, at, to);
            case ADDRESSES -> addresses(bytes, at, to);
            case TLV -> tlv(bytes, at, to);
            case VALUE -> value(bytes, at, to);
            case CHECKSUM -> checksum(bytes, at, to);
            case SKIP -> skip(at, to);
            case DONE, WRONG -> 0;
        };
    }

    private int start(byte[] bytes, int at, int to) {
        if (at == to) {
            return 0;
        }
        if (bytes[at] == TEXT[0]) {
            enter(State.LINE);
            return 0;
        }
        if (!beginsLike(bytes, at, to, SIGNATURE)) {
            return wrong(NO_HEADER);
        }
        if (to - at < FIXED_BYTES) {
            return 0;
        }
        int command = bytes[at + 12] & 0xff;
        left = unsigned(bytes, at + 14);
        if (command != 0x20 && command != 0x21) { // version 2: LOCAL, PROXY
            return wrong(BAD_VERSION);
        }
        int kind = bytes[at + 13] & 0xff;
        if (command == 0x20 || kind == 0) {
            // LOCAL discards all of the block; UNSPEC tells no addresses.
            enter(State.SKIP);
            return FIXED_BYTES;
        }
        family = kind >> 4;
        int protocol = kind & 0xf; // stream or datagram
        if (family < INTERNET || family > UNIX || protocol < 1 || protocol > 2) {
            return wrong(BAD_FAMILY);
        }
        if (left < addressBytes()) {
            return wrong(BAD_LENGTH);
        }
        sum.update(bytes, at, FIXED_BYTES);
        enter(State.ADDRESSES);
        return FIXED_BYTES;
    }

    private int addressBytes() {
        return switch (family) {
            case INTERNET -> FOUR_BYTES;
            case INTERNET_6 -> SIX_BYTES;
            default -> UNIX_BYTES;
        };
    }

    private int addresses(byte[] bytes, int at, int to) {
        int length = addressBytes();
        if (to - at < length) {
            return 0;
        }
        if (family == UNIX) {
            source = UNNAMED;
            destination = UNNAMED;
        } else {
            int one = family == INTERNET ? 4 : 16;
            source = address(bytes, at, one, at + 2 * one);
            destination = address(bytes, at + one, one, at + 2 * one + 2);
        }
        sum.update(bytes, at, length);
        left -= length;
        next();
        return length;
    }

    private int tlv(byte[] bytes, int at, int to) {
        if (left < TLV_BYTES) {
            return wrong(BAD_LENGTH);
        }
        if (to - at < TLV_BYTES) {
            return 0;
        }
        valueLeft = unsigned(bytes, at + 1);
        left -= TLV_BYTES;
        boolean isSum = bytes[at] == CHECKSUM_TYPE;
        if (valueLeft > left || (isSum && (summed || valueLeft != CHECKSUM_BYTES))) {
            return wrong(BAD_LENGTH);
        }
        sum.update(bytes, at, TLV_BYTES);
        state = isSum ? State.CHECKSUM : State.VALUE;
        return TLV_BYTES;
    }

    private int value(byte[] bytes, int at, int to) {
        int used = Math.min(valueLeft, to - at);
        sum.update(bytes, at, used);
        valueLeft -= used;
        left -= used;
        if (valueLeft == 0) {
            next();
        }
        return used;
    }

    /// Reads the checksum. It was computed with zeros in its place.
    private int checksum(byte[] bytes, int at, int to) {
        if (to - at < CHECKSUM_BYTES) {
            return 0;
        }
        expected = unsigned(bytes, at) << 16 | unsigned(bytes, at + 2);
        summed = true;
        for (int i = 0; i < CHECKSUM_BYTES; i++) {
            sum.update(0);
        }
        left -= CHECKSUM_BYTES;
        next();
        return CHECKSUM_BYTES;
    }

    private void next() {
        if (left > 0) {
            enter(State.TLV);
        } else if (summed && (int) sum.getValue() != expected) {
            wrong(BAD_CHECKSUM);
        } else {
            enter(State.DONE);
        }
    }

    private int skip(int at, int to) {
        int used = Math.min(left, to - at);
        left -= used;
        if (left == 0) {
            enter(State.DONE);
        }
        return used;
    }

    private int line(byte[] bytes, int at, int to) {
        if (!beginsLike(bytes, at, to, TEXT)) {
            return wrong(NO_HEADER);
        }
        int most = Math.min(to, at + LINE_MAX_BYTES);
        int end = at;
        while (end < most && bytes[end] != '\r') {
            end++;
        }
        if (end + 1 >= most) { // the line feed has not arrived
            return most - at == LINE_MAX_BYTES ? wrong(LINE_TOO_LONG) : 0;
        }
        if (bytes[end + 1] != '\n' || !words(bytes, at + TEXT.length, end)) {
            return wrong(BAD_LINE);
        }
        enter(State.DONE);
        return end + 2 - at;
    }

    /// Reads `TCP4`, `TCP6` or `UNKNOWN`, and what follows in the line.
    private boolean words(byte[] bytes, int from, int to) {
        if (begins(bytes, from, to, UNKNOWN)) {
            int end = from + UNKNOWN.length;
            return end == to || bytes[end] == ' '; // the rest of the line is ignored
        }
        boolean six = begins(bytes, from, to, TCP6);
        if (!six && !begins(bytes, from, to, TCP4)) {
            return false;
        }
        int[] ends = new int[4];
        int at = from + TCP4.length;
        for (int i = 0; i < ends.length; i++) {
            ends[i] = wordEnd(bytes, at, to);
            at = ends[i] + 1;
        }
        int first = from + TCP4.length;
        source = address(bytes, six, first, ends[0], ends[1] + 1, ends[2]);
        destination = address(bytes, six, ends[0] + 1, ends[1], ends[2] + 1, ends[3]);
        return source != null && destination != null && ends[3] == to;
    }

    private static int wordEnd(byte[] bytes, int from, int to) {
        int end = from;
        while (end < to && bytes[end] != ' ') {
            end++;
        }
        return end;
    }

    private static @Nullable SocketAddress address(
            byte[] bytes, boolean six, int from, int to, int portFrom, int portTo) {
        @Nullable InetAddress ip = six ? IpText.six(bytes, from, to) : IpText.four(bytes, from, to);
        int port = IpText.port(bytes, portFrom, portTo);
        return ip == null || port < 0 ? null : new InetSocketAddress(ip, port);
    }

    private static SocketAddress address(byte[] bytes, int at, int length, int portAt) {
        try {
            byte[] ip = Arrays.copyOfRange(bytes, at, at + length);
            return new InetSocketAddress(InetAddress.getByAddress(ip), unsigned(bytes, portAt));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("An address of " + length + " bytes", e);
        }
    }

    private static int unsigned(byte[] bytes, int at) {
        return (bytes[at] & 0xff) << 8 | (bytes[at + 1] & 0xff);
    }

    /// Returns whether the bytes are the beginning of a text, or begin with it.
    private static boolean beginsLike(byte[] bytes, int from, int to, byte[] text) {
        int length = Math.min(to - from, text.length);
        return Arrays.equals(bytes, from, from + length, text, 0, length);
    }

    private static boolean begins(byte[] bytes, int from, int to, byte[] text) {
        return to - from >= text.length && beginsLike(bytes, from, to, text);
    }

    private void enter(State next) {
        state = next;
    }

    private int wrong(String what) {
        fault = what;
        enter(State.WRONG);
        return 0;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
