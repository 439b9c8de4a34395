package dev.serval.lrwp.peer;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One request of a client, as the agent passed it on. It belongs to the call of the handler: its
/// body must not be read afterwards.
///
/// All values come from the client. Neither the agent nor this library has checked that they are
/// what the application expects.
public final class LrwpRequest {
    private final String name;
    private final Environment environment;
    private final int bodyBytes;
    private final byte @Nullable [] content;
    private final InputStream body;

    /// Creates a request with its body in memory.
    LrwpRequest(String name, Environment environment, byte[] content) {
        this.name = name;
        this.environment = environment;
        this.bodyBytes = content.length;
        this.content = content;
        this.body = new ByteArrayInputStream(content);
    }

    /// Creates a request with a body that is still on its way.
    LrwpRequest(String name, Environment environment, int bodyBytes, InputStream body) {
        this.name = name;
        this.environment = environment;
        this.bodyBytes = bodyBytes;
        this.content = null;
        this.body = body;
    }

    /// Returns the name that the connection has registered, such as `osp`.
    public String name() {
        return name;
    }

    /// Returns the method, such as `GET`; empty if the agent sent none.
    public String method() {
        return variable("REQUEST_METHOD", "");
    }

    /// Returns the decoded path after the registered name, such as `/x`; empty if there is none.
    public String pathAfterName() {
        return variable("PATH_INFO", "");
    }

    /// Returns the query as the client encoded it, without `?`; empty if there is none.
    public String query() {
        return variable("QUERY_STRING", "");
    }

    /// Returns the media type of the body as the client sent it; empty if there is none.
    public String contentType() {
        return variable("CONTENT_TYPE", "");
    }

    /// Returns a field of the client's head, or null. Names ignore case: `Accept-Language` is the
    /// variable `HTTP_ACCEPT_LANGUAGE`.
    public @Nullable String header(String field) {
        return environment.value("HTTP_" + field.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /// Returns a variable of the environment (RFC 3875 §4.1), or null.
    public @Nullable String variable(String variable) {
        return environment.value(variable);
    }

    /// Returns a variable of the environment, or `otherwise`.
    public String variable(String variable, String otherwise) {
        String value = environment.value(variable);
        return value == null ? otherwise : value;
    }

    /// Returns all variables in the order of the agent.
    public Map<String, String> variables() {
        return environment.all();
    }

    /// Returns the exact size of the body in bytes, up to 999,999,999.
    public int bodyBytes() {
        return bodyBytes;
    }

    /// Returns whether the whole body is in memory.
    public boolean isInMemory() {
        return content != null;
    }

    /// Returns the body. If it is not in memory, reading it waits for the agent, and fails with an
    /// IOException if the agent closes or is silent for `readTimeoutMillis`.
    public InputStream body() {
        return body;
    }

    /// Returns the body if it is in memory. The caller must not change the array.
    ///
    /// @throws BodyTooLargeException if the body is larger than `bodyMemoryMaxBytes`; if the handler
    ///     does not catch it, the client gets 413
    public byte[] bytes() throws BodyTooLargeException {
        if (content == null) {
            throw new BodyTooLargeException(bodyBytes);
        }
        return content;
    }

    /// Returns the body as UTF-8 text if it is in memory.
    ///
    /// @throws BodyTooLargeException as for [#bytes]
    public String text() throws BodyTooLargeException {
        return new String(bytes(), StandardCharsets.UTF_8);
    }
}
