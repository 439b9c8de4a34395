package dev.serval.servlet.request;

import dev.serval.blocking.BlockingExchange;
import dev.serval.handler.Handler;
import dev.serval.handler.TunnelRequest;
import dev.serval.http.Fields;
import dev.serval.servlet.descriptor.MultipartLimits;
import dev.serval.servlet.session.SessionUnavailableException;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One exchange on its way through an application: the request and the response as the application
/// sees them, and what both share. A dispatch changes its [View].
///
/// Owned by the thread that runs the exchange's code. Asynchronous code of the application may use
/// it between two such threads.
public final class ServletExchange extends Lifetime {
    private final BlockingExchange x;
    private final Supplier<String> ids;
    private String id = ""; // until it is asked for
    private final AppScope home;
    private volatile @Nullable RequestSessions sessions; // most requests use none
    private volatile @Nullable RequestContent content; // most requests have none
    private final AppRequest request;
    private final AppResponse response;
    private final View reached; // by the client
    private View view;
    private Map<String, Object> attributes = Collections.emptyMap(); // most requests have none
    private @Nullable AsyncSource async;
    private boolean asyncSupported = true; // by all filters and servlets that run
    private boolean handedOn; // a handler of the engine answers
    private @Nullable FileCopy copy; // if it answers with a file
    private boolean errorPage; // the page of an error has begun
    private @Nullable RuntimeException unsaved; // why a session was not stored
    private @Nullable Identity identity; // null until it is asked for
    private List<AppScope> others = List.of(); // to which it was dispatched; under the monitor

    /// Creates the exchange, before its first dispatch.
    ///
    /// @param ids returns identifiers that are unique among the server's requests
    public ServletExchange(BlockingExchange x, View view, Supplier<String> ids) {
        this.x = x;
        this.reached = view;
        this.view = view;
        this.ids = ids;
        this.home = view.app();
        this.response = new AppResponse(this);
        this.request = new AppRequest(this);
    }

    /// Has the asynchronous side of the request, which most requests do not need. Any thread.
    public interface AsyncSource {
        /// Returns whether asynchronous processing was started and not yet dispatched or completed.
        boolean isStarted();

        /// Returns the asynchronous side, which is created if necessary.
        AsyncControl control();
    }

    /// Sets what has the asynchronous side. Call it once, before the first dispatch.
    public void async(AsyncSource source) {
        async = source;
    }

    /// Returns the asynchronous side.
    public AsyncControl async() {
        return source().control();
    }

    /// Returns whether asynchronous processing was started and not yet dispatched or completed.
    public boolean isAsyncStarted() {
        return source().isStarted();
    }

    private AsyncSource source() {
        return Objects.requireNonNull(async, "The exchange has not begun");
    }

    /// Checks that the connection may switch to another protocol.
    ///
    /// @throws ServletException if the client has not asked for one (RFC 9110 §7.8)
    /// @throws IllegalStateException if the response is committed
    void requireUpgradable() throws ServletException {
        if (!(x.tunnel() instanceof TunnelRequest.ByUpgrade)) {
            throw new ServletException(
                    "The client has not asked for another protocol: check that the request has the"
                            + " field Upgrade, and that Connection names it, before the call of"
                            + " upgrade");
        }
        if (response.isCommitted()) {
            throw new IllegalStateException(
                    "The response is committed, so the connection cannot be upgraded");
        }
    }

    /// Returns the engine's exchange.
    public BlockingExchange engine() {
        return x;
    }

    /// Returns the request.
    public AppRequest request() {
        return request;
    }

    /// Returns the response.
    public AppResponse response() {
        return response;
    }

    /// Returns whether the request still runs.
    public Lifetime lifetime() {
        return this;
    }

    /// Returns the sessions that the request uses.
    public RequestSessions sessions() {
        @Nullable RequestSessions present = sessions;
        return present != null ? present : begunSessions();
    }

