package dev.serval.servlet.request;

import dev.serval.blocking.BlockingExchange;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.HttpDate;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.servlet.cookie.SetCookie;
import dev.serval.servlet.session.SessionCookie;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.UnsupportedEncodingException;
import java.nio.charset.Charset;
import java.nio.charset.UnsupportedCharsetException;
import java.time.Instant;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The response as the application sees it. Owned as its exchange.
///
/// Setters have no effect after the response was committed, or while an include runs (Servlet 6.1
/// §5.3, §9.3).
public final class AppResponse implements HttpServletResponse {
    /// Whether the application has decided the response.
    private enum Decision {
        /// It may still write.
        OPEN,
        /// It has called `sendRedirect`.
        REDIRECTED,
        /// It has called `sendError`, and the page is due.
        REFUSED
    }

    private final ServletExchange exchange;
    private final BlockingExchange x;
    private final ServletOutput output;
    private final ResponseType type;
    private final ResponseFields fields;
    private int status = SC_OK;
    private @Nullable Locale locale;
    private @Nullable ResponseWriter text; // below the writer
    private @Nullable PrintWriter writer;
    private boolean streamUsed;
    private Decision decision = Decision.OPEN;
    private int including; // nested includes
    private @Nullable String errorMessage; // of sendError
    private @Nullable Supplier<Map<String, String>> trailerFields;

    AppResponse(ServletExchange exchange) {
        this.exchange = exchange;
        this.x = exchange.engine();
        this.output = new ServletOutput(x.output(), exchange);
        this.type =
                new ResponseType(exchange.view().app().context().getResponseCharacterEncoding());
        this.fields = new ResponseFields(type);
        x.head(this::head);
    }

    // For the container

    /// Returns whether an included servlet runs.
    boolean isIncluding() {
        return including > 0;
    }

    /// Begins an include.
    public void beginInclude() {
        including++;
    }

    /// Ends an include.
    public void endInclude() {
        including--;
    }

    /// Returns whether `sendError` was called and its page was not made yet.
    public boolean isRefused() {
        return decision == Decision.REFUSED;
    }

    /// Returns the message of `sendError`; null if there is none.
    public @Nullable String errorMessage() {
        return errorMessage;
    }

    /// Opens the response again for the page of an error.
    public void beginErrorPage(int code) {
        decision = Decision.OPEN;
        status = code;
        fields.contentLength(ResponseHead.UNKNOWN_LENGTH); // of the content that the page replaces
        fields.remove(FieldName.CONTENT_ENCODING);
        type.clear(); // the page has its own
        output.reopen();
        forgetWriter();
    }

    /// Returns whether `sendRedirect` decided the response, of which nothing is sent yet.
    public boolean isRedirect() {
        return decision == Decision.REDIRECTED && !x.committed();
    }

    /// Takes `sendRedirect` back, so that an error can be answered.
    public void dropRedirect() {
        if (isRedirect()) {
            decision = Decision.OPEN;
            status = SC_OK;
            fields.remove(FieldName.LOCATION);
            output.reopen();
        }
    }

    /// Returns whether the application has closed the response or decided it.
    public boolean isClosed() {
        return decision != Decision.OPEN || output.isClosed();
    }

    /// Returns whether the application has asked for neither the stream nor the writer.
    public boolean isUntouched() {
        return !streamUsed && writer == null;
    }

    /// Ends what the application may write in this dispatch: sends the buffered text on, and drops
    /// what comes later.
    public void finish() throws IOException {
        if (!output.isClosed() && text != null) {
            text.finish();
        }
    }

    /// Commits the response after a forward, which ends it (Servlet 6.1 §9.4).
    public void close() throws IOException {
        finish();
        if (!isRefused()) {
            output.close();
        }
    }

    /// Has the response hold the file that the engine was to send, because the application continues
    /// the response. The file has its type even while an include runs.
    private void holdFile() {
        ServletExchange.@Nullable FileCopy copy = exchange.takeFileBack();
        if (copy == null) {
            return;
        }
        int nested = including;
        including = 0;
        try {
            copy.write();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            including = nested;
        }
        streamUsed = false; // by the application
    }

    /// Returns the fields so far, for a file that the engine sends.
    public Fields fieldsForFile() {
        Fields kept = new Fields().addAll(fields.all());
        @Nullable String own = type.value();
        return own == null ? kept : kept.set(FieldName.CONTENT_TYPE, own);
    }

    /// Returns the fields so far, for the page of an error that the engine makes.
    public Fields fieldsForPage() {
        return ErrorFields.of(fields.all(), status);
    }

    /// Drops the fields that the page of an error does not keep, for one that the container writes.
    public void keepFieldsForPage() {
        fields.replace(fieldsForPage());
    }

    /// Returns whether the application may still switch protocols: it has set no other status than
    /// 101, and nothing is sent.
    public boolean maySwitch() {
        return !isCommitted() && (status == SC_OK || status == Status.SWITCHING_PROTOCOLS.code());
    }

