package dev.serval.servlet.request;

import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHead;
import dev.serval.http.Status;
import dev.serval.servlet.descriptor.MultipartLimits;
import dev.serval.servlet.parameter.MediaType;
import dev.serval.servlet.parameter.ParameterException;
import dev.serval.servlet.parameter.Parameters;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UnsupportedEncodingException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import org.jspecify.annotations.Nullable;

/// The content of a request: as a stream, a reader, parameters or parts (Servlet 6.1 §3.1, §3.2).
/// Owned as its exchange. The request may end while a thread of the application reads its parts, so a
/// short lock decides which of the two threads deletes their files.
public final class RequestContent {
    private static final ProtocolError UNKNOWN_CHARSET =
            new ProtocolError(
                    Status.UNSUPPORTED_MEDIA_TYPE,
                    "this server does not have the charset that its Content-Type names",
                    "RFC 9110 §8.3.2");

    private final ServletExchange exchange;
    private final RequestHead head;
    private final ServletInput input;
    private @Nullable String encoding; // set by the application
    private @Nullable MediaType media; // parsed
    private boolean mediaParsed;
    private boolean streamUsed;
    private @Nullable BufferedReader reader;
    private @Nullable Parameters own; // of the query and the content
    private @Nullable RuntimeException failure; // of these
    private @Nullable Parameters dispatched; // with the query of the dispatch
    private @Nullable View dispatchedFor;
    private @Nullable RequestParts parts; // written under the lock
    private @Nullable Exception partsFailure; // part of the content is read

    /// Creates the content as the client sends it.
    RequestContent(ServletExchange exchange, RequestHead head) {
        this(exchange, head, new ServletInput(exchange.engine().input(), exchange, false));
    }

    /// Creates content in memory.
    RequestContent(ServletExchange exchange, RequestHead head, InputStream content) {
        this(exchange, head, new ServletInput(content, exchange, true));
    }

    private RequestContent(ServletExchange exchange, RequestHead head, ServletInput input) {
        this.exchange = exchange;
        this.head = head;
        this.input = input;
    }

    // Encoding

    /// Returns the name of the charset that the request or the application declares; null if none.
    @Nullable String encoding() {
        if (encoding != null) {
            return encoding;
        }
        @Nullable MediaType type = media();
        @Nullable String named = type == null ? null : type.charset();
        return named != null
                ? named
                : exchange.view().app().context().getRequestCharacterEncoding();
    }

    void encoding(@Nullable String name) throws UnsupportedEncodingException {
        if (reader != null || own != null) {
            return; // too late (Javadoc of setCharacterEncoding)
        }
        if (name != null) {
            charset(name);
        }
        encoding = name;
    }

    /// Returns the charset of parameters that do not name their own.
    ///
    /// @throws ParameterException if the client has named one that the JVM does not have
    private Charset formCharset() throws UnsupportedEncodingException {
        @Nullable MediaType type = media();
        boolean byClient = encoding == null && type != null && type.charset() != null;
        if (byClient && !isSupported(String.valueOf(encoding()))) {
            throw new ParameterException(UNKNOWN_CHARSET);
        }
        return charset(StandardCharsets.UTF_8);
    }

    private static boolean isSupported(String charset) {
        try {
            return Charset.isSupported(charset);
        } catch (IllegalCharsetNameException unnamable) {
            return false;
        }
    }

    private Charset charset(Charset otherwise) throws UnsupportedEncodingException {
        @Nullable String name = encoding();
        return name == null ? otherwise : charset(name);
    }

    private static Charset charset(String name) throws UnsupportedEncodingException {
        try {
            return Charset.forName(name);
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            UnsupportedEncodingException unsupported =
                    new UnsupportedEncodingException("This JVM has no charset \"" + name + "\"");
            unsupported.initCause(e);
            throw unsupported;
        }
    }

    private @Nullable MediaType media() {
        if (!mediaParsed) {
            mediaParsed = true;
            @Nullable String type = head.fields().first(FieldName.CONTENT_TYPE);
            media = type == null ? null : MediaType.parse(type);
        }
        return media;
    }

    // Streams

    ServletInputStream stream() {
        if (reader != null) {
            throw new IllegalStateException(
                    "getReader was called before, so getInputStream cannot be used");
        }
        streamUsed = true;
        return input;
    }

    BufferedReader reader() throws IOException {
        if (streamUsed) {
            throw new IllegalStateException(
                    "getInputStream was called before, so getReader cannot be used");
        }
        if (reader == null) {
            Charset charset = charset(StandardCharsets.ISO_8859_1);
            reader = new BufferedReader(new InputStreamReader(input, charset));
        }
        return reader;
    }

    /// Returns whether the application has read of the content, or may have.
    boolean isUsed() {
        boolean asForm = own != null && media() != null && media().is(MediaType.FORM);
        return streamUsed || reader != null || parts != null || partsFailure != null || asForm;
    }

