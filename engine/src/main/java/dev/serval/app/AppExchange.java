package dev.serval.app;

import dev.serval.blocking.BlockingExchange;
import dev.serval.file.FileAnswer;
import dev.serval.handler.ConnectionFacts;
import dev.serval.http.FieldName;
import dev.serval.http.Method;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHead;
import dev.serval.http.Status;
import dev.serval.http.TargetPath;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One request and its response, for a handler of an [App].
///
/// The response is set by chained calls, in any order: `x.status(201).field("Location", "/users/7")
/// .json(user)`. It is sent after the handler and its filters returned, so each of them can still
/// change it, and an exception discards it. [#stream] and [#events] send at once instead.
///
/// Calls that read the request throw an [HttpException] if the request is unusable. Examples are a
/// parameter that is not UTF-8, and content that exceeds a limit of [AppLimits]. An exception that
/// is not caught becomes the response.
///
/// Owned by the thread that the handler runs on, and valid until the handler returns.
public final class AppExchange {
    private static final ProtocolError QUERY_PARAMETERS =
            new ProtocolError(
                    Status.BAD_REQUEST, "the query has too many parameters", "RFC 9110 §15.5.1");
    private static final ProtocolError FORM_PARAMETERS =
            new ProtocolError(
                    Status.CONTENT_TOO_LARGE,
                    "the form has too many parameters",
                    "RFC 9110 §15.5.14");

    private final RequestHead head;
    private final ConnectionFacts connection;
    private final AppLimits limits;
    private final Endpoint endpoint;
    private final int pathFrom;
    private final @Nullable BlockingExchange blocking; // null without content and streams
    private final ResponseDraft draft = new ResponseDraft();
    private @Nullable Parameters query;
    private @Nullable Parameters form;
    private @Nullable Map<String, String> cookies;
    private byte @Nullable [] body;
    private Map<Class<?>, Object> attached = Map.of(); // one of its own with the first value
    private boolean streams; // stream() started the response

    /// Creates the exchange of one visit.
    ///
    /// @param blocking reads and writes content; null if the handler must not block
    AppExchange(Visit visit, @Nullable BlockingExchange blocking) {
        this.head = visit.head();
        this.connection = visit.connection();
        this.limits = visit.limits();
        this.endpoint = visit.endpoint();
        this.pathFrom = visit.pathFrom();
        this.blocking = blocking;
    }

    // The request

    /// Returns the method.
    public Method method() {
        return head.method();
    }

    /// Returns the whole path, decoded and normalised: without `%`, empty segments and dot
    /// segments.
    public String path() {
        return head.target().path().text();
    }

    /// Returns the segment that matched `{name}`, or the rest of the path that matched `{name...}`,
    /// which may be empty.
    ///
    /// @throws IllegalArgumentException if the route has no such parameter
    public String param(String name) {
        TargetPath path = head.target().path();
        return endpoint.pattern().parameter(name, path.buffer(), pathFrom, path.to());
    }

    /// Returns the first query parameter with that name, or null.
    public @Nullable String query(String name) {
        return query().first(name);
    }

    /// Returns the query parameters.
    ///
    /// @throws HttpException with status 400 if they cannot be decoded or exceed the limit
    public Parameters query() {
        if (query == null) {
            query = readQuery();
        }
        return query;
    }

    private Parameters readQuery() {
        Parameters read = new Parameters();
        @Nullable String text = head.target().query();
        if (text != null) {
            byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
            check(read.parse(bytes, 0, bytes.length, limits.parametersMax(), QUERY_PARAMETERS));
        }
        return read;
    }

    /// Returns the first field of the request with that name, in any case, or null.
    public @Nullable String field(String name) {
        return head.fields().first(name);
    }

    /// Returns the value of the cookie with that name, or null.
    public @Nullable String cookie(String name) {
        return cookies().get(name);
    }

    /// Returns the cookies of the request by name.
    ///
    /// @throws HttpException with status 431 if there are too many
    public Map<String, String> cookies() {
        if (cookies == null) {
            Map<String, String> read = new LinkedHashMap<>();
            check(Cookies.parse(head.fields(), limits.cookiesMax(), read));
            cookies = Collections.unmodifiableMap(read);
        }
        return cookies;
    }