    /// Returns the head of the answer to an upgrade: 101 with the fields so far. It must name the
    /// protocol (RFC 9110 §15.2.2): the first one of the request, if the application named none.
    /// The engine writes `Connection`.
    public ResponseHead switching() {
        return FieldViews.switching(fields.all(), exchange.request().getHeader("Upgrade"));
    }

    /// Sends a response to which nothing is added, with its length.
    void sendAhead() throws IOException {
        if (!x.committed() && fields.contentLength() < 0 && trailerFields == null) {
            fields.contentLength(output.lengthSoFar());
        }
        x.output().flush();
    }

    /// Returns the promised length; -1 if there is none.
    long promisedLength() {
        return fields.contentLength();
    }

    /// Sets the session cookie, in place of one that was set before.
    void sessionCookie(AppScope app, String id) {
        SessionCookie cookie = app.sessionCookie().forRequest(exchange.request().isSecure());
        fields.replace(SessionCookieField.replaced(fields.all(), cookie, id, now()));
    }

    private static long now() {
        return Instant.now().getEpochSecond();
    }

    Fields trailers() {
        return trailerFields == null ? Fields.EMPTY : FieldViews.fields(trailerFields.get());
    }

    /// Makes the head, when the response is committed.
    private ResponseHead head() {
        PlainHeads heads = exchange.view().app().plainHeads();
        return heads.head(status, fields.all(), type.value(), fields.contentLength());
    }

    private boolean mayChange() {
        exchange.lifetime().check();
        return including == 0 && !isCommitted();
    }

    // Status

    @Override
    public void setStatus(int code) {
        if (mayChange()) {
            status = PlainHeads.checked(code);
            if (code != SC_OK) {
                holdFile(); // the file handler has a status of its own
            }
        }
    }

    @Override
    public int getStatus() {
        return status;
    }

    @Override
    public void sendError(int code) throws IOException {
        sendError(code, null);
    }

    @Override
    public void sendError(int code, @Nullable String message) throws IOException {
        requireUncommitted("sendError");
        if (including > 0) {
            return;
        }
        PlainHeads.checked(code);
        refuse(code, message);
    }

    /// Has the page of an error replace what was written.
    void refuse(int code, @Nullable String message) {
        clearBuffer();
        status = code;
        errorMessage = message;
        decide(Decision.REFUSED);
    }

    @Override
    public void sendRedirect(String location, int code, boolean clearBuffer) throws IOException {
        requireUncommitted("sendRedirect");
        if (location == null) {
            throw new IllegalArgumentException("The location of the redirect is null");
        }
        if (including > 0) {
            return;
        }
        PlainHeads.checked(code);
        String target = exchange.request().absolute(location);
        exchange.takeFileBack();
        if (clearBuffer) {
            clearBuffer();
            fields.contentLength(ResponseHead.UNKNOWN_LENGTH); // of the content that was cleared
        }
        fields.own().set(FieldName.LOCATION, FieldViews.ascii(target)); // which may be refused
        status = code;
        finish();
        decide(Decision.REDIRECTED);
        if (exchange.isAsyncStarted()) {
            exchange.endResponse(); // else the request ends it, after the filters
        }
    }

    private void decide(Decision made) {
        decision = made;
        output.discard();
    }

    // Fields

    @Override
    public void addCookie(@Nullable Cookie cookie) {
        if (cookie != null && mayChange()) {
            fields.own().add(FieldName.SET_COOKIE, SetCookie.text(cookie, now()));
        }
    }

    @Override
    public boolean containsHeader(String name) {
        return getHeader(name) != null;
    }

    @Override
    public void setDateHeader(String name, long date) {
        setHeader(name, HttpDate.format(Math.floorDiv(date, 1000)));
    }

    @Override
    public void addDateHeader(String name, long date) {
        addHeader(name, HttpDate.format(Math.floorDiv(date, 1000)));
    }

    @Override
    public void setIntHeader(String name, int value) {
        setHeader(name, String.valueOf(value));
    }

    @Override
    public void addIntHeader(String name, int value) {
        addHeader(name, String.valueOf(value));
    }

    @Override
    public void setHeader(@Nullable String name, @Nullable String value) {
        if (name != null && !name.isEmpty() && mayChange()) {
            fields.set(name, value);
            if (isCoding(name)) {
                holdFile();
            }
        }
    }

    /// Returns whether a field says that the content is coded already. The engine's file handler may
    /// code it again.
    private boolean isCoding(String name) {
        return exchange.isFileHandedOn() && name.equalsIgnoreCase("Content-Encoding");
    }

    @Override
    public void addHeader(@Nullable String name, @Nullable String value) {
        if (name != null && !name.isEmpty() && value != null && mayChange()) {
            fields.add(name, value);
            if (isCoding(name)) {
                holdFile();
            }
        }
    }

