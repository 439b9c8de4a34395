package dev.serval.app;

import dev.serval.file.FileAnswer;
import dev.serval.handler.Body;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.Method;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The response as an application has set it so far. Nothing of it is sent before the handler
/// returned, so all of it can be changed or discarded until then. Owned by the exchange's thread.
final class ResponseDraft {
    /// What is sent.
    private sealed interface Chosen {
        /// The draft's status, fields and content.
        record Content() implements Chosen {}

        /// A file instead of the content.
        record File(FileAnswer file) implements Chosen {}

        /// Another answer instead of status and content.
        record Other(Answer answer) implements Chosen {}
    }

    private static final Chosen CONTENT = new Chosen.Content();
    private static final String HEX = "0123456789ABCDEF";

    private @Nullable Status status; // null: 200, or what the content implies
    private Fields fields = new Fields();
    private Fields ofFilters = Fields.EMPTY; // set before the handler began
    private Body content = Body.Empty.EMPTY;
    private Chosen chosen = CONTENT;

    void status(Status next) {
        if (next.interim()) {
            throw new IllegalArgumentException(
                    "An answer has a status from 200 to 599, not " + next.code() + ".");
        }
        status = next;
    }

    Status status() {
        return status == null ? Status.OK : status;
    }

    void add(String name, String value) {
        refuseOwn(name);
        fields.add(name, value);
    }

    void set(String name, String value) {
        refuseOwn(name);
        @Nullable FieldName known = FieldName.of(name);
        if (known != null) {
            fields.set(known, value);
            return;
        }
        Fields kept = new Fields();
        for (int i = 0; i < fields.size(); i++) {
            if (!fields.name(i).equalsIgnoreCase(name)) {
                kept.add(fields.name(i), fields.value(i));
            }
        }
        fields = kept.add(name, value);
    }

    void cookie(Cookie cookie) {
        fields.add(FieldName.SET_COOKIE, cookie.text());
    }

    /// Sets a whole content. Its type is used only if none was set.
    void content(byte[] bytes, String type) {
        drop();
        content = Body.Bytes.of(bytes);
        typeIfNone(type);
    }

    void typeIfNone(String type) {
        if (!fields.contains(FieldName.CONTENT_TYPE)) {
            fields.add(FieldName.CONTENT_TYPE, type);
        }
    }

    void fieldIfNone(FieldName name, String value) {
        if (!fields.contains(name)) {
            fields.add(name, value);
        }
    }

    /// Sets a redirect: 302 after GET and HEAD, and 303 after other methods, which tells the client
    /// to use GET (RFC 9110 §15.4.4). A 3xx status that was set before stays.
    void redirect(String location, Method method) {
        drop();
        content = Body.Empty.EMPTY;
        if (status == null || status.code() / 100 != 3) {
            boolean reads = method == Method.GET || method == Method.HEAD;
            status = reads ? Status.FOUND : Status.SEE_OTHER;
        }
        fields.set(FieldName.LOCATION, ascii(location));
    }

    /// Sends `next` instead of status and content.
    void answer(Answer next) {
        drop();
        chosen = new Chosen.Other(next);
    }

    void file(FileAnswer file) {
        drop();
        chosen = new Chosen.File(file);
    }

    /// Marks the fields that are set now as those of filters, so that [#reset] keeps them.
    void handlerBegins() {
        if (fields.size() > 0) {
            ofFilters = new Fields().addAll(fields);
        }
    }

    /// Discards all that the handler set.
    void reset() {
        drop();
        status = null;
        fields = new Fields().addAll(ofFilters);
        content = Body.Empty.EMPTY;
    }

    /// Releases the file or answer that would have been sent.
    void drop() {
        Chosen unused = chosen;
        chosen = CONTENT;
        if (unused instanceof Chosen.File(FileAnswer file)) {
            file.close();
        }
    }

    /// Returns a response head for content of unknown length.
    ResponseHead headOfStream() {
        return new ResponseHead(status(), fields, ResponseHead.UNKNOWN_LENGTH);
    }

    /// Returns the answer to send. The draft must not be used any more.
    Answer take() {
        Chosen taken = chosen;
        chosen = CONTENT;
        return switch (taken) {
            case Chosen.Content() ->
                    Answer.of(new ResponseHead(status(), fields, content.length()), content);
            case Chosen.File(FileAnswer file) -> {
                FileAnswer whole = file.with(status(), fields);
                yield new Answer(whole, whole::close);
            }
            case Chosen.Other(Answer answer) -> fields.size() == 0 ? answer : answer.with(fields);
        };
    }

    private static void refuseOwn(String name) {
        @Nullable FieldName known = FieldName.of(name);
        if (known != null
                && (known.equals(FieldName.CONTENT_LENGTH)
                        || known.equals(FieldName.TRANSFER_ENCODING)
                        || known.equals(FieldName.CONNECTION)
                        || known.equals(FieldName.DATE))) {
            throw new IllegalArgumentException(
                    "The server sets the field " + known + " by itself: do not set it.");
        }
    }

    /// Encodes all bytes beyond ASCII, because a URI reference holds ASCII only (RFC 3986 §2).
    /// Control characters stay, and are refused as in any field.
    private static String ascii(String location) {
        StringBuilder text = new StringBuilder(location.length() + 16);
        for (byte b : location.getBytes(StandardCharsets.UTF_8)) {
            if (b < 0 || b == ' ') {
                text.append('%').append(HEX.charAt(b >> 4 & 15)).append(HEX.charAt(b & 15));
            } else {
                text.append((char) b);
            }
        }
        return text.toString();
    }
}
