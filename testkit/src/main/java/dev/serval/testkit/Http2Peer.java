package dev.serval.testkit;

import dev.serval.testkit.layer.ClientHpack;
import dev.serval.testkit.layer.ClientHpack.Field;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/// A scripted client of HTTP/2: it sends any frames, right or wrong, and writes down the frames that it
/// receives, one a line. It answers nothing by itself. Owned by the thread of its test.
///
/// Lines are such as `HEADERS 1 end :status=200 content-length=5`, `DATA 1 5 end hello`,
/// `RST_STREAM 3 CANCEL`, `SETTINGS ack`, `PING ack 0000000000000000`, `GOAWAY 1 PROTOCOL_ERROR`,
/// `WINDOW_UPDATE 0 100`; at last `END` or `RESET`.
public final class Http2Peer {
    /// Frame types.
    public static final int DATA = 0;

    public static final int HEADERS = 1;
    public static final int PRIORITY = 2;
    public static final int RST_STREAM = 3;
    public static final int SETTINGS = 4;
    public static final int PING = 6;
    public static final int GOAWAY = 7;
    public static final int WINDOW_UPDATE = 8;
    public static final int CONTINUATION = 9;
    public static final int PRIORITY_UPDATE = 16;

    /// Flags.
    public static final int END_STREAM = 1;

    public static final int ACK = 1;
    public static final int END_HEADERS = 4;

    private static final List<String> TYPES =
            List.of(
                    "DATA",
                    "HEADERS",
                    "PRIORITY",
                    "RST_STREAM",
                    "SETTINGS",
                    "PUSH_PROMISE",
                    "PING",
                    "GOAWAY",
                    "WINDOW_UPDATE",
                    "CONTINUATION");
    private static final List<String> CODES =
            List.of(
                    "NO_ERROR",
                    "PROTOCOL_ERROR",
                    "INTERNAL_ERROR",
                    "FLOW_CONTROL_ERROR",
                    "SETTINGS_TIMEOUT",
                    "STREAM_CLOSED",
                    "FRAME_SIZE_ERROR",
                    "REFUSED_STREAM",
                    "CANCEL",
                    "COMPRESSION_ERROR",
                    "CONNECT_ERROR",
                    "ENHANCE_YOUR_CALM",
                    "INADEQUATE_SECURITY",
                    "HTTP_1_1_REQUIRED");
    private static final int HEADER = 9;
    private static final int SHOWN_MAX = 100;

    private final Wire wire;
    private final ClientHpack hpack = new ClientHpack();
    private final byte[] buffer = new byte[64 << 10];
    private byte[] left = {};
    private byte[] block = {};
    private boolean over;
    private boolean showsSettings;

    /// Creates a client that has sent nothing.
    public Http2Peer(Wire wire) {
        this.wire = wire;
    }

    /// Sends the preface and empty settings.
    public Http2Peer begin() {
        return text("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").frame(SETTINGS, 0, 0, "");
    }

