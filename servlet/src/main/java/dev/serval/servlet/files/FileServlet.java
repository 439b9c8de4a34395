package dev.serval.servlet.files;

import dev.serval.exchange.EngineExchange;
import dev.serval.file.HiddenPaths;
import dev.serval.http.Method;
import dev.serval.http.PercentEncoding;
import dev.serval.servlet.archive.AppFiles;
import dev.serval.servlet.dispatch.Unwrapped;
import dev.serval.servlet.map.NormalPath;
import dev.serval.servlet.pages.AllowedMethods;
import dev.serval.servlet.request.AppRequest;
import dev.serval.servlet.request.AppResponse;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The default servlet: serves the files of its application (Servlet 6.1 §12.2). A plain request
/// goes on to the engine's file handler. The servlet copies the file itself only in these cases:
///
/// - The request was forwarded or included.
/// - Its path has parameters such as `;jsessionid=`, which the file handler would take for a part of
///   the name.
/// - It is a welcome file in a folder below the one that the client asked for.
/// - The application wrapped an object, wrote content of its own, or set a status or a content coding.
///
/// Then a [FileCopy] evaluates conditions and ranges itself, unless the file is included.
public final class FileServlet extends HttpServlet implements AllowedMethods {
    private static final long serialVersionUID = 1;
    private static final String ALLOWED = "GET, HEAD, OPTIONS"; // as the engine's file handler

    private final transient Supplier<@Nullable DeployedFiles> files;
    private final transient Function<String, @Nullable String> welcome;

    /// Creates the servlet.
    ///
    /// @param welcome returns the path of the welcome file of a folder; null if it has none
    public FileServlet(
            Supplier<@Nullable DeployedFiles> files, Function<String, @Nullable String> welcome) {
        this.files = files;
        this.welcome = welcome;
    }

    @Override
    public String allowed() {
        return ALLOWED;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        if (request.getDispatcherType() != DispatcherType.INCLUDE && Unwrapped.isClosed(request)) {
            return; // by a filter that redirects and calls the rest of the chain, perhaps
        }
        String path = path(request);
        if (request instanceof AppRequest own
                && response instanceof AppResponse ownResponse
                && isUsual(ownResponse)
                && request.getDispatcherType() == DispatcherType.REQUEST
                && request.getRequestURI().indexOf(';') < 0
                && !isBelowItsFolder(own, path)
                && own.exchange().engine().request().contentLength() == 0) { // else it was begun
            own.exchange().sessions().access();
            if (!mayBeServed(path)) {
                missing(path, request, response); // within this request, so that filters see it
            } else if (isRefused(own.exchange().engine().request().method())) {
                answer(request, response, false); // within the application, which may have a page
            } else {
                pass(own, ownResponse);
            }
            return;
        }
        answer(request, response, false);
    }

