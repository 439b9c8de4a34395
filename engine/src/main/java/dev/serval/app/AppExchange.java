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

/// One request and its answer, for a handler of an [App].
///
/// The answer is set in one chain, in any order: `x.status(201).field("Location", "/users/7")
/// .json(user)`. It is sent when the handler and its filters have returned, so that each of them can
/// still change it, and an exception forgets it. [#stream] and [#events] send at once instead.
///
/// Calls that read the request throw an [HttpException] if the request is unusable: a parameter that
/// is not UTF-8, content over a bound of [AppLimits]. Unless it is caught, it becomes the answer.
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
    private final @Nullable BlockingExchange blocking; // null if content and streams are not for it
    private final ResponseDraft draft = new ResponseDraft();
    private @Nullable Parameters query;
    private @Nullable Parameters form;
    private @Nullable Map<String, String> cookies;
    private byte @Nullable [] body;
    private @Nullable Map<Class<?>, Object> attached;
    private boolean streams; // the answer was begun by stream()

    /// For one visit.
    ///
    /// @param blocking reads and writes content; null if nothing may block
    AppExchange(Visit visit, @Nullable BlockingExchange blocking) {
        this.head = visit.head();
        this.connection = visit.connection();
        this.limits = visit.limits();
        this.endpoint = visit.endpoint();
        this.pathFrom = visit.pathFrom();
        this.blocking = blocking;
    }

    // The request

    /// The method.
    public Method method() {
        return head.method();
    }

    /// The whole path, decoded and normalised: no `%`, no empty and no dot segments.
    public String path() {
        return head.target().path().text();
    }

    /// The segment of the path that stands where the route has `{name}`, or the rest of the path
    /// where it has `{name...}`, which may be empty.
    ///
    /// @throws IllegalArgumentException if the route has no such parameter
    public String param(String name) {
        TargetPath path = head.target().path();
        return endpoint.pattern().parameter(name, path.buffer(), pathFrom, path.to());
    }

    /// The first parameter of the query with that name, or null.
    public @Nullable String query(String name) {
        return query().first(name);
    }

    /// The parameters of the query.
    ///
    /// @throws HttpException with status 400 if they cannot be decoded or are too many
    public Parameters query() {
        @Nullable Parameters known = query;
        if (known == null) {
            known = new Parameters();
            @Nullable String text = head.target().query();
            if (text != null) {
                byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
                int most = limits.parametersMax();
                check(known.parse(bytes, 0, bytes.length, most, QUERY_PARAMETERS));
            }
            query = known;
        }
        return known;
    }

    /// The first field of the request with that name, in any case, or null.
    public @Nullable String field(String name) {
        return head.fields().first(name);
    }

    /// The value of the cookie with that name, or null.
    public @Nullable String cookie(String name) {
        return cookies().get(name);
    }

    /// The cookies of the request by name.
    ///
    /// @throws HttpException with status 431 if they are too many
    public Map<String, String> cookies() {
        @Nullable Map<String, String> known = cookies;
        if (known == null) {
            Map<String, String> read = new LinkedHashMap<>();
            check(Cookies.parse(head.fields(), limits.cookiesMax(), read));
            known = Collections.unmodifiableMap(read);
            cookies = known;
        }
        return known;
    }

    /// The content of the request. Reads it at the first call, and waits for it.
    ///
    /// @throws HttpException with status 413 if it is longer than [AppLimits#bodyMaxBytes]
    /// @throws IOException if the content ends early: the client went, or is too slow
    public byte[] body() throws IOException {
        return body(limits.bodyMaxBytes());
    }

    /// The content of the request as text, in the charset of its Content-Type, else in UTF-8.
    ///
    /// @throws HttpException with status 400 if it is no such text, 413 as [#body], 415 for a charset
    ///     that is not known
    /// @throws IOException as [#body]
    public String bodyText() throws IOException {
        return RequestContent.text(head, body());
    }

    /// The content of the request as a stream, which waits for what has not arrived. Up to the
    /// server's own bound ([dev.serval.policy.Limits.Contents#maxBytes]), its length is not bounded.
    public InputStream bodyStream() {
        return blocking("bodyStream").input();
    }

    /// The first field of the form with that name, or null.
    ///
    /// @throws IOException as [#body]
    public @Nullable String form(String name) throws IOException {
        return form().first(name);
    }

    /// The form that the request carries as `application/x-www-form-urlencoded`.
    ///
    /// @throws HttpException with status 415 if the content has another type, 413 if it is longer
    ///     than [AppLimits#formMaxBytes] or has too many parameters, 400 if it cannot be decoded
    /// @throws IOException as [#body]
    public Parameters form() throws IOException {
        @Nullable Parameters known = form;
        if (known == null) {
            RequestContent.requireForm(head);
            byte[] bytes = body(limits.formMaxBytes());
            known = new Parameters();
            check(known.parse(bytes, 0, bytes.length, limits.parametersMax(), FORM_PARAMETERS));
            form = known;
        }
        return known;
    }

    /// The head of the request, for all that has no shorter call.
    public RequestHead request() {
        return head;
    }

    /// The connection that the request came by.
    public ConnectionFacts connection() {
        return connection;
    }

    // Between filters and handlers

    /// Keeps `value` for the filters and the handler after this call.
    ///
    /// @param type under which [#attached] finds it
    public <T> AppExchange attach(Class<T> type, T value) {
        @Nullable Map<Class<?>, Object> all = attached;
        if (all == null) {
            all = new LinkedHashMap<>();
            attached = all;
        }
        all.put(type, value);
        return this;
    }

    /// What [#attach] kept under `type`.
    ///
    /// @throws IllegalStateException if nothing was kept
    public <T> T attached(Class<T> type) {
        @Nullable Map<Class<?>, Object> all = attached;
        @Nullable Object value = all == null ? null : all.get(type);
        if (value == null) {
            throw new IllegalStateException(
                    "Nothing of " + type + " is attached: a filter must call attach first.");
        }
        return type.cast(value);
    }

    // The answer

    /// Sets the status, 200 to 599; 200 unless set.
    public AppExchange status(int code) {
        return status(Status.of(code));
    }

    /// Sets the status.
    public AppExchange status(Status status) {
        open().status(status);
        return this;
    }

    /// The status set so far.
    public Status status() {
        return draft.status();
    }

    /// Sets a field of the answer, in place of any with that name.
    ///
    /// @throws IllegalArgumentException for a value with a line end or another control character, or
    ///     a field that the server sets itself (Content-Length, Transfer-Encoding, Connection, Date)
    public AppExchange field(String name, String value) {
        open().set(name, value);
        return this;
    }

    /// Adds a field to the answer, besides any with that name.
    ///
    /// @throws IllegalArgumentException as [#field(String, String)]
    public AppExchange addField(String name, String value) {
        open().add(name, value);
        return this;
    }

    /// Sets a cookie.
    public AppExchange cookie(Cookie cookie) {
        open().cookie(cookie);
        return this;
    }

    /// Answers with plain text in UTF-8.
    public AppExchange text(String text) {
        return bytes(text.getBytes(StandardCharsets.UTF_8), "text/plain; charset=utf-8");
    }

    /// Answers with an HTML page in UTF-8. Text that came from outside must be escaped
    /// ([dev.serval.policy.ErrorPages#escape]).
    public AppExchange html(String page) {
        return bytes(page.getBytes(StandardCharsets.UTF_8), "text/html; charset=utf-8");
    }

    /// Answers with a JSON text.
    public AppExchange json(String json) {
        return json(json.getBytes(StandardCharsets.UTF_8));
    }

    /// Answers with a JSON text in UTF-8, as JSON libraries write it.
    public AppExchange json(byte[] json) {
        return bytes(json, "application/json");
    }

    /// Answers with `content`, which must not be changed any more.
    ///
    /// @param type the Content-Type, unless one was set as a field
    public AppExchange bytes(byte[] content, String type) {
        open().content(content, type);
        return this;
    }

    /// Answers with a file, with its type, validators and ranges. The path must not come from a
    /// client: see [#file(Path, String)].
    ///
    /// @throws HttpException with status 404 if there is no such file
    /// @throws IOException if it cannot be read
    public AppExchange file(Path file) throws IOException {
        return file(onWorker("file") ? FileAnswer.of(file) : null);
    }

    /// Answers with a file below `folder`.
    ///
    /// @param below a path that a client may have chosen: it cannot lead out of the folder, and
    ///     hidden files are never served
    /// @throws HttpException with status 404 if there is no such file
    /// @throws IOException if it cannot be read
    public AppExchange file(Path folder, String below) throws IOException {
        return file(onWorker("file") ? FileAnswer.of(folder, below) : null);
    }

    /// Sends the client to another address: with 302 after GET and HEAD, with 303 after other
    /// methods, or with the status 3xx set before.
    ///
    /// @param location an absolute or relative reference; letters beyond ASCII are encoded
    public AppExchange redirect(String location) {
        open().redirect(location, head.method());
        return this;
    }

    /// Sends status and fields with the first bytes, and returns the stream that the content is
    /// written to. Writing waits while the client does not read. [OutputStream#flush] sends what was
    /// written so far. What is short and never flushed leaves in one piece, with its length.
    ///
    /// @throws IOException if the client has gone
    public OutputStream stream() throws IOException {
        BlockingExchange x = blocking("stream");
        if (x.committed()) {
            throw new IllegalStateException("The answer is on its way: there is one stream.");
        }
        draft.typeIfNone("application/octet-stream");
        x.head(draft.headOfStream());
        streams = true;
        return x.output();
    }

    /// Answers with server-sent events: calls `source`, which sends them, and ends the answer when it
    /// returns. A HEAD request gets the fields only.
    ///
    /// @throws Exception what `source` throws; an [dev.serval.blocking.ExchangeAbortedException] when
    ///     the client has gone
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

    /// Whether the answer was begun by [#stream].
    boolean streams() {
        return streams;
    }

    ResponseDraft draft() {
        return draft;
    }

    /// The exchange that waits.
    BlockingExchange blocking(String call) {
        @Nullable BlockingExchange x = blocking;
        if (x == null) {
            throw new IllegalStateException(call + blockedReason());
        }
        return x;
    }

    private String blockedReason() {
        return endpoint.onLoop()
                ? " blocks, and this handler runs on the event loop: register it without onLoop."
                : " is not for filters of files.";
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
            throw new IllegalStateException("The answer is on its way: it cannot be changed.");
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