    /// Returns the content of the request. The first call reads it, and blocks until it has
    /// arrived.
    ///
    /// @throws HttpException with status 413 if it is longer than [AppLimits#bodyMaxBytes]
    /// @throws IOException if the content ends early: the client disconnected, or is too slow
    public byte[] body() throws IOException {
        return body(limits.bodyMaxBytes());
    }

    /// Returns the content of the request as text, in the charset of its Content-Type, else in
    /// UTF-8.
    ///
    /// @throws HttpException with status 400 if the content is not text in that charset, 413 as
    ///     [#body], 415 for an unknown charset
    /// @throws IOException as [#body]
    public String bodyText() throws IOException {
        return RequestContent.text(head, body());
    }

    /// Returns the content of the request as a stream. Reading blocks until content arrives. Only
    /// the server's own limit ([dev.serval.policy.Limits.Contents#maxBytes]) applies to its length.
    public InputStream bodyStream() {
        return blocking("bodyStream").input();
    }

    /// Returns the first form field with that name, or null.
    ///
    /// @throws IOException as [#body]
    public @Nullable String form(String name) throws IOException {
        return form().first(name);
    }

    /// Returns the form that the request carries as `application/x-www-form-urlencoded`.
    ///
    /// @throws HttpException with status 415 if the content has another type, 413 if it is longer
    ///     than [AppLimits#formMaxBytes] or has too many parameters, and 400 if it cannot be
    ///     decoded
    /// @throws IOException as [#body]
    public Parameters form() throws IOException {
        if (form == null) {
            RequestContent.requireForm(head);
            byte[] bytes = body(limits.formMaxBytes());
            Parameters read = new Parameters();
            check(read.parse(bytes, 0, bytes.length, limits.parametersMax(), FORM_PARAMETERS));
            form = read;
        }
        return form;
    }

    /// Returns the head of the request, for everything that has no shorter method.
    public RequestHead request() {
        return head;
    }

    /// Returns the facts of the connection that carries the request.
    public ConnectionFacts connection() {
        return connection;
    }

    // Between filters and handlers

    /// Attaches `value` for the filters and the handler that run after this call.
    ///
    /// @param type the key under which [#attached] finds it
    public <T> AppExchange attach(Class<T> type, T value) {
        if (attached.isEmpty()) {
            attached = new LinkedHashMap<>();
        }
        attached.put(type, value);
        return this;
    }

    /// Returns the value that [#attach] stored under `type`.
    ///
    /// @throws IllegalStateException if nothing was stored
    public <T> T attached(Class<T> type) {
        @Nullable Object value = attached.get(type);
        if (value == null) {
            throw new IllegalStateException(
                    "Nothing of " + type + " is attached: a filter must call attach first.");
        }
        return type.cast(value);
    }

    // The answer

    /// Sets the status, from 200 to 599; 200 unless set.
    public AppExchange status(int code) {
        return status(Status.of(code));
    }

    /// Sets the status.
    public AppExchange status(Status status) {
        open().status(status);
        return this;
    }

    /// Returns the status set so far.
    public Status status() {
        return draft.status();
    }

    /// Sets a field of the response, in place of any with that name.
    ///
    /// @throws IllegalArgumentException for a value with a line end or another control character,
    ///     or a field that the server sets itself (Content-Length, Transfer-Encoding, Connection,
    ///     Date)
    public AppExchange field(String name, String value) {
        open().set(name, value);
        return this;
    }

    /// Adds a field to the response, and keeps any with that name.
    ///
    /// @throws IllegalArgumentException as [#field(String, String)]
    public AppExchange addField(String name, String value) {
        open().add(name, value);
        return this;
    }

    /// Adds a Set-Cookie field to the response.
    public AppExchange cookie(Cookie cookie) {
        open().cookie(cookie);
        return this;
    }

    /// Sets the response to plain text in UTF-8.
    public AppExchange text(String text) {
        return bytes(text.getBytes(StandardCharsets.UTF_8), "text/plain; charset=utf-8");
    }

    /// Sets the response to an HTML page in UTF-8. Text that came from outside must be escaped
    /// ([dev.serval.policy.ErrorPages#escape]).
    public AppExchange html(String page) {
        return bytes(page.getBytes(StandardCharsets.UTF_8), "text/html; charset=utf-8");
    }

    /// Sets the response to a JSON text.
    public AppExchange json(String json) {
        return json(json.getBytes(StandardCharsets.UTF_8));
    }