    /// @param more whether content follows the file
    private void answer(HttpServletRequest request, HttpServletResponse response, boolean more)
            throws IOException {
        switch (request.getMethod()) {
            case "GET", "HEAD", "POST", "OPTIONS" -> copy(request, response, more);
            default -> {
                response.setHeader("Allow", ALLOWED);
                response.sendError(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
            }
        }
    }

    /// Returns whether the engine's file handler can make the response. It sets the status itself, and
    /// may compress the file.
    private static boolean isUsual(AppResponse response) {
        return response.isUntouched()
                && response.getStatus() == HttpServletResponse.SC_OK
                && response.getHeader("Content-Encoding") == null;
    }

    /// Returns whether a file does not take the method. One that the server does not know gets 501 from the
    /// engine.
    private static boolean isRefused(Method method) {
        return !method.safe() && method != Method.OTHER;
    }

    /// Returns whether the path is that of a welcome file in a folder below the one that the client asked
    /// for, such as `start/index.html`. The engine's file handler finds those in the folder itself.
    private static boolean isBelowItsFolder(AppRequest request, String path) {
        String sent = request.exchange().engine().request().target().path().text();
        if (!sent.endsWith("/") || path.endsWith("/")) {
            return false;
        }
        @Nullable String context = NormalPath.normal(request.getContextPath() + "/");
        int start = context == null ? 0 : context.length() - 1;
        return path.lastIndexOf('/') >= sent.length() - start;
    }

    /// Returns whether the engine's file handler may find what a path names.
    private boolean mayBeServed(String path) {
        @Nullable DeployedFiles present = files.get();
        return present != null
                && !HiddenPaths.hides(path)
                && (path.endsWith("/") ? welcome.apply(path) != null : present.mayHave(path));
    }

    /// Lets the engine's file handler answer, with the fields that filters set before and after. If a
    /// filter writes after the file, this servlet copies the file.
    private void pass(AppRequest request, AppResponse response) {
        request.exchange()
                .handFileOn(
                        x -> {
                            EngineExchange.of(x)
                                    .addFields(response.fieldsForFile(), response.fieldsForPage());
                            x.pass();
                        },
                        () -> answer(request, response, true));
    }

    private void copy(HttpServletRequest request, HttpServletResponse response, boolean more)
            throws IOException {
        boolean included = request.getDispatcherType() == DispatcherType.INCLUDE;
        boolean byPath =
                included && request.getAttribute(RequestDispatcher.INCLUDE_REQUEST_URI) != null;
        String path = byPath ? includedPath(request) : path(request);
        @Nullable Path file = file(path, byPath || !Unwrapped.hasClientPath(request));
        if (file == null) {
            if (included) {
                throw new FileNotFoundException("The application has no file " + path);
            }
            missing(path, request, response);
            return;
        }
        @Nullable String type = getServletContext().getMimeType(String.valueOf(file.getFileName()));
        FileCopy copy = new FileCopy(file, type, response);
        if (included) {
            copy.include();
        } else if (!isAboutMethods(request, response)) {
            copy.answer(request, more);
        }
    }

    /// Answers OPTIONS as the engine's file handler does, and refuses POST unless code of the
    /// application has dispatched it.
    ///
    /// @return whether the response is complete
    private static boolean isAboutMethods(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        boolean post =
                request.getMethod().equals("POST")
                        && request.getDispatcherType() == DispatcherType.REQUEST;
        boolean options = request.getMethod().equals("OPTIONS");
        if (post || options) {
            response.setHeader("Allow", ALLOWED);
        }
        if (post) {
            response.sendError(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
        } else if (options) {
            response.setStatus(HttpServletResponse.SC_NO_CONTENT);
        }
        return post || options;
    }

    /// Redirects a folder to its path with a slash, so that relative links of its page work, also if the
    /// request was forwarded there, and answers 404 to all else.
    private void missing(String path, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        @Nullable DeployedFiles present = files.get();
        boolean byPath =
                request.getDispatcherType() == DispatcherType.REQUEST
                        || request.getDispatcherType() == DispatcherType.FORWARD;
        if (!byPath || HiddenPaths.hides(path) || present == null || !present.isFolder(path)) {
            response.sendError(HttpServletResponse.SC_NOT_FOUND);
            return;
        }
        // The path as it was sent may begin with two slashes, which browsers take for a host.
        String folder = request.getContextPath() + PercentEncoding.path(path) + "/";
        @Nullable String query = request.getQueryString();
        response.sendRedirect(
                response.encodeRedirectURL(folder + (query == null ? "" : "?" + query)));
    }

    /// Finds a file. Code of the application may dispatch to private files, but clients must not
    /// reach them (Servlet 6.1 §10.5). A dispatch by name keeps the client's path.
    ///
    /// @param chosen whether code of the application chose the path
    private @Nullable Path file(String path, boolean chosen) {
        @Nullable DeployedFiles present = files.get();
        @Nullable String name = path.endsWith("/") ? welcome.apply(path) : path;
        if (present == null || name == null || AppFiles.isPageSource(name)) {
            return null;
        }
        return chosen ? present.file(name) : present.served(name);
    }

    private static String includedPath(HttpServletRequest request) {
        return text(request.getAttribute(RequestDispatcher.INCLUDE_SERVLET_PATH))
                + text(request.getAttribute(RequestDispatcher.INCLUDE_PATH_INFO));
    }

    private static String path(HttpServletRequest request) {
        return text(request.getServletPath()) + text(request.getPathInfo());
    }

    private static String text(@Nullable Object part) {
        return part == null ? "" : part.toString();
    }
}