    private synchronized RequestSessions begunSessions() {
        @Nullable RequestSessions present = sessions;
        if (present == null) {
            present = new RequestSessions(this, home);
            sessions = present;
        }
        return present;
    }

    /// Sets the cookies of sessions that are new or have a new id again, after a reset of the response.
    void keepSessionCookies() {
        if (sessions != null) {
            sessions().tellAgain();
        }
    }

    /// Returns the content of the request.
    public RequestContent content() {
        @Nullable RequestContent present = content;
        return present != null ? present : begunContent();
    }

    private synchronized RequestContent begunContent() {
        @Nullable RequestContent present = content;
        if (present == null) {
            present = new RequestContent(this, request.head());
            content = present;
        }
        return present;
    }

    /// Replaces the content by one that is in memory.
    void content(RequestContent saved) {
        if (content != null) {
            content.release();
        }
        content = saved;
    }

    /// Returns who sends the request.
    public Identity identity() {
        @Nullable Identity known = identity;
        if (known == null) {
            known = home.guard().remembered(this);
            identity(known);
        }
        return known;
    }

    /// Sets who sends the request, also for access logs.
    public void identity(Identity user) {
        identity = user;
        @Nullable Principal principal = user.principal();
        if (principal != null) {
            x.user(principal.getName());
        }
    }

    /// Returns the application that received the request from the client.
    AppScope home() {
        return home;
    }

    /// Returns how the request looks now.
    public View view() {
        return view;
    }

    /// Returns how the request looked as it came from the client, whatever it was dispatched to since.
    /// Clients resolve relative references against its URL (RFC 3986 §5.1.3).
    public View reached() {
        return reached;
    }

    /// Changes how the request looks.
    public void view(View other) {
        view = other;
    }

    /// Returns the limits of multipart content: those of the servlet that runs now, or of the one that
    /// the client reached and that has dispatched the request. Null if neither has any.
    @Nullable MultipartLimits multipart() {
        @Nullable MultipartLimits own = view.servlet().multipart();
        return own == null ? reached.servlet().multipart() : own;
    }

    /// Returns whether all filters and the servlet that run now support asynchronous processing.
    public boolean isAsyncSupported() {
        return asyncSupported;
    }

    /// Records that a filter or servlet is called.
    ///
    /// @param supported whether it supports asynchronous processing
    public void called(boolean supported) {
        asyncSupported &= supported;
    }

    /// Sets whether asynchronous processing is supported, where a dispatch or a call begins or ends.
    public void asyncSupported(boolean supported) {
        asyncSupported = supported;
    }

    /// Returns the same identifier at each call, on any thread.
    synchronized String id() {
        if (id.isEmpty()) {
            id = ids.get();
        }
        return id;
    }

    /// Returns the attributes, to be read.
    Map<String, Object> attributes() {
        return attributes;
    }

    /// Returns the attributes, to be changed.
    ConcurrentMap<String, Object> attributesToChange() {
        if (attributes instanceof ConcurrentMap<String, Object> present) {
            return present;
        }
        ConcurrentMap<String, Object> first = new ConcurrentHashMap<>();
        attributes = first;
        return first;
    }

    /// Records that the page of an error begins. All that follows belongs to it.
    public void beginErrorPage() {
        errorPage = true;
    }

    /// Records that the request is dispatched to an application. Another one than that which received
    /// the request does not stop before the end of the request: what the dispatch starts, such as
    /// asynchronous processing, may last until then.
    public void enter(AppScope app) {
        if (!app.equals(home)) {
            enterOther(app);
        }
    }

    private synchronized void enterOther(AppScope app) {
        if (!hasEnded() && !others.contains(app)) {
            app.enter();
            others = Stream.concat(others.stream(), Stream.of(app)).toList();
        }
    }

    /// Leaves the other applications, at the end of the request.
    public synchronized void leaveOthers() {
        others.forEach(AppScope::leave);
        others = List.of();
    }

