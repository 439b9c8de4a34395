package dev.serval.servlet.request;

import jakarta.servlet.ServletConnection;

/// The connection of a request. Immutable. No record, because EL would read its components instead
/// of its properties.
final class RequestConnection implements ServletConnection {
    private final String id;
    private final boolean secure;

    /// Creates the connection.
    ///
    /// @param id unique in the server
    /// @param secure whether it is encrypted
    RequestConnection(String id, boolean secure) {
        this.id = id;
        this.secure = secure;
    }

    @Override
    public String getConnectionId() {
        return id;
    }

    @Override
    public String getProtocol() {
        return "http/1.1";
    }

    @Override
    public String getProtocolConnectionId() {
        return ""; // HTTP/1.1 has none
    }

    @Override
    public boolean isSecure() {
        return secure;
    }
}
