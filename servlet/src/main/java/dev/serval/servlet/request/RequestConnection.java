package dev.serval.servlet.request;

import jakarta.servlet.ServletConnection;

/// The connection of a request. Immutable.
///
/// @param id unique in the server
/// @param secure whether it is encrypted
record RequestConnection(String id, boolean secure) implements ServletConnection {
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
