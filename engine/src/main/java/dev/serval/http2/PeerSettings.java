package dev.serval.http2;

import org.jspecify.annotations.Nullable;

/// The settings of a client (RFC 9113 §6.5). Those that a server has no use for are only checked.
/// Owned by the connection.
public final class PeerSettings {
    /// The window of a stream before any setting changes it.
    public static final int FIRST_WINDOW = 65_535;

    private static final int FIRST_TABLE_BYTES = 4096;
    private static final long FRAME_MOST = (1 << 24) - 1;

    private int tableBytes = FIRST_TABLE_BYTES;
    private int window = FIRST_WINDOW;
    private boolean signalsPriorities;
    private boolean begun; // the first frame has been read

    /// Creates the settings that are in force before the client sends any.
    public PeerSettings() {}

    /// Sets one value.
    ///
    /// @return what is wrong with it, or null
    public @Nullable FrameError set(int id, long value) {
        switch (id) {
            case Setting.HEADER_TABLE_SIZE -> tableBytes = (int) Math.min(value, Integer.MAX_VALUE);
            case Setting.ENABLE_PUSH, Setting.ENABLE_CONNECT_PROTOCOL -> {
                return value > 1 ? Broken.SETTING : null;
            }
            case Setting.NO_RFC7540_PRIORITIES -> {
                boolean before = signalsPriorities;
                signalsPriorities = value == 1;
                if (begun && signalsPriorities != before) {
                    return Broken.SETTING_CHANGED;
                }
                return value > 1 ? Broken.SETTING : null;
            }
            case Setting.INITIAL_WINDOW_SIZE -> {
                if (value > FlowWindow.MAX) {
                    return Broken.SETTING_WINDOW;
                }
                window = (int) value;
            }
            case Setting.MAX_FRAME_SIZE -> {
                return value < FrameReader.PAYLOAD_MAX || value > FRAME_MOST
                        ? Broken.SETTING
                        : null;
            }
            default -> {} // unknown ones must be ignored (§6.5.2)
        }
        return null;
    }

    /// Notes the end of a frame. Some settings must not change after the first one.
    public void end() {
        begun = true;
    }

    /// Returns the largest dynamic table of HPACK, in bytes.
    public int tableBytes() {
        return tableBytes;
    }

    /// Returns whether the client ignores the priorities of RFC 7540, so that it uses those of RFC 9218.
    public boolean signalsPriorities() {
        return signalsPriorities;
    }

    /// Returns the window of a new stream, in bytes.
    public int window() {
        return window;
    }
}
