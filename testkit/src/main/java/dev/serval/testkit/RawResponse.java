package dev.serval.testkit;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A response as it stood on the wire. Immutable as long as nobody writes to the array.
///
/// @param version `HTTP/1.1` or `HTTP/1.0`
/// @param status three digits
/// @param reason the reason phrase, perhaps empty
/// @param fields in order, names as they were written
/// @param framing how the end of the content was told
/// @param body the content, chunks joined
/// @param trailers fields after chunked content
/// @param interims the interim responses that came before it
public record RawResponse(
        String version,
        int status,
        String reason,
        List<Field> fields,
        Framing framing,
        byte[] body,
        List<Field> trailers,
        List<RawResponse> interims) {

    /// What told the end of the content (RFC 9112 §6.3).
    public enum Framing {
        /// There is never content: HEAD, 1xx, 204, 304.
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
    /// @param name as written
    /// @param value without white space around it, ISO-8859-1
    public record Field(String name, String value) {}

    /// Reads all responses to GET in `bytes`, one after the other, interim ones too. What is wrong,
    /// or left over, is an [AssertionError].
    public static List<RawResponse> all(byte[] bytes) {
        return ResponseReader.all(bytes);
    }

    /// The first value of that name, letters in any case, or null.
    public @Nullable String field(String name) {
        List<String> values = all(name);
        return values.isEmpty() ? null : values.getFirst();
    }

    /// Every value of that name, letters in any case.
    public List<String> all(String name) {
        return fields.stream()
                .filter(f -> f.name().equalsIgnoreCase(name))
                .map(Field::value)
                .toList();
    }

    /// Whether a field of that name is there.
    public boolean has(String name) {
        return !all(name).isEmpty();
    }

    /// The content as UTF-8.
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /// Whether this response says, or its version means, that the connection ends behind it
    /// (RFC 9112 §9.3).
    public boolean announcesClose() {
        boolean close = connectionOption("close");
        return close || (version.equals("HTTP/1.0") && !connectionOption("keep-alive"));
    }

    /// Whether a Connection field has that option, letters in any case.
    public boolean connectionOption(String option) {
        return all("Connection").stream()
                .flatMap(v -> List.of(v.split(",")).stream())
                .anyMatch(o -> o.strip().equalsIgnoreCase(option));
    }

    /// The same with the interim responses that came before it.
    RawResponse behind(List<RawResponse> before) {
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
