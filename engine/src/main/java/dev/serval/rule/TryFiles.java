package dev.serval.rule;

import dev.serval.exchange.EngineExchange;
import dev.serval.file.FileHandler;
import dev.serval.file.PathCache;
import dev.serval.handler.Exchange;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Handler;
import dev.serval.handler.Task;
import dev.serval.http.Fields;
import dev.serval.http.PercentEncoding;
import dev.serval.http.Status;
import dev.serval.http.TargetPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Gives a request the first of some paths that exists, or else the last one, as `try_files` of nginx
/// does. The next handlers of the chain answer for that path: scripts run, and files are sent.
///
/// - A single-page application: `$path`, `$path/`, `/index.html`.
/// - An application with a front controller: `$path`, `$path/`, `/index.php`. It gets the target that
///   the client sent as REQUEST_URI.
///
/// What a path leads to is known from the cache of the files, or is looked up on [ExecutorKind#DISK]
/// and kept for a second, or as long as the files are served without a look if that is less.
public final class TryFiles implements Handler {
    private static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final String PATH = "$path";
    private static final String QUERY = "$query";
    private static final String STATUS = "=";

    private final FileHandler files;
    private final List<String> candidates;
    private final String last;
    private final @Nullable String script;
    private final PathCache<String> cache;

    private TryFiles(
            FileHandler files, List<String> candidates, String last, @Nullable String script) {
        this.files = files;
        this.script = script;
        this.cache = new PathCache<>(Math.min(MAX_AGE_NANOS, files.maxAgeNanos()));
        this.candidates = candidates;
        this.last = last;
    }

    /// Returns a handler that tries these paths.
    ///
    /// @param files serves the files, later in the same chain
    /// @param paths paths below the mount, in which `$path` stands for the path of the request. One
    ///     with `/` at its end must be a folder, and any other a file. The last one is taken without
    ///     a look. It may have a query with `$path` and `$query`, in place of that of the request;
    ///     or it is `=404`, or another status from 400 to 599
    /// @throws IllegalArgumentException if a path is malformed
    public static TryFiles of(FileHandler files, List<String> paths) {
        check(paths);
        return new TryFiles(
                files, List.copyOf(paths.subList(0, paths.size() - 1)), paths.getLast(), null);
    }

    /// Returns the same handler for a mount with scripts. Where `$path` is tried, a path that goes on behind
    /// the name of a script, such as `/doku.php/start`, also exists if the script does.
    ///
    /// @param extension with which the names of scripts end, such as `.php`
    public TryFiles withScripts(String extension) {
        return new TryFiles(files, candidates, last, extension);
    }

    /// Checks the paths, as [#of] does.
    ///
    /// @throws IllegalArgumentException if a path is malformed
    public static void check(List<String> paths) {
        if (paths.isEmpty()) {
            throw new IllegalArgumentException(
                    "The list of files to try needs a last path, such as /index.html or =404");
        }
        for (String path : paths.subList(0, paths.size() - 1)) {
            if (!isPath(path) || path.indexOf('?') >= 0) {
                throw new IllegalArgumentException(
                        "A file to try must be $path, or begin with / or $path, without a query,"
                                + " but is \""
                                + path
                                + "\"");
            }
        }
        String last = paths.getLast();
        if (!isPath(last) && !last.matches("=[45][0-9][0-9]")) {
            throw new IllegalArgumentException(
                    "The last file to try must begin with / or be a status from =400 to =599, but is"
                            + " \""
                            + last
                            + "\"");
        }
    }

    private static boolean isPath(String text) {
        String sample = text.replace(PATH, "/x");
        return sample.startsWith("/")
                && !sample.contains("//")
                && !(sample + "/").contains("/../")
                && sample.chars().noneMatch(c -> c < ' ' || c == 0x7f || c == '\\');
    }

    @Override
    public void handle(Exchange exchange) {
        EngineExchange x = EngineExchange.of(exchange);
        TargetPath path = x.request().target().path();
        int from = path.from() + x.route().prefixLength();
        String below = path.below(x.route().prefixLength());
        if (!candidates.isEmpty() && candidates.getFirst().equals(PATH) && isKnownFile(x, below)) {
            x.pass();
            return;
        }
        @Nullable String known = cache.find(path.buffer(), from, path.to(), x.nowNanos());
        if (known != null) {
            take(x, below, known);
            return;
        }
        byte[] key = bytes(below);
        long now = x.nowNanos();
        Task task =
                () -> {
                    String found = first(below);
                    cache.put(key, found, now);
                    return same -> take(EngineExchange.of(same), below, found);
                };
        x.run(ExecutorKind.DISK, task);
    }

    @Override
    public boolean takesOtherMethods() {
        return true; // a later handler may take them
    }

    @Override
    public boolean takesTrace() {
        return true; // likewise
    }

    private boolean isKnownFile(EngineExchange x, String below) {
        return !below.endsWith("/")
                && files.known(bytes(below), x.nowNanos()) == FileHandler.Kind.FILE;
    }

    /// Returns the first candidate that exists, or the last path. Blocks.
    private String first(String below) throws IOException {
        for (String candidate : candidates) {
            String path = path(candidate, below);
            boolean folder = candidate.endsWith("/");
            FileHandler.Kind wanted = folder ? FileHandler.Kind.FOLDER : FileHandler.Kind.FILE;
            boolean possible = folder || !path.endsWith("/"); // no file has a slash at its end
            String name = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
            if (possible && files.look(bytes(name)) == wanted) {
                return candidate;
            }
            if (candidate.equals(PATH) && isBehindScript(below)) {
                return candidate;
            }
        }
        return last;
    }

    /// Returns whether a script is the first part of a path. Blocks.
    private boolean isBehindScript(String below) throws IOException {
        return script != null && files.scriptEnd(bytes(below), bytes(script)) > 0;
    }

    private void take(EngineExchange x, String below, String chosen) {
        if (chosen.startsWith(STATUS)) {
            x.refuse(
                    Status.of(Integer.parseInt(chosen.substring(STATUS.length()))),
                    Fields.EMPTY,
                    "There is nothing at this address.");
            return;
        }
        if (chosen.equals(PATH) || chosen.equals(PATH + "/")) {
            x.pass(); // a folder without the slash at its end is redirected by the files
            return;
        }
        int queryAt = chosen.indexOf('?');
        String path = path(queryAt < 0 ? chosen : chosen.substring(0, queryAt), below);
        @Nullable String query = x.request().target().query();
        String prefix = x.route().prefix().equals("/") ? "" : x.route().prefix();
        NewTarget.go(
                x,
                prefix + path,
                queryAt < 0 ? query : query(chosen.substring(queryAt + 1), below, query));
    }

    private static String path(String candidate, String below) {
        String path = below.endsWith("/") ? below.substring(0, below.length() - 1) : below;
        boolean same = candidate.equals(PATH);
        return same ? below : candidate.replace(PATH, path);
    }

    private static String query(String template, String below, @Nullable String query) {
        return template.replace(PATH, PercentEncoding.value(below))
                .replace(QUERY, query == null ? "" : query);
    }

    private static byte[] bytes(String path) {
        return path.getBytes(StandardCharsets.UTF_8);
    }
}
