package dev.serval.testkit;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A response as it was received. Immutable, as long as no code writes to the array.
///
/// @param version `HTTP/1.1` or `HTTP/1.0`
/// @param status three digits
/// @param reason the reason phrase, perhaps empty
/// @param fields the fields in order, with names as they were received
/// @param framing how the end of the content was marked
/// @param body the content, with chunks joined
/// @param trailers fields after chunked content
/// @param interims the interim responses before this one
public record RawResponse(
        String version,
        int status,
        String reason,
        List<Field> fields,
        Framing framing,
        byte[] body,
        List<Field> trailers,
        List<RawResponse> interims) {

    /// What marked the end of the content (RFC 9112 §6.3).
    public enum Framing {
        /// The response never has content: HEAD, 1xx, 204, 304.
        NONE,
        /// Content-Length.
        LENGTH,
        /// Transfer-Encoding: chunked.
        CHUNKED,
        /// The end of the connection.
        CLOSE
    }

    /// A field line.
    ///
    /// @param name the name as received
    /// @param value the value without surrounding white space, ISO-8859-1
    public record Field(String name, String value) {}

    /// Reads all responses to GET in `bytes`, interim ones included. Throws an [AssertionError] if
    /// one is malformed or bytes are left over.
    public static List<RawResponse> all(byte[] bytes) {
        return ResponseReader.all(bytes);
    }

    /// Returns the first value of that name, ignoring case, or null.
    public @Nullable String field(String name) {
        List<String> values = all(name);
        return values.isEmpty() ? null : values.getFirst();
    }

    /// Returns every value of that name, ignoring case.
    public List<String> all(String name) {
        return fields.stream()
                .filter(f -> f.name().equalsIgnoreCase(name))
                .map(Field::value)
                .toList();
    }

    /// Returns whether there is a field of that name.
    public boolean has(String name) {
        return !all(name).isEmpty();
    }

    /// Returns the content as UTF-8.
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /// Returns whether the connection ends after this response, because the response or its version
    /// says so (RFC 9112 §9.3).
    public boolean announcesClose() {
        boolean close = connectionOption("close");
        return close || (version.equals("HTTP/1.0") && !connectionOption("keep-alive"));
    }

    /// Returns whether a Connection field has that option, ignoring case.
    public boolean connectionOption(String option) {
        return all("Connection").stream()
                .flatMap(v -> List.of(v.split(",")).stream())
                .anyMatch(o -> o.strip().equalsIgnoreCase(option));
    }

    /// Returns this response with the interim responses before it.
    RawResponse withInterims(List<RawResponse> before) {
        return new RawResponse(
                version, status, reason, fields, framing, body, trailers, List.copyOf(before));
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        interims.forEach(i -> text.append(i).append('\n'));
        text.append(version).append(' ').append(status).append(' ').append(reason).append('\n');
        fields.forEach(f -> text.append(f.name()).append(": ").append(f.value()).append('\n'));
        text.append('\n').append(Escapes.show(body));
        trailers.forEach(f -> text.append('\n').append(f.name()).append(": ").append(f.value()));
        return text.toString();
    }
}