    /// Returns whether the page of an error has begun.
    public boolean isErrorPage() {
        return errorPage;
    }

    /// Stores the sessions before the client can see the end of the response. If that fails, the
    /// answer is 503.
    ///
    /// @return whether the response may end
    /// @throws RuntimeException if it failed and the response is committed
    boolean hasStoredSessions() {
        if (hasEnded()) {
            return true;
        }
        try {
            storeSessions();
            return true;
        } catch (SessionUnavailableException e) {
            if (x.committed()) {
                unsaved = e; // the application may drop it, but the end fails again
                throw e;
            }
            response.dropRedirect();
            response.refuse(HttpServletResponse.SC_SERVICE_UNAVAILABLE, null);
            return false;
        }
    }

    /// Sends what was written, and ends the response with its trailers, after the sessions are
    /// stored. The response to an asynchronous request ends with the request: until then threads of
    /// the application may use its head. The client need not wait for that, because it learns the
    /// length.
    void endResponse() throws IOException {
        if (!hasStoredSessions()) {
            return;
        }
        if (isAsyncStarted()) {
            response.sendAhead();
        } else {
            Fields trailers = response.trailers();
            x.end(trailers);
        }
    }

    /// Lets a handler of the engine answer, after the application's code has returned.
    public void handOn(Handler handler) {
        handOn(handler, () -> {});
    }

    /// Lets a handler of the engine answer, after the application's code has returned.
    ///
    /// @param dropped runs instead, on the loop, if the exchange was aborted meanwhile
    public void handOn(Handler handler, Runnable dropped) {
        x.then(handler, dropped);
        handedOn = true;
    }

    /// Writes a file into the response, in place of the engine's file handler.
    @FunctionalInterface
    public interface FileCopy {
        void write() throws IOException;
    }

    /// Lets the engine's file handler answer, after the application's code has returned.
    ///
    /// @param instead sends the file if the application continues the response
    public void handFileOn(Handler handler, FileCopy instead) {
        handOn(handler);
        View here = view;
        copy =
                () -> {
                    View now = view; // such as of an include
                    view = here;
                    try {
                        instead.write();
                    } finally {
                        view = now;
                    }
                };
    }

    /// Takes the answer back from the handler of the engine.
    public void takeBack() {
        if (handedOn) {
            x.answerHere();
            handedOn = false;
            copy = null;
        }
    }

    /// Takes a file back from the engine's file handler, if it answers with one.
    ///
    /// @return what writes the file; null if the file handler does not answer
    @Nullable FileCopy takeFileBack() {
        @Nullable FileCopy present = copy;
        if (present != null) {
            takeBack();
        }
        return present;
    }

    /// Returns whether the engine's file handler answers.
    boolean isFileHandedOn() {
        return copy != null;
    }

    /// Returns whether a handler of the engine answers.
    public boolean isHandedOn() {
        return handedOn;
    }

    /// Stores the sessions that the request used, before the client can see its end. Fails if that
    /// has failed at a moment when the client could not learn of it.
    public void saveSessions() {
        if (unsaved != null) {
            RuntimeException failed = unsaved;
            unsaved = null;
            throw failed;
        }
        storeSessions();
    }

    private void storeSessions() {
        if (sessions != null) {
            sessions().save();
        }
    }

    /// Ends the exchange: completes the response, unless another handler answers, and releases
    /// what the request holds. The application's objects fail from now on.
    ///
    /// @param complete whether the response is to be completed here
    public void end(boolean complete) throws IOException {
        try {
            if (complete) {
                response.finish();
                Fields trailers = response.trailers();
                expire(); // before the client sees the end
                x.endOnReturn(trailers);
            }
        } finally {
            // First: a thread that is about to hold a session or a part asks for this afterwards.
            expire();
            if (content != null) {
                content().release();
            }
            if (sessions != null) {
                sessions().release();
            }
        }
    }
}