    /// Records that the content has ended.
    public void finish() {
        input.finish();
    }

    /// Returns whether all content was read.
    public boolean isFinished() {
        return input.isEndKnown();
    }

    /// Returns whether all content was read, as far as is known without waiting.
    public boolean hasEnded() throws IOException {
        return input.hasEnded();
    }

    // Parameters

    /// Returns the parameters for the dispatch that runs.
    ///
    /// @throws ParameterException if they are malformed or beyond a limit, but not in the page of an
    ///     error
    Parameters parameters() {
        Parameters all = own();
        View view = exchange.view();
        @Nullable String added =
                view.special().get(Dispatches.QUERY) instanceof String query ? query : null;
        if (added == null) {
            return all;
        }
        if (view.equals(dispatchedFor) && dispatched != null) {
            return dispatched;
        }
        Parameters merged = empty();
        require(merged.addQuery(utf8(added), StandardCharsets.UTF_8));
        merged.addAll(all);
        dispatched = merged;
        dispatchedFor = view;
        return merged;
    }

    /// Returns a query that the application wrote, with one character for each byte of its UTF-8.
    private static String utf8(String query) {
        return new String(query.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    /// Returns the parameters of the query and the content. The page of an error, which may be about
    /// them, gets those that could be read.
    private Parameters own() {
        Parameters all = own == null ? read() : own;
        if (failure != null && !exchange.isErrorPage()) {
            throw failure;
        }
        return all;
    }

    private Parameters read() {
        Parameters read = empty();
        own = read; // before, because it gets the parts
        try {
            read(read);
        } catch (RuntimeException e) { // also of the limits of parts
            failure = e;
        }
        return read;
    }

    private void read(Parameters into) {
        @Nullable String query = head.target().query();
        if (query != null) {
            require(into.addQuery(query, StandardCharsets.UTF_8));
        }
        if (parts != null) {
            parts.addTo(into); // getParts read them, and used the stream
            return;
        }
        @Nullable MediaType type = media();
        try {
            requireParts();
            if (type == null || streamUsed || reader != null) {
                return;
            }
            if (type.is(MediaType.FORM) && head.methodText().equals("POST")) {
                require(into.readForm(input, head.contentLength(), formCharset()));
            } else if (type.is(MediaType.MULTIPART) && exchange.multipart() != null) {
                parts(); // which adds them to `own`
            }
        } catch (IOException | ServletException e) {
            throw new ParameterException(e);
        }
    }

    private Parameters empty() {
        ContentReading reading = exchange.view().app().contentReading();
        return new Parameters(reading.limits(), reading.key());
    }

    private static void require(@Nullable ProtocolError wrong) {
        if (wrong != null) {
            throw new ParameterException(wrong);
        }
    }

    // Parts

    RequestParts parts() throws IOException, ServletException {
        if (parts != null) {
            return parts;
        }
        requireParts();
        @Nullable MediaType type = media();
        if (type == null || !type.is(MediaType.MULTIPART)) {
            throw new ServletException("The content of the request is not " + MediaType.MULTIPART);
        }
        @Nullable MultipartLimits limits = exchange.multipart();
        if (limits == null) {
            throw new IllegalStateException(
                    "The servlet \""
                            + exchange.view().servlet().name()
                            + "\" has no multipart-config: add @MultipartConfig to its class");
        }
        formCharset(); // refuses one that is unknown
        RequestParts read = readParts(limits);
        if (!kept(read)) {
            read.close(); // here, because the end of the request has passed by
            exchange.lifetime().check();
        }
        if (own != null) {
            read.addTo(own);
        }
        return read;
    }

    private RequestParts readParts(MultipartLimits limits) throws IOException, ServletException {
        ContentReading.Multipart reading = exchange.view().app().contentReading().multipart();
        try {
            return reading.read(exchange.request(), limits);
        } catch (IOException | ServletException | RuntimeException e) {
            partsFailure = e;
            throw e;
        }
    }

    /// Throws again what the first reading of the parts threw, if it failed. No switch over types,
    /// because the first request would link it.
    private void requireParts() throws IOException, ServletException {
        if (partsFailure instanceof IOException failure) {
            throw failure;
        }
        if (partsFailure instanceof ServletException failure) {
            throw failure;
        }
        if (partsFailure instanceof RuntimeException failure) {
            throw failure;
        }
    }

    private synchronized boolean kept(RequestParts read) {
        if (exchange.lifetime().hasEnded()) {
            return false;
        }
        parts = read;
        return true;
    }

    /// Returns the trailers of the content.
    Fields trailers() {
        return exchange.engine().trailers();
    }

    /// Deletes the files of the parts. The lifetime of the request must have ended before, so that no
    /// parts are kept later.
    void release() {
        @Nullable RequestParts present = keptParts();
        if (present != null) {
            present.close();
        }
    }

    private synchronized @Nullable RequestParts keptParts() {
        return parts;
    }
}
