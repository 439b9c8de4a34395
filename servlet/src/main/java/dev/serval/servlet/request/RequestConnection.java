package dev.serval.servlet.request;

import jakarta.servlet.ServletConnection;

/// The connection of a request. Immutable. No record, because EL would read its components instead
/// of its properties.
final class RequestConnection implements ServletConnection {
    private final String id;
    private final boolean http2;
    private final boolean secure;

    /// Creates the connection.
    ///
    /// @param id unique in the server
    /// @param http2 whether it speaks HTTP/2
    /// @param secure whether it is encrypted
    RequestConnection(String id, boolean http2, boolean secure) {
        this.id = id;
        this.http2 = http2;
        this.secure = secure;
    }

    @Override
    public String getConnectionId() {
        return id;
    }

    /// Returns the identification sequence of ALPN (RFC 7301 §6, RFC 9113 §3.1).
    @Override
    public String getProtocol() {
        if (!http2) {
            return "http/1.1";
        }
        return secure ? "h2" : "h2c";
    }

    @Override
    public String getProtocolConnectionId() {
        return ""; // HTTP/1.1 and HTTP/2 have none
    }

    @Override
    public boolean isSecure() {
        return secure;
    }
}