    @Override
    public @Nullable String getHeader(String name) {
        return fields.first(name);
    }

    @Override
    public Collection<String> getHeaders(String name) {
        return fields.values(name);
    }

    @Override
    public Collection<String> getHeaderNames() {
        return fields.names();
    }

    @Override
    public void setTrailerFields(Supplier<Map<String, String>> supplier) {
        if (isCommitted()) {
            throw new IllegalStateException("The response is committed");
        }
        if (exchange.request().getProtocol().equals("HTTP/1.0")) {
            throw new IllegalStateException(
                    exchange.request().getProtocol() + " has no trailers (RFC 9110 §6.5)");
        }
        trailerFields = supplier;
    }

    @Override
    public @Nullable Supplier<Map<String, String>> getTrailerFields() {
        return trailerFields;
    }

    // Content

    @Override
    public ServletOutputStream getOutputStream() {
        exchange.lifetime().check();
        if (writer != null) {
            throw new IllegalStateException(
                    "getWriter was called before, so getOutputStream cannot be used");
        }
        holdFile();
        streamUsed = true;
        return output;
    }

    @Override
    public PrintWriter getWriter() throws UnsupportedEncodingException {
        exchange.lifetime().check();
        if (streamUsed) {
            throw new IllegalStateException(
                    "getOutputStream was called before, so getWriter cannot be used");
        }
        holdFile();
        if (writer == null) {
            try {
                ResponseWriter below = new ResponseWriter(output, type.fix());
                text = below;
                writer = new PageWriter(below, this);
            } catch (UnsupportedCharsetException e) {
                throw ResponseWriter.unsupported(e);
            }
        }
        return writer;
    }

    @Override
    public String getCharacterEncoding() {
        return type.charsetName();
    }

    @Override
    public @Nullable String getContentType() {
        return type.value();
    }

    @Override
    public void setCharacterEncoding(@Nullable String charset) {
        if (mayChange()) {
            type.charset(charset);
        }
    }

    @Override
    public void setCharacterEncoding(@Nullable Charset charset) {
        setCharacterEncoding(charset == null ? null : charset.name());
    }

    @Override
    public void setContentType(@Nullable String value) {
        if (mayChange()) {
            type.set(value);
        }
    }

    @Override
    public void setContentLength(int length) {
        setContentLengthLong(length);
    }

    @Override
    public void setContentLengthLong(long length) {
        if (mayChange()) {
            fields.contentLength(length);
        }
    }

    @Override
    public void setBufferSize(int size) {
        exchange.lifetime().check();
        if (including == 0) {
            x.bufferAtLeast(size);
        }
    }

    @Override
    public int getBufferSize() {
        return x.bufferBytes();
    }

    @Override
    public void flushBuffer() throws IOException {
        exchange.lifetime().check();
        holdFile();
        output.send();
    }

    @Override
    public boolean isCommitted() {
        return decision != Decision.OPEN || x.committed();
    }

    @Override
    public void resetBuffer() {
        requireUncommitted("resetBuffer");
        if (including == 0) {
            clearBuffer();
        }
    }

    private void clearBuffer() {
        exchange.takeFileBack();
        x.resetContent();
        output.cleared();
        if (text != null) {
            text.cleared();
        }
    }

    @Override
    public void reset() {
        requireUncommitted("reset");
        if (including > 0) {
            return;
        }
        clearBuffer();
        fields.clear();
        exchange.keepSessionCookies();
        status = SC_OK;
        locale = null;
        type.clear();
        forgetWriter();
    }

    private void forgetWriter() {
        type.release();
        text = null;
        writer = null;
        streamUsed = false;
    }

    @Override
    public void setLocale(@Nullable Locale other) {
        if (!mayChange()) {
            return;
        }
        locale = other;
        if (other == null) {
            fields.remove(FieldName.CONTENT_LANGUAGE);
            type.charsetOfLocale(null);
        } else {
            fields.own().set(FieldName.CONTENT_LANGUAGE, other.toLanguageTag());
            type.charsetOfLocale(exchange.view().app().charsetOf(other));
        }
    }

    @Override
    public Locale getLocale() {
        return locale == null ? Locale.getDefault() : locale;
    }

    // URLs

    @Override
    public @Nullable String encodeURL(@Nullable String url) {
        exchange.lifetime().check();
        @Nullable String id = exchange.sessions().idForUrls();
        return id == null || url == null
                ? url
                : exchange.view().app().sessionUrl().encode(url, id, exchange.request().sentUrl());
    }

    @Override
    public @Nullable String encodeRedirectURL(@Nullable String url) {
        return encodeURL(url);
    }

    private void requireUncommitted(String call) {
        exchange.lifetime().check();
        if (isCommitted()) {
            throw new IllegalStateException(
                    call + " cannot be called after the response was committed");
        }
    }
}