    /// Sets the response to a JSON text in UTF-8, as JSON libraries write it.
    public AppExchange json(byte[] json) {
        return bytes(json, "application/json");
    }

    /// Sets the response to `content`, which the caller must not change any more.
    ///
    /// @param type the Content-Type, used unless the field was set
    public AppExchange bytes(byte[] content, String type) {
        open().content(content, type);
        return this;
    }

    /// Sets the response to a file, with its type, validators and ranges. The path must not come
    /// from a client: see [#file(Path, String)].
    ///
    /// @throws HttpException with status 404 if there is no such file
    /// @throws IOException if it cannot be read
    public AppExchange file(Path file) throws IOException {
        return file(onWorker("file") ? FileAnswer.of(file) : null);
    }

    /// Sets the response to a file below `folder`.
    ///
    /// @param below a path, which a client may have chosen: it cannot lead out of the folder, and
    ///     hidden files are never served
    /// @throws HttpException with status 404 if there is no such file
    /// @throws IOException if it cannot be read
    public AppExchange file(Path folder, String below) throws IOException {
        return file(onWorker("file") ? FileAnswer.of(folder, below) : null);
    }

    /// Redirects the client. The status is 302 after GET and HEAD and 303 after other methods,
    /// unless a 3xx status was set before.
    ///
    /// @param location an absolute or relative reference; letters beyond ASCII are encoded
    public AppExchange redirect(String location) {
        open().redirect(location, head.method());
        return this;
    }

    /// Starts the response, and returns the stream for its content. The status and the fields are
    /// sent with the first bytes. Writing blocks while the client does not read.
    /// [OutputStream#flush] sends what was written so far. Short content that is never flushed is
    /// sent in one piece, with its length.
    ///
    /// @throws IOException if the client disconnected
    public OutputStream stream() throws IOException {
        BlockingExchange x = blocking("stream");
        if (x.committed()) {
            throw new IllegalStateException("The response has started: it has only one stream.");
        }
        draft.typeIfNone("application/octet-stream");
        x.head(draft.headOfStream());
        streams = true;
        return x.output();
    }

    /// Sends server-sent events: calls `source`, which sends them, and ends the response when
    /// `source` returns. A HEAD request gets the fields only.
    ///
    /// @throws Exception any exception of `source`; an
    ///     [dev.serval.blocking.ExchangeAbortedException] if the client disconnected
    public void events(EventStream.Source source) throws Exception {
        draft.typeIfNone("text/event-stream");
        draft.fieldIfNone(FieldName.CACHE_CONTROL, "no-store");
        OutputStream out = stream();
        if (head.method() != Method.HEAD) {
            out.flush();
            EventStream.run(source, this, out, limits.eventSilenceNanos());
        }
    }

    // For the visit

    /// Returns whether [#stream] started the response.
    boolean streams() {
        return streams;
    }

    ResponseDraft draft() {
        return draft;
    }

    /// Returns the exchange whose calls block.
    ///
    /// @throws IllegalStateException if the handler must not block
    BlockingExchange blocking(String call) {
        if (blocking == null) {
            throw new IllegalStateException(call + blockedReason());
        }
        return blocking;
    }

    private String blockedReason() {
        return endpoint.onLoop()
                ? " blocks, and this handler runs on the event loop: register it without onLoop."
                : " blocks, and a filter of files must not call it: use it in a route.";
    }

    private boolean onWorker(String call) {
        blocking(call);
        open();
        return true;
    }

    private AppExchange file(@Nullable FileAnswer file) {
        if (file == null) {
            throw new HttpException(404, "There is nothing at this address.");
        }
        draft.file(file);
        return this;
    }

    private ResponseDraft open() {
        if (streams) {
            throw new IllegalStateException("The response has started: it cannot change.");
        }
        return draft;
    }

    private byte[] body(int most) throws IOException {
        byte[] known = body;
        if (known == null) {
            known = RequestContent.read(head, blocking("body").input(), most);
            body = known;
        } else if (known.length > most) {
            throw new HttpException(413, "The content may have at most " + most + " bytes here.");
        }
        return known;
    }

    private static void check(@Nullable ProtocolError wrong) {
        if (wrong != null) {
            throw HttpException.of(wrong);
        }
    }
}