    /// Sends bytes.
    public Http2Peer text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        wire.write(bytes, 0, bytes.length);
        return this;
    }

    /// Sends a frame.
    ///
    /// @param hex the payload in hexadecimal
    public Http2Peer frame(int type, int flags, int stream, String hex) {
        return frame(type, flags, stream, HexFormat.of().parseHex(hex));
    }

    /// Sends a frame.
    public Http2Peer frame(int type, int flags, int stream, byte[] payload) {
        ByteBuffer frame = ByteBuffer.allocate(HEADER + payload.length);
        frame.putInt(payload.length << 8 | type).put((byte) flags).putInt(stream).put(payload);
        wire.write(frame.array(), 0, frame.capacity());
        return this;
    }

    /// Shows settings with their values from now on, such as `SETTINGS 4=65536 9=1`.
    public Http2Peer showingSettings() {
        showsSettings = true;
        return this;
    }

    /// Sends a GET.
    public Http2Peer get(int stream, String path) {
        return frame(HEADERS, END_HEADERS | END_STREAM, stream, head("GET", path));
    }

    /// Sends the head of a POST; content must follow.
    ///
    /// @param lines more fields: `name value`, divided by `|`
    public Http2Peer post(int stream, String path, String lines) {
        byte[] more = block(lines);
        byte[] head = head("POST", path);
        byte[] all = Arrays.copyOf(head, head.length + more.length);
        System.arraycopy(more, 0, all, head.length, more.length);
        return frame(HEADERS, END_HEADERS, stream, all);
    }

    /// Sends content.
    public Http2Peer data(int stream, String text, boolean last) {
        return frame(
                DATA, last ? END_STREAM : 0, stream, text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /// Returns the block of a head.
    public static byte[] head(String method, String path) {
        return block(":method " + method + "|:scheme http|:authority test|:path " + path);
    }

    /// Returns a block of literals.
    ///
    /// @param lines `name value`, divided by `|`; empty for no fields
    public static byte[] block(String lines) {
        List<Field> fields = new ArrayList<>();
        for (String line : lines.isEmpty() ? new String[0] : lines.split("\\|", -1)) {
            int space = line.indexOf(' ');
            fields.add(
                    space < 0
                            ? new Field(line, "")
                            : new Field(line.substring(0, space), line.substring(space + 1)));
        }
        return ClientHpack.encode(fields);
    }

    /// Lets the server continue until nothing moves any more.
    ///
    /// @return the frames that arrived
    public String read() {
        StringBuilder lines = new StringBuilder();
        while (!over) {
            int n = wire.read(buffer);
            if (n > 0) {
                take(n, lines);
            } else if (n < 0) {
                over = true;
                lines.append(n == Wire.END ? "END\n" : "RESET\n");
            } else if (!wire.advance(true)) {
                break;
            }
        }
        return lines.toString();
    }

    /// Returns the frames that arrived, without SETTINGS and WINDOW_UPDATE.
    public String answers() {
        StringBuilder lines = new StringBuilder();
        read().lines()
                .filter(line -> !line.startsWith("SETTINGS") && !line.startsWith("WINDOW_UPDATE"))
                .forEach(line -> lines.append(line).append('\n'));
        return lines.toString();
    }

    /// Finishes sending.
    public void end() {
        wire.end();
    }

    /// Resets the connection.
    public void reset() {
        wire.reset();
    }

    private void take(int n, StringBuilder lines) {
        byte[] bytes = Arrays.copyOf(left, left.length + n);
        System.arraycopy(buffer, 0, bytes, left.length, n);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        while (in.remaining() >= HEADER) {
            int length = in.getInt(in.position()) >>> 8;
            if (in.remaining() - HEADER < length) {
                break;
            }
            int type = in.getInt() & 0xff;
            int flags = in.get();
            int stream = in.getInt();
            byte[] payload = new byte[length];
            in.get(payload);
            lines.append(line(type, flags, stream, payload));
        }
        left = Arrays.copyOfRange(bytes, in.position(), bytes.length);
    }

    private String line(int type, int flags, int stream, byte[] payload) {
        ByteBuffer in = ByteBuffer.wrap(payload);
        String end = (flags & END_STREAM) != 0 ? " end" : "";
        String name = TYPES.get(type) + " ";
        return switch (type) {
            case DATA -> name + stream + " " + payload.length + end + " " + shown(payload) + "\n";
            case HEADERS, CONTINUATION -> {
                byte[] longer = Arrays.copyOf(block, block.length + payload.length);
                System.arraycopy(payload, 0, longer, block.length, payload.length);
                boolean whole = (flags & END_HEADERS) != 0;
                block = whole ? new byte[0] : longer;
                yield name
                        + stream
                        + (type == HEADERS ? end : "")
                        + (whole ? fields(longer) : "")
                        + "\n";
            }
            case RST_STREAM -> name + stream + " " + CODES.get(in.getInt()) + "\n";
            case SETTINGS -> (flags & ACK) != 0 ? "SETTINGS ack\n" : name.strip() + settings(in);
            case PING ->
                    name
                            + ((flags & ACK) != 0 ? "ack " : "")
                            + HexFormat.of().formatHex(payload)
                            + "\n";
            case GOAWAY -> name + in.getInt() + " " + CODES.get(in.getInt()) + "\n";
            case WINDOW_UPDATE -> name + stream + " " + in.getInt() + "\n";
            default -> throw new AssertionError("A server sent " + name);
        };
    }

    private String settings(ByteBuffer in) {
        StringBuilder text = new StringBuilder();
        while (showsSettings && in.hasRemaining()) {
            text.append(' ').append(in.getShort()).append('=').append(in.getInt());
        }
        return text.append('\n').toString();
    }

    private String fields(byte[] whole) {
        StringBuilder text = new StringBuilder();
        for (Field field : hpack.decode(whole)) {
            if (!field.name().equals("date")) {
                text.append(' ').append(field.name()).append('=').append(field.value());
            }
        }
        return text.toString();
    }

    private static String shown(byte[] payload) {
        return new String(
                payload, 0, Math.min(payload.length, SHOWN_MAX), StandardCharsets.ISO_8859_1);
    }
}
